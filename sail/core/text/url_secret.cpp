#include "sail/core/text/url_secret.h"

#include <algorithm>
#include <cstddef>

#include "sail/core/text/text.h"

namespace sail {
namespace {

constexpr std::string_view kHidden = "…";
constexpr std::string_view kBehindUrl = " \t\r\n\"'<>";

bool names_secret(std::string_view parameter) {
  constexpr std::string_view kNames[] = {"pass", "pwd", "token", "secret", "key", "signature"};
  const std::string name = lower(parameter);
  return name == "sig" || std::ranges::any_of(kNames, [&](std::string_view part) {
           return name.find(part) != std::string::npos;
         });
}

// user:password@host:port
std::string shown_authority(std::string_view authority) {
  const size_t at = authority.rfind('@');
  const size_t colon = authority.find(':');
  std::string shown(authority);
  if (at != std::string_view::npos && colon < at) {
    shown.replace(colon + 1, at - colon - 1, kHidden);
  }
  return shown;
}

// Path and parameters, after the authority: ?name=value&name=value.
std::string shown_rest(std::string_view rest) {
  std::string shown;
  while (!rest.empty()) {
    const size_t end = rest.find_first_of("?&;", 1);
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(part.size());
    const size_t equals = part.find('=');
    const bool parameter = part.front() != '/' && equals != std::string_view::npos;
    if (parameter && names_secret(part.substr(1, equals - 1))) {
      shown.append(part.substr(0, equals + 1)).append(kHidden);
    } else {
      shown += part;
    }
  }
  return shown;
}

}  // namespace

std::string without_passwords(std::string_view text) {
  constexpr std::string_view kBehindScheme = "://";
  std::string shown;
  for (;;) {
    const size_t scheme_end = text.find(kBehindScheme);
    if (scheme_end == std::string_view::npos) return shown.append(text);
    const size_t begin = scheme_end + kBehindScheme.size();
    const std::string_view url = text.substr(begin, text.find_first_of(kBehindUrl, begin) - begin);
    const size_t authority = std::min(url.find_first_of("/?#"), url.size());
    shown.append(text.substr(0, begin));
    shown += shown_authority(url.substr(0, authority));
    const bool capability = text.substr(0, scheme_end).ends_with("ibp") && authority < url.size();
    shown += capability ? "/…" : shown_rest(url.substr(authority));
    text.remove_prefix(begin + url.size());
  }
}

}  // namespace sail
