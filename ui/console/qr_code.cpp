#include "ui/console/qr_code.h"

#include <qrencode.h>

#include <memory>

namespace ui {

std::string qr_code(const std::string& text, int columns) {
  constexpr int kMargin = 2;  // quiet zone, in modules
  constexpr int kEightBits = 1;
  const std::unique_ptr<QRcode, decltype(&QRcode_free)> code(
      QRcode_encodeString(text.c_str(), 0, QR_ECLEVEL_L, QR_MODE_8, kEightBits), &QRcode_free);
  if (!code || code->width + 2 * kMargin > columns) return {};
  const int width = code->width;
  const auto dark = [&](int x, int y) {
    return x >= 0 && y >= 0 && x < width && y < width && (code->data[y * width + x] & 1) != 0;
  };
  std::string lines;
  for (int y = -kMargin; y < width + kMargin; y += 2) {
    lines += "\x1b[38;5;16;48;5;231m";
    for (int x = -kMargin; x < width + kMargin; ++x) {
      const bool above = dark(x, y);
      const bool below = dark(x, y + 1);
      lines += above && below ? "█" : above ? "▀" : below ? "▄" : " ";
    }
    lines += "\x1b[0m\n";
  }
  return lines;
}

}  // namespace ui
