#include "sail/media/storage/http/web_address.h"

#include "sail/core/text/encodings.h"

namespace sail {
namespace {

bool may_stand(char letter) {
  return letter > ' ' && letter < 0x7f &&
         std::string_view("\"<>\\^`{|}").find(letter) == std::string_view::npos;
}

}  // namespace

std::string as_web_address(std::string_view url) {
  constexpr std::string_view kBehindScheme = "://";
  const size_t scheme_end = url.find(kBehindScheme);
  const size_t host = scheme_end == std::string_view::npos ? 0 : scheme_end + kBehindScheme.size();
  const size_t path = url.find_first_of("/?#", host);
  if (path == std::string_view::npos) return std::string(url);
  return std::string(url.substr(0, path)).append(percent_encoded(url.substr(path), may_stand));
}

}  // namespace sail
