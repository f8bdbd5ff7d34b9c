#include "sail/base/random_secret.h"

#include <sys/random.h>

#include <cstdlib>

namespace sail {

uint64_t random_secret() {
  uint64_t secret = 0;
  while (secret == 0) {
    // Requests of up to 256 bytes are never cut short. Without randomness no secret would be one.
    if (getrandom(&secret, sizeof secret, 0) != sizeof secret) std::abort();
  }
  return secret;
}

}  // namespace sail
