// QR codes of texts (ISO/IEC 18004), by libqrencode. Any thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sail/core/base/result.h"

namespace sail {

// Longer texts give modules that phones cannot read from a distance.
constexpr size_t kMaxQrText = 300;  // bytes
// Light modules that must surround a code (the quiet zone).
constexpr int kQrMargin = 4;

// A square of dark and light modules, without the quiet zone.
struct QrCode {
  int width = 0;              // modules
  std::vector<bool> modules;  // by row; true: dark

  // Modules outside of the code are light.
  bool dark(int x, int y) const;
};

// kInvalidParams: the text is empty, too long, or contains a zero byte.
Result<QrCode> qr_code(const std::string& text);

}  // namespace sail
