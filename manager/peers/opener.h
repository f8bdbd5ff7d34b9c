// The opener of a window: the name of the key that opened it. A program that the manager starts for
// a person has its own key, whose name ends with the name of the person's key. So every manager,
// also one that is started later, knows the opener.
#pragma once

#include <fmt/core.h>

#include <string>
#include <string_view>

#include "sail/core/base/secret.h"
#include "sail/core/text/encodings.h"
#include "sail/core/text/limits.h"

namespace manager {

// The longest opener that fits into the key name of a program.
constexpr size_t kMostOpener = sail::kMaxKeyName - std::string_view("application//").size() - 16;

// opener: key name of the requester. kind: the right of the program's key, "application" or
// "admin".
inline std::string program_key_name(std::string_view kind, std::string_view opener) {
  std::string name = fmt::format("{}/{:016x}", kind, sail::random_secret());
  if (opener.empty() || opener.size() > kMostOpener) return name;
  return fmt::format("{}/{}", name, opener);
}

// Whether a manager made this key for a program that it started.
inline bool is_program_key(std::string_view key_name) {
  for (const std::string_view kind : {"application/", "admin/"}) {
    if (!key_name.starts_with(kind)) continue;
    constexpr size_t kDigits = 16;
    const std::string_view rest = key_name.substr(kind.size());
    return rest.substr(0, rest.find('/')).size() == kDigits &&
           sail::is_hex_text(rest.substr(0, kDigits));
  }
  return false;
}

// Returns the opener if it is a program's key that has one; else the name itself.
inline std::string opener_of(std::string_view key_name) {
  const size_t second = key_name.find('/', key_name.find('/') + 1);
  if (!is_program_key(key_name) || second == std::string_view::npos) return std::string(key_name);
  return std::string(key_name.substr(second + 1));
}

}  // namespace manager
