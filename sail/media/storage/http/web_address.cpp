#include "sail/media/storage/http/web_address.h"

#include <fmt/format.h>

namespace sail {

std::string as_web_address(std::string_view url) {
  constexpr std::string_view kNever = "\"<>\\^`{|}";
  constexpr std::string_view kBehindScheme = "://";
  const size_t scheme_end = url.find(kBehindScheme);
  const size_t host = scheme_end == std::string_view::npos ? 0 : scheme_end + kBehindScheme.size();
  const size_t path = url.find_first_of("/?#", host);
  if (path == std::string_view::npos) return std::string(url);
  std::string address(url.substr(0, path));
  for (const char letter : url.substr(path)) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool plain = byte > ' ' && byte < 0x7f && kNever.find(letter) == std::string_view::npos;
    address += plain ? std::string(1, letter) : fmt::format("%{:02X}", byte);
  }
  return address;
}

}  // namespace sail
