#include <fmt/core.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <variant>

#include "sail/apps/guest/guest_show.h"
#include "sail/apps/program/program_shell.h"
#include "sail/apps/whip/whip_server.h"
#include "sail/core/address/address.h"
#include "sail/core/base/environment.h"
#include "sail/core/base/secret.h"
#include "sail/core/command_line/shared_options.h"
#include "sail/core/http/web_certificate.h"
#include "sail/core/webrtc/offer_door.h"

namespace sail {
namespace {

// The token is an environment variable, because every user of the machine can read command lines.
// If it is not set, a new token is created at each start.
constexpr const char* kWhipTokenVariable = "VITRAIL_WHIP_TOKEN";

constexpr uint16_t kUsualWhipPort = 7490;

struct WhipOptions : ShellOptions {
  std::string listen;
  std::string port_file;
  int wait_s = 0;                // 0: no limit
  CertificateFiles certificate;  // for TLS; empty: no TLS
};

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
  add_certificate_options(line, certificate, key);
  add_shell_options(line, options, false);
  if (const auto answer = line.read(count, arguments)) return *answer;
  options.certificate = {certificate, key};
  return options;
}

}  // namespace
}  // namespace sail

namespace {

constexpr int64_t kMillisecondsPerSecond = 1000;

sail::Result<std::unique_ptr<sail::GuestLink>> listen(const sail::WhipOptions& options) {
  const auto at = sail::parse_address(options.listen, {"127.0.0.1", sail::kUsualWhipPort});
  if (!at) return at.error();
  const auto certificate = sail::certificate_for(*at, options.certificate);
  if (!certificate) return certificate.error();
  std::string token = sail::environment(sail::kWhipTokenVariable);
  if (token.empty()) token = sail::random_word();
  auto server = sail::WhipServer::start({.listen = *at,
                                         .token = token,
                                         .wait_timeout_ms = options.wait_s * kMillisecondsPerSecond,
                                         .certificate = *certificate});
  if (!server) return server.error();
  const sail::Address listens = (*server)->address();
  if (auto told = sail::write_port_file(options.port_file, listens.port); !told) {
    return told.error();
  }
  for (const std::string& own : sail::own_addresses(listens.host)) {
    fmt::print("address: {}://{}{}\n", *certificate ? "https" : "http",
               sail::address_text({own, listens.port}), sail::kWhipPath);
  }
  fmt::print("token:   {}\n", token);
  std::fflush(stdout);
  return std::unique_ptr<sail::GuestLink>(std::move(*server));
}

}  // namespace

int vitrail_whip_main(int argc, char** argv) {
  return sail::run_parsed(sail::parse_whip_options(argc, argv), [](const auto& options) {
    return sail::GuestShow("vitrail-whip", options, [&options] { return listen(options); }).run();
  });
}
