// QR codes as text for terminals, made by libqrencode.
#pragma once

#include <string>

namespace ui {

// Returns lines of half blocks, dark on light with any terminal colours. Empty: too few columns, or
// the text is too long.
std::string qr_code(const std::string& text, int columns);

}  // namespace ui
