#include "sail/base/token.h"

#include <fmt/core.h>
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

bool same_token(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  }
  return difference == 0;
}

std::string marked_token(std::string_view token) {
  return fmt::format("{}/{:016x}{:016x}", token, random_secret(), random_secret());
}

bool is_token_or_marked(std::string_view given, std::string_view token) {
  if (same_token(given, token)) return true;
  return given.size() == token.size() + kTokenMarkBytes && given[token.size()] == '/' &&
         same_token(given.substr(0, token.size()), token);
}

std::string mark_of(std::string_view given, std::string_view token) {
  if (given.size() != token.size() + kTokenMarkBytes) return "";
  return std::string(given.substr(token.size() + 1));
}

}  // namespace sail
