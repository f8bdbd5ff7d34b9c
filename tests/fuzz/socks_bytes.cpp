// Bytes from any program on this machine to the proxy of web pages: a request is complete and names
// a host, or is refused.
#include "sail/apps/web/socks_request.h"

#include "tests/fuzz/fuzz.h"

FUZZ_TARGET(socks_bytes) {
  const std::span<const uint8_t> bytes(data, size);
  const auto greeting = sail::read_socks_greeting(bytes);
  if (!greeting) fuzz::require(!greeting.error().message.empty(), "a refusal says why");
  if (greeting && *greeting) fuzz::require(**greeting <= size, "a greeting is what has come");
  const auto request = sail::read_socks_request(bytes);
  if (!request || !*request) {
    fuzz::require(!request || size < sail::kMostSocksBytes, "what is whole is answered");
    return 0;
  }
  fuzz::require((*request)->bytes <= size, "a request is what has come");
  fuzz::require((*request)->bytes <= sail::kMostSocksBytes, "a request is short");
  fuzz::require(!(*request)->host.empty(), "a request names a host");
  return 0;
}
