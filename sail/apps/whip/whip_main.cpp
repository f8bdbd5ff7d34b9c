#include <fmt/core.h>

#include <cstdio>
#include <optional>
#include <utility>

#include "sail/apps/guest/guest_show.h"
#include "sail/apps/whip/whip_options.h"
#include "sail/apps/whip/whip_server.h"
#include "sail/core/address/address.h"
#include "sail/core/base/environment.h"
#include "sail/core/base/secret.h"

namespace {

constexpr int64_t kMillisecondsPerSecond = 1000;

sail::Result<std::unique_ptr<sail::GuestLink>> listen(const sail::WhipOptions& options) {
  const auto at = sail::parse_address(options.listen, {"127.0.0.1", sail::kUsualWhipPort});
  if (!at) return at.error();
  std::optional<sail::WebCertificate> certificate;
  if (!options.certificate.certificate.empty()) {
    auto loaded = sail::WebCertificate::load(options.certificate);
    if (!loaded) return loaded.error();
    certificate = std::move(*loaded);
  }
  if (!certificate && !sail::is_loopback(at->host)) {
    return sail::fail(
        sail::ErrorCode::kUnauthorized,
        "the token would be sent unencrypted: use --certificate, or listen on this machine only");
  }
  std::string token = sail::environment(sail::kWhipTokenVariable);
  if (token.empty()) token = sail::random_word();
  auto server = sail::WhipServer::start({.listen = *at,
                                         .token = token,
                                         .wait_timeout_ms = options.wait_s * kMillisecondsPerSecond,
                                         .certificate = certificate});
  if (!server) return server.error();
  const sail::Address listens = (*server)->address();
  if (auto told = sail::write_port_file(options.port_file, listens.port); !told) {
    return told.error();
  }
  for (const std::string& own : sail::own_addresses(listens.host)) {
    fmt::print("address: {}://{}{}\n", certificate ? "https" : "http",
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
