#include "sail/wire/marked_token.h"

#include <fmt/core.h>

#include "sail/base/random_secret.h"

namespace sail {

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
