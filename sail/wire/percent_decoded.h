// What "%20" and the like stand for in URLs. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sail {

// Nothing: a '%' without two hexadecimal digits behind it.
std::optional<std::string> percent_decoded(std::string_view text);

}  // namespace sail
