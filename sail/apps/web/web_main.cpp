#include "sail/apps/web/web_page.h"

#include <memory>
#include <utility>

#include "sail/apps/share/desktop_share.h"
#include "sail/apps/share/x11/x11_desktop.h"
#include "sail/apps/web/page_address.h"
#include "sail/media/source/picture_spec.h"

namespace sail {
namespace {

constexpr double kSmallestScale = 0.25;
constexpr double kLargestScale = 8;
constexpr int kLeastMemoryMb = 1024;
constexpr int kMostMemoryMb = 1 << 20;

const char* const kNotes = R"(Content:
  A web page, rendered by Chromium (apt install chromium xvfb) on a private screen, with a new
  profile that is deleted at the end. --scale 2 doubles the text size. WebGL runs in software.
  Pointer, wheel, touch and keyboard input from the wall goes to the page. Its sound plays on the
  wall's loudspeakers (apt install pulseaudio), never on this machine. Windows that the page opens
  replace it. Downloads and requests for cameras, location and other permissions are refused.

Navigation:
  Alt+ArrowLeft and Alt+ArrowRight go back and forward, F5 reloads the page, Control+L asks for an
  address, Control+F searches the page. From a script or the prompt:
  vitrail input N key Alt+ArrowLeft, or vitrail input N key Control+l,
  input N type vitrail.example, input N key Enter.
  Other browser keys and the right button are disabled, because they lead to files of this machine.

What pages can reach:
  Everything by http: and https: that this machine reaches, except this machine itself, the
  manager's machine and link-local addresses, whether by name, redirection or embedded content.
  With --local, pages and users can also reach these, and users can open file: addresses.
  When the browser exits or the page crashes, the window shows the reason, and a click restarts it.
  --memory limits each browser process.

When the program ends:
  When its window is closed (Ctrl-C, vitrail close).
  exit code 0: the page was shown
            1: no Chromium, no Xvfb, no manager, or the browser did not start
            2: the command line is wrong

Examples:
  vitrail web vitrail.example
  vitrail web https://vitrail.example/plan --size 3840x2160 --scale 2
  vitrail web http://localhost:3000/dashboard --local)";

}  // namespace

std::variant<WebOptions, CommandLineAnswer> parse_web_options(int count,
                                                              const char* const* arguments) {
  WebOptions options;
  CommandLine line("vitrail-web", "Show a web page on a Vitrail wall.");
  line.notes(kNotes);
  std::string address;
  line.option("url", address, "address of the page; https:// is optional").form("URL").required();
  line.option_parsed("--size", "WxH", options.window.screen, parse_size,
                     "page size in pixels; default 1280x720");
  line.option("--scale", options.browser.scale, "scale factor of the page, 0.25 to 8")
      .limited(kSmallestScale, kLargestScale)
      .form("F")
      .shows_default();
  line.flag("--local", options.local,
            "allow pages of this machine and the manager's machine, and file: addresses");
  line.option("--memory", options.browser.memory_mb,
              "memory limit per browser process in MB, at least 1024")
      .limited(kLeastMemoryMb, kMostMemoryMb)
      .form("MB")
      .shows_default();
  line.flag(
      "--no-sandbox", [&options] { options.browser.sandbox = false; },
      "run without sandbox, as root or in containers: pages get this user's rights, so show only "
      "trusted pages");
  line.option("--fps", options.window.fps, "frame rate limit in frames/s, 0.1 to 240")
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

int vitrail_web_main(int argc, char** argv) {
  return sail::run_parsed(sail::parse_web_options(argc, argv), [](auto options) {
    sail::ShareOptions window = options.window;
    auto page = std::make_unique<sail::WebPage>(std::move(options));
    return sail::DesktopShare("vitrail-web", std::move(window), std::move(page),
                              sail::X11Desktop::open)
        .run();
  });
}
