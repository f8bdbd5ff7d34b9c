// QR codes as text for terminals, of libqrencode.
#pragma once

#include <string>

namespace ui {

// Lines of half blocks, dark on light whatever the terminal's colours are. "": there are too few
// columns, or the text is too long.
std::string qr_code(const std::string& text, int columns);

}  // namespace ui
