#include "sail/apps/whip/whip_options.h"

#include "sail/core/command_line/shared_options.h"

namespace sail {
namespace {

constexpr int kLongestWaitS = 86400;

const char* const kNotes = R"(What it shows:
  What OBS, or any other program that speaks WHIP (RFC 9725), sends: H.264, VP8 or VP9, and Opus as
  its sound. It prints the address and the token that belong into that program's settings. One
  sends at a time; its window opens with the first picture. What is lost on the way is waited for
  60 ms, and a key frame is asked for then.

Environment:
  VITRAIL_WHIP_TOKEN  who sends must know it (Bearer); without, there is a new one each time

From other machines:
  By TLS only, since the token goes along: --listen 0.0.0.0:7490 with a certificate that who sends
  trusts. Pictures and sound are encrypted always (DTLS) and come to UDP ports that the system
  chooses; a firewall must let them through.

How it ends:
  When who sends leaves or is not heard of any more, or the window is closed.
  exit code 0: somebody came
            1: nobody came, or sent no video that can be decoded; no manager; no port
            2: the command line is wrong

Examples:
  vitrail whip --title "Studio"
  vitrail whip --listen 0.0.0.0:7490 --certificate wall.pem --certificate-key wall.key)";

}  // namespace

std::variant<WhipOptions, CommandLineAnswer> parse_whip_options(int count,
                                                                const char* const* arguments) {
  WhipOptions options;
  CommandLine line("vitrail-whip", "Shows on a Vitrail wall what OBS or another program sends.");
  line.notes(kNotes);
  add_listen_option(line, options.listen, kUsualWhipPort, "programs that send");
  add_port_file_option(line, options.port_file);
  line.option("--wait", options.wait_s, "how long somebody has to come, seconds; 0: no limit")
      .limited(0, kLongestWaitS)
      .form("N")
      .shows_default();
  std::string certificate;
  std::string key;
  const Option shown =
      line.option("--certificate", certificate, "it is sent to by HTTPS: the certificate (PEM)")
          .form("FILE");
  const Option of_key = line.option("--certificate-key", key, "the certificate's private key (PEM)")
                            .form("FILE")
                            .needs(shown);
  shown.needs(of_key);
  add_shell_options(line, options, false);
  if (const auto answer = line.read(count, arguments)) return *answer;
  options.certificate = {certificate, key};
  return options;
}

}  // namespace sail
