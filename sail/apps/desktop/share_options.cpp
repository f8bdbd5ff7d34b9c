#include "sail/apps/desktop/share_options.h"

#include "sail/media/source/picture_spec.h"

namespace sail {
namespace {

const char* const kNotes = R"(Capture:
  Only rows that the desktop reports as drawn are read (XDamage), and only pixel blocks that differ
  are sent: an idle desktop sends nothing. --fps limits how often changes are checked.
  A shared window is shown completely, even where other windows cover it (XComposite). The window
  keeps its place on the wall when the size of the shared screen or window changes.

In a Wayland session:
  The desktop asks what to share, a screen or a window (xdg-desktop-portal, PipeWire), and sends a
  frame when something was drawn. If the desktop can store the choice, the next start reuses it
  without asking, except with --choose. --display, --window and --list are for X11: in a Wayland
  session they see X11 programs only. A rotated screen is shown rotated.

Control:
  With --control, users at the wall who click into the window control the desktop's pointer and
  keyboard. On X11 a click goes to the window's position on the desktop, so no other window must
  cover it there. A Wayland desktop asks for permission first. Not every desktop supports control
  (GNOME and KDE do, wlroots desktops do not); without support input is ignored.

Run a program:
  `vitrail run-x11 -- COMMAND` starts the command on a private X11 screen (Xvfb) and shows this
  screen, with pointer and keyboard input from the wall. The program's windows fill the screen, its
  dialogs are centred. Its PulseAudio sound plays on the wall's loudspeakers (apt install
  pulseaudio), not on this machine. No desktop is needed. The command ends with its window, and the
  window with the command. The command's output goes to standard output and standard error.

When the program ends:
  When its window on the wall is closed (Ctrl-C, vitrail close), or the shared window or desktop.

  exit code 0: the desktop or window was shown
            1: no such desktop or window, or no manager
            2: the command line is wrong
            with --run the command's exit code, if the command ended first

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
    return "unknown argument \"" + options.command.front() + "\"; use --run to start a program";
  }
  return "";
}

}  // namespace

std::variant<ShareOptions, CommandLineAnswer> parse_share_options(int count,
                                                                  const char* const* arguments) {
  ShareOptions options;
  CommandLine line("vitrail-share",
                   "Show a desktop, or a region or window of it, on a Vitrail wall.");
  line.notes(kNotes);
  bool run = false;
  line.option("command", options.command, "command to run, with --run").form("COMMAND");
  const Option run_flag = line.flag(
      "--run", run,
      "run the command that follows on its own X11 screen, and show this screen with input");
  line.option_parsed("--size", "WxH", options.screen, parse_size,
                     "size of the screen of --run in pixels; default 1280x720")
      .needs(run_flag);
  line.option("--display", options.display,
              "X11 display; default: the session's desktop, X11 or Wayland")
      .form("DISPLAY")
      .excludes(run_flag);
  const auto parse_region = [](const std::string& text) {
    const auto region = parse_place(text);
    return region && !region->empty() ? region : std::nullopt;
  };
  const Option region = line.option_parsed("--region", "X,Y,WxH", options.region, parse_region,
                                           "show only this region of the desktop, in pixels");
  line.option("--window", options.window,
              "show only this window: its title, part of the title, or its ID from --list")
      .form("TITLE|ID")
      .excludes(region)
      .excludes(run_flag);
  line.flag("--list", options.list, "list the windows and exit").excludes(run_flag);
  line.flag("--choose", options.choose, "under Wayland: ask again what to share")
      .excludes(run_flag);
  line.flag(
      "--no-cursor", [&options] { options.cursor = false; }, "hide the desktop's pointer");
  line.flag("--control", options.control,
            "let users at the wall control the desktop's pointer and keyboard");
  line.option("--fps", options.fps, "frame rate limit in frames/s, 0.1 to 240")
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
