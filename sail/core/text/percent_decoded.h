// Decodes percent-encoding in URLs. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sail {

// Empty if a '%' is not followed by two hexadecimal digits.
std::optional<std::string> percent_decoded(std::string_view text);

}  // namespace sail
