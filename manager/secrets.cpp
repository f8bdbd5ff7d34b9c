#include "manager/secrets.h"

#include <sys/random.h>

#include <cstdlib>

#include "sail/wire/json.h"

namespace manager {

uint64_t random_secret() {
  uint64_t secret = 0;
  while (secret == 0) {
    // Requests of up to 256 bytes are never cut short. Without randomness no secret would be one.
    if (getrandom(&secret, sizeof secret, 0) != sizeof secret) std::abort();
  }
  return secret;
}

std::string random_token() {
  std::string token;
  for (int i = 0; i < 2; ++i) {
    std::string digits = sail::hex64_text(random_secret());
    digits.insert(0, 16 - digits.size(), '0');
    token += digits;
  }
  return token;
}

bool same_token(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  }
  return difference == 0;
}

}  // namespace manager
