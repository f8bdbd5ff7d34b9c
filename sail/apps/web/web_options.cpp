#include "sail/apps/web/web_options.h"

#include "sail/apps/web/page_address.h"
#include "sail/media/source/picture_spec.h"

namespace sail {
namespace {

constexpr double kSmallestScale = 0.25;
constexpr double kLargestScale = 8;
constexpr int kLeastMemoryMb = 1024;
constexpr int kMostMemoryMb = 1 << 20;

const char* const kNotes = R"(What it shows:
  A web page, drawn by Chromium (apt install chromium xvfb) on a screen that nobody else sees, with
  a profile that is new and forgotten at the end. --scale 2 draws texts twice as large. WebGL is
  drawn by the processor.
  Pointer, wheel, fingers and keys of people at the wall reach the page. What it plays is heard from
  the wall's loudspeakers (apt install pulseaudio), and never from this machine's. Windows that it
  opens take its place, downloads are refused, and so are its wishes for cameras, places and the
  like.

Where people go:
  Alt+ArrowLeft and Alt+ArrowRight go back and forward, F5 loads the page again, Control+L asks for
  an address, Control+F for words in the page. From a script or the prompt:
  vitrail event N key Alt+ArrowLeft, or vitrail event N key Control+l,
  event N type vitrail.example, event N key Enter.
  Other keys of the browser, and the right button, do nothing: they lead to files of this machine.

What pages reach:
  Everything by http: and https: that this machine reaches, but not itself, the manager's machine
  and what answers on its own link alone, by no name, redirection or part of a page. --local lets
  them, and people, see those, too, and file: addresses.
  When the browser or the page ends, the window says why, and a click starts it again. Each of its
  processes may have --memory MB.

How it ends:
  Until the window is closed (Ctrl-C, vitrail close).
  exit code 0: something was shown
            1: no Chromium, no Xvfb, no manager, or the browser does not start
            2: the command line is wrong

Examples:
  vitrail web vitrail.example
  vitrail web https://vitrail.example/plan --size 3840x2160 --scale 2 --place 0,0
  vitrail web http://localhost:3000/dashboard --local)";

}  // namespace

std::variant<WebOptions, CommandLineAnswer> parse_web_options(int count,
                                                              const char* const* arguments) {
  WebOptions options;
  CommandLine line("vitrail-web", "Shows a web page on a Vitrail wall.");
  line.notes(kNotes);
  std::string address;
  line.option("url", address, "the page's address; https:// may be left out")
      .form("URL")
      .required();
  line.option_parsed("--size", "WxH", options.window.screen, parse_size,
                     "of the page, pixels; else 1280x720");
  line.option("--scale", options.browser.scale, "how much larger it draws, 0.25 to 8")
      .limited(kSmallestScale, kLargestScale)
      .form("F")
      .shows_default();
  line.flag("--local", options.local,
            "pages of this machine and the manager's may be shown, and files");
  line.option("--memory", options.browser.memory_mb,
              "that each process of the browser may have, MB, at least 1024")
      .limited(kLeastMemoryMb, kMostMemoryMb)
      .form("MB")
      .shows_default();
  line.flag(
      "--no-sandbox", [&options] { options.browser.sandbox = false; },
      "pages could do what this user can: for pages that you trust, as root or in containers");
  line.option("--fps", options.window.fps, "at most so many pictures a second, 0.1 to 240")
      .limited(kSlowestFps, kFastestFps)
      .form("N")
      .shows_default();
  options.window.codec = kCodecForTexts;
  add_shell_options(line, options.window, false);
  line.check([&] {
    auto read = page_address(address, options.local ? PageReach::kLocal : PageReach::kElsewhere);
    if (!read) return read.error().message;
    options.address = std::move(*read);
    return std::string();
  });
  if (const auto answer = line.read(count, arguments)) return *answer;
  options.window.control = true;
  // The manager starts the page again without --local and --no-sandbox, so it must not be
  // restartable with them.
  if (const std::string medium = std::string(kWebScheme) + options.address;
      names_page(medium) && !options.local && options.browser.sandbox) {
    options.window.content = {{medium}, "vitrail-web", false};
  }
  return options;
}

}  // namespace sail
