// URLs as HTTP has them. Pure.
#pragma once

#include <string>
#include <string_view>

namespace sail {

// What may not stand in a URL's path and query as it is (blanks, letters beyond ASCII) as %XX; the
// rest stays.
std::string as_web_address(std::string_view url);

}  // namespace sail
