// The text of the label on a window, with its placeholders. Pure.
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace sail {

// The manager replaces them: title and source of the window, the time of day, and whether the
// window plays.
constexpr std::array<std::string_view, 4> kLabelPlaceholders{"{title}", "{source}", "{clock}",
                                                             "{state}"};

// Returns what is wrong with the text of a label, such as an unknown placeholder; empty: nothing.
std::string label_mistake(std::string_view text);

}  // namespace sail
