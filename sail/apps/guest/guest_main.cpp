#include <fmt/core.h>
#include <unistd.h>

#include <optional>
#include <utility>

#include "sail/apps/guest/guest_options.h"
#include "sail/apps/guest/guest_server.h"
#include "sail/apps/guest/guest_show.h"
#include "sail/core/base/environment.h"
#include "sail/core/socket/listening_socket.h"

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
