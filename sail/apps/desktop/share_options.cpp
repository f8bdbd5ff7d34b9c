#include "sail/apps/desktop/share_options.h"

#include "sail/media/source/picture_spec.h"

namespace sail {
namespace {

const char* const kNotes = R"(What is read and sent:
  Only rows in which the desktop says something was drawn are read (XDamage), and only pixel blocks
  that differ are sent: a desktop at rest sends nothing. --fps bounds how often that is looked at.
  A shared window is shown whole, also where others cover it (XComposite). When the screen or the
  window changes its size, so do its pictures, in the same place on the wall.

In a Wayland session:
  The desktop asks what to share, a screen or a window (xdg-desktop-portal, PipeWire), and brings a
  picture when something was drawn. What was chosen, and may be kept, is shared the next time
  without a question, unless --choose wants one. --display, --window and --list are of X11: there
  they see X11 programs only. A screen that stands on its side lies on it.

Control:
  With --control, pointer and keys of people who click into the window at the wall reach the desktop
  as if they came from its own mouse and keyboard. On X11 a window is clicked where it stands on the
  desktop, so others must not cover it there. A Wayland desktop asks first, and not all of them can
  (GNOME and KDE do, those of wlroots do not); the window takes no input then.

A program of its own:
  `vitrail run-x11 -- COMMAND` starts the command on an X11 screen that nobody else sees (Xvfb) and
  shows that, with people's pointer and keys. Its windows fill the screen, its dialogues stand in
  the middle. What it plays by PulseAudio is heard from the wall's loudspeakers (apt install
  pulseaudio), and not from this machine's. No desktop is needed. The command ends with its window,
  and the window with the command. What the command prints is printed.

How it ends:
  Until the window is closed (Ctrl-C, vitrail close), or the shared window or the desktop goes.
  exit code 0: something was shown
            1: there is no such desktop or window, or no manager
            2: the command line is wrong
            with --run that of the command, when it has ended by itself

Examples:
  vitrail share
  vitrail share --region 0,0,1280x720 --fps 60
  vitrail share --choose                 # under Wayland
  vitrail share --list
  vitrail share --window "Slides" --title Talk --control
  vitrail share --display :1 --codec raw+lz4 --place 0,0,3840x2160
  vitrail run-x11 --size 1920x1080 -- xterm -fa Monospace)";

std::string find_mistake(const ShareOptions& options, bool run) {
  if (run && options.command.empty()) return "--run needs a command: -- COMMAND";
  if (!run && !options.command.empty()) {
    return "\"" + options.command.front() + "\" is no option; a program is started with --run";
  }
  return "";
}

}  // namespace

std::variant<ShareOptions, CommandLineAnswer> parse_share_options(int count,
                                                                  const char* const* arguments) {
  ShareOptions options;
  CommandLine line("vitrail-share",
                   "Shows a desktop, or a part or a window of it, on a Vitrail wall.");
  line.notes(kNotes);
  bool run = false;
  line.option("command", options.command, "the program, with --run").form("COMMAND");
  const Option run_flag =
      line.flag("--run", run, "show the program that follows, on a screen of its own, with input");
  line.option_parsed("--size", "WxH", options.screen, parse_size,
                     "of the program's screen, pixels; else 1280x720")
      .needs(run_flag);
  line.option("--display", options.display,
              "the X server's display; else that of the session, X11 or Wayland")
      .form("DISPLAY")
      .excludes(run_flag);
  const auto parse_region = [](const std::string& text) {
    const auto region = parse_place(text);
    return region && !region->empty() ? region : std::nullopt;
  };
  const Option region = line.option_parsed("--region", "X,Y,WxH", options.region, parse_region,
                                           "only this part of the screen, pixels of the desktop");
  line.option("--window", options.window,
              "only this window: its title, a part of it, or its number (as --list shows them)")
      .form("TITLE|ID")
      .excludes(region)
      .excludes(run_flag);
  line.flag("--list", options.list, "tell which windows there are, and end").excludes(run_flag);
  line.flag("--choose", options.choose, "under Wayland: be asked again what to share")
      .excludes(run_flag);
  line.flag(
      "--no-cursor", [&options] { options.cursor = false; }, "without the desktop's pointer");
  line.flag("--control", options.control,
            "let people at the wall move the desktop's pointer and press its keys");
  line.option("--fps", options.fps, "at most so many pictures a second, 0.1 to 240")
      .limited(kSlowestFps, kFastestFps)
      .form("N")
      .shows_default();
  options.codec = kCodecForTexts;
  add_shell_options(line, options, false);
  line.check([&] { return find_mistake(options, run); });
  if (const auto answer = line.read(count, arguments)) return *answer;
  options.control |= run;
  return options;
}

}  // namespace sail
