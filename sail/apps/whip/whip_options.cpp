#include "sail/apps/whip/whip_options.h"

#include "sail/core/command_line/shared_options.h"

namespace sail {
namespace {

constexpr int kLongestWaitS = 86400;

const char* const kNotes = R"(Content:
  The video of OBS or any other program that sends WHIP (RFC 9725): H.264, VP8 or VP9, with Opus
  sound. The program prints the address and the token to enter in the sender's settings. Only one
  sender is accepted at a time; the window opens with its first frame. Lost packets are awaited for
  60 ms, then a key frame is requested.

Environment:
  VITRAIL_WHIP_TOKEN  token that senders must present (Bearer); default: a new one at each start

From other machines:
  Only by TLS, because the token is sent along: --listen 0.0.0.0:7490 with a certificate that the
  sender trusts. Video and sound are always encrypted (DTLS) and arrive at UDP ports that the system
  chooses; a firewall must let them through.

When the program ends:
  When the sender leaves or times out, or the window is closed.
  exit code 0: a sender connected
            1: no sender, no video that can be decoded, no manager, or no port
            2: the command line is wrong

Examples:
  vitrail whip --title "Studio"
  vitrail whip --listen 0.0.0.0:7490 --certificate wall.pem --certificate-key wall.key)";

}  // namespace

std::variant<WhipOptions, CommandLineAnswer> parse_whip_options(int count,
                                                                const char* const* arguments) {
  WhipOptions options;
  CommandLine line("vitrail-whip",
                   "Show a WHIP stream from OBS or another program on a Vitrail wall.");
  line.notes(kNotes);
  add_listen_option(line, options.listen, kUsualWhipPort, "WHIP senders");
  add_port_file_option(line, options.port_file);
  line.option("--wait", options.wait_s, "timeout for a sender to connect, in seconds; 0: none")
      .limited(0, kLongestWaitS)
      .form("N")
      .shows_default();
  std::string certificate;
  std::string key;
  const Option shown =
      line.option("--certificate", certificate, "certificate for HTTPS (PEM)").form("FILE");
  const Option of_key =
      line.option("--certificate-key", key, "private key of the certificate (PEM)")
          .form("FILE")
          .needs(shown);
  shown.needs(of_key);
  add_shell_options(line, options, false);
  if (const auto answer = line.read(count, arguments)) return *answer;
  options.certificate = {certificate, key};
  return options;
}

}  // namespace sail
