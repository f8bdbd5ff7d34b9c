#include <fmt/core.h>
#include <unistd.h>

#include <optional>
#include <utility>

#include "sail/apps/guest/guest_server.h"
#include "sail/apps/guest/guest_show.h"
#include "sail/core/base/environment.h"
#include "sail/core/socket/listening_socket.h"

namespace sail {
namespace {

constexpr int kLongestWaitS = 3600;

const char* const kNotes = R"(Content:
  The screen, window, tab or camera that a user shares from the wall's page. The page sends it as
  H.264, VP8 or VP9 over a WebSocket; see PROTOCOL.md, "Guests".
  The manager starts this program for each share (its verb `invite`). Standard input is the
  listening socket for the page. The page must first send the secret in VITRAIL_GUEST_SECRET, within
  --wait seconds; the secret is valid once.

When the program ends:
  When the page stops sharing or is closed, or the window is closed.
  exit code 0: the page connected
            1: no page, no video that can be decoded, no manager, or no socket
            2: the command line is wrong

Examples:
  vitrail-guest --title "Ann's screen" --manager wall:7440)";

}  // namespace

std::variant<GuestOptions, CommandLineAnswer> parse_guest_options(int count,
                                                                  const char* const* arguments) {
  GuestOptions options;
  CommandLine line(
      "vitrail-guest",
      "Show a screen, window or camera on the wall that somebody shares from the wall's page.");
  line.notes(kNotes);
  line.option("--wait", options.wait_s, "timeout for the page to connect, in seconds")
      .limited(1, kLongestWaitS)
      .form("N")
      .shows_default();
  std::string certificate;
  std::string key;
  const Option shown = line.option("--page-certificate", certificate,
                                   "certificate for HTTPS, the same as the manager's (PEM)")
                           .form("FILE");
  const Option of_key = line.option("--page-key", key, "private key of the certificate (PEM)")
                            .form("FILE")
                            .needs(shown);
  shown.needs(of_key);
  options.codec = kCodecForTexts;
  add_shell_options(line, options, false);
  if (const auto answer = line.read(count, arguments)) return *answer;
  options.page = {certificate, key};
  return options;
}

}  // namespace sail

namespace {

sail::Result<std::unique_ptr<sail::GuestLink>> open_page(const sail::GuestOptions& options) {
  constexpr int64_t kMillisecondsPerSecond = 1000;
  const std::string secret = sail::environment(sail::kGuestSecretVariable);
  if (secret.empty() || !sail::listening_address(STDIN_FILENO)) {
    return sail::fail(sail::ErrorCode::kUnavailable,
                      fmt::format("this program is started by the manager, with a socket and ${}: "
                                  "to share, use the wall's page",
                                  sail::kGuestSecretVariable));
  }
  std::optional<sail::WebCertificate> certificate;
  if (!options.page.certificate.empty()) {
    auto loaded = sail::WebCertificate::load(options.page);
    if (!loaded) return loaded.error();
    certificate = std::move(*loaded);
  }
  auto server =
      sail::GuestServer::start({.listening = STDIN_FILENO,
                                .secret = secret,
                                .wait_timeout_ms = options.wait_s * kMillisecondsPerSecond,
                                .certificate = std::move(certificate)});
  if (!server) return server.error();
  return std::unique_ptr<sail::GuestLink>(std::move(*server));
}

}  // namespace

int vitrail_guest_main(int argc, char** argv) {
  return sail::run_parsed(sail::parse_guest_options(argc, argv), [](const auto& options) {
    return sail::GuestShow("vitrail-guest", options, [&options] { return open_page(options); })
        .run();
  });
}
