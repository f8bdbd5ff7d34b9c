// Whose a window is: the name of the key by which it was opened. A program that the manager starts
// for somebody has a key of its own, and the name of that ends with the name of theirs. So every
// manager knows, also one that was started later. Pure.
#pragma once

#include <fmt/core.h>

#include <string>
#include <string_view>

#include "sail/base/secret.h"
#include "sail/wire/limits.h"

namespace manager {

// The longest name of a key for which that can be told.
constexpr size_t kMostOpener = sail::kMaxKeyName - std::string_view("application//").size() - 16;

// opener: the name of the key of who asks for the program. kind: what its key opens.
inline std::string program_key_name(std::string_view kind, std::string_view opener) {
  std::string name = fmt::format("{}/{:016x}", kind, sail::random_secret());
  if (opener.empty() || opener.size() > kMostOpener) return name;
  return fmt::format("{}/{}", name, opener);
}

// Whether a manager started the program that has this key.
inline bool is_program_key(std::string_view key_name) {
  for (const std::string_view kind : {"application/", "admin/"}) {
    if (!key_name.starts_with(kind)) continue;
    constexpr size_t kDigits = 16;
    const std::string_view rest = key_name.substr(kind.size());
    return rest.substr(0, rest.find('/')).size() == kDigits &&
           rest.find_first_not_of("0123456789abcdef") >= kDigits;
  }
  return false;
}

// Whose the windows are of a program with this key: its own, if nobody had it started.
inline std::string opener_of(std::string_view key_name) {
  const size_t first = key_name.find('/');
  const size_t second = first == std::string_view::npos ? first : key_name.find('/', first + 1);
  return std::string(second == std::string_view::npos ? key_name : key_name.substr(second + 1));
}

}  // namespace manager
