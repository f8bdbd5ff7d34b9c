#include "sail/apps/web/page_address.h"

#include <fmt/core.h>

#include <algorithm>

#include "sail/core/text/text.h"

namespace sail {
namespace {

constexpr size_t kLongest = 64 << 10;
constexpr std::string_view kNothing = "about:blank";

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Returns the scheme in lower case; "" if there is none. "host:8080" has no scheme.
std::string scheme_of(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0) return "";
  const std::string_view word = text.substr(0, colon);
  const bool plausible = std::all_of(word.begin(), word.end(), [](char c) {
    return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'z') || c == '+' || c == '-' || c == '.';
  });
  if (!plausible || is_digit(word.front())) return "";
  const std::string_view rest = text.substr(colon + 1);
  return !rest.empty() && is_digit(rest.front()) ? "" : lower(word);
}

}  // namespace

Result<std::string> page_address(std::string_view text, PageReach reach) {
  const std::string_view address = trimmed(text);
  const auto bad = [&](std::string_view why) {
    return fail(ErrorCode::kInvalidParams, fmt::format("\"{}\" is not a page address: {}",
                                                       make_plain_text(address, 200), why));
  };
  if (address.empty()) return bad("the address is empty");
  if (address.size() > kLongest) return bad("the address is too long");
  if (!is_plain_text(address))
    return bad("the address must be UTF-8 text without control characters");
  const std::string scheme = scheme_of(address);
  if (scheme == "http" || scheme == "https" || address == kNothing) return std::string(address);
  if (scheme == "file") {
    if (reach == PageReach::kLocal) return std::string(address);
    return bad("file: addresses require --local");
  }
  if (!scheme.empty()) return bad("only http: and https: are supported");
  return fmt::format("https://{}", address);
}

std::string host_of_page(std::string_view address) {
  const size_t slashes = address.find("://");
  if (slashes == std::string_view::npos) return "";
  std::string_view rest = address.substr(slashes + 3);
  rest = rest.substr(0, rest.find_first_of("/?#"));
  const size_t user = rest.rfind('@');
  if (user != std::string_view::npos) rest = rest.substr(user + 1);
  return std::string(rest);
}

}  // namespace sail
