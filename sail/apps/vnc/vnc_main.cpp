#include "sail/apps/vnc/vnc_show.h"

namespace sail {
namespace {

const char* const kNotes = R"(Content:
  The desktop of another machine as its VNC server sends it (RFC 6143). The window keeps its place
  on the wall when the desktop's size changes. When the connection is lost, the window keeps the
  last frame and vitrail-vnc reconnects until it succeeds.
  Users at the wall who click into the window control the desktop's pointer and keyboard.
  Security: none, a password (VncAuth), and both within TLS (TLSNone, TLSVnc; X509None, X509Vnc when
  this machine trusts the server's certificate). Types that need a user name are not supported.
  Most servers send frames and keys unencrypted, and TLS without a certificate authenticates no
  server: across untrusted networks use a tunnel (ssh -L 5901:localhost:5901 HOST, then
  localhost:1).

When the program ends:
  When its window is closed (Ctrl-C, vitrail close).
  exit code 0: the desktop was shown
            1: no VNC server, access refused, or no manager
            2: the command line is wrong

Examples:
  vitrail vnc lab7:1
  vitrail vnc 10.0.0.7:5901 --password-file ~/.vnc-lab7 --title "Lab 7")";

}  // namespace

std::variant<VncOptions, CommandLineAnswer> parse_vnc_options(int count,
                                                              const char* const* arguments) {
  VncOptions options;
  CommandLine line("vitrail-vnc", "Show a remote desktop (VNC) on a Vitrail wall.");
  line.notes(kNotes);
  std::string desktop;
  line.option("desktop", desktop, "VNC server: host, and display or port")
      .form("HOST[:DISPLAY|:PORT|::PORT]")
      .required()
      .check([](const std::string& text) {
        return parse_vnc_address(text) ? "" : "must be HOST, HOST:DISPLAY, HOST:PORT or HOST::PORT";
      });
  line.option("--password-file", options.password_file,
              "file with the VNC password in its first line; default: ask on the terminal")
      .form("FILE");
  line.flag("--view-only", options.view_only, "ignore pointer and keyboard input from the wall");
  options.codec = kCodecForTexts;
  add_shell_options(line, options, false);
  if (const auto answer = line.read(count, arguments)) return *answer;
  options.desktop = *parse_vnc_address(desktop);
  return options;
}

}  // namespace sail

int vitrail_vnc_main(int argc, char** argv) {
  return sail::run_parsed(sail::parse_vnc_options(argc, argv), [](auto options) {
    return sail::VncShow(std::forward<decltype(options)>(options)).run();
  });
}
