#include "sail/core/base/secret.h"

#include <fmt/core.h>
#include <sys/random.h>

#include <cstdlib>

namespace sail {

uint64_t random_secret() {
  uint64_t secret = 0;
  while (secret == 0) {
    // Requests of up to 256 bytes are never cut short. Without randomness there is no secret.
    if (getrandom(&secret, sizeof secret, 0) != sizeof secret) std::abort();
  }
  return secret;
}

std::string random_word() {
  return fmt::format("{:016x}{:016x}", random_secret(), random_secret());
}

bool same_text(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  }
  return difference == 0;
}

}  // namespace sail
