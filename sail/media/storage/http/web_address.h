// URLs as HTTP requires them. Pure.
#pragma once

#include <string>
#include <string_view>

namespace sail {

// Percent-encodes characters that a URL's path and query may not contain (blanks, non-ASCII);
// leaves the rest as it is.
std::string as_web_address(std::string_view url);

}  // namespace sail
