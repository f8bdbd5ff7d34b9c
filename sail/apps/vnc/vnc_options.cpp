#include "sail/apps/vnc/vnc_options.h"

namespace sail {
namespace {

const char* const kNotes = R"(What it shows:
  The desktop of another machine, as a VNC server there shows it (RFC 6143). When that changes its
  size, so do its pictures, in the same place on the wall. When it is gone, its last picture stays,
  and it is tried again until it is back.
  Pointer and keys of people who click into the window at the wall reach the desktop.
  Security: none, a password (VncAuth), and both within TLS (TLSNone, TLSVnc; X509None, X509Vnc when
  this machine trusts the server's certificate). Kinds that want a user's name are not supported.
  Most servers send pictures and keys in clear, and TLS without a certificate proves nothing: over a
  network of others, use a tunnel (ssh -L 5901:localhost:5901 HOST, then localhost:1).

How it ends:
  Until the window is closed (Ctrl-C, vitrail close).
  exit code 0: something was shown
            1: no such server, or it lets nobody in; no manager
            2: the command line is wrong

Examples:
  vitrail vnc lab7:1
  vitrail vnc 10.0.0.7:5901 --password-file ~/.vnc-lab7 --title "Lab 7")";

}  // namespace

std::variant<VncOptions, CommandLineAnswer> parse_vnc_options(int count,
                                                              const char* const* arguments) {
  VncOptions options;
  CommandLine line("vitrail-vnc",
                   "Shows the desktop of another machine on a Vitrail wall, by VNC.");
  line.notes(kNotes);
  std::string desktop;
  line.option("desktop", desktop, "the VNC server: its host, and its display or port")
      .form("HOST[:DISPLAY|:PORT|::PORT]")
      .required()
      .check([](const std::string& text) {
        return parse_vnc_address(text) ? "" : "must be HOST, HOST:DISPLAY, HOST:PORT or HOST::PORT";
      });
  line.option("--password-file", options.password_file,
              "its password is the first line of this file; else it is asked for in a terminal")
      .form("FILE");
  line.flag("--view-only", options.view_only, "nobody at the wall moves its pointer");
  options.codec = kCodecForTexts;
  add_shell_options(line, options, false);
  if (const auto answer = line.read(count, arguments)) return *answer;
  options.desktop = *parse_vnc_address(desktop);
  return options;
}

}  // namespace sail
