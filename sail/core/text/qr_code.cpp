#include "sail/core/text/qr_code.h"

#include <fmt/core.h>
#include <qrencode.h>

#include <memory>

namespace sail {

bool QrCode::dark(int x, int y) const {
  return x >= 0 && y >= 0 && x < width && y < width &&
         modules[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)];
}

Result<QrCode> qr_code(const std::string& text) {
  constexpr int kEightBits = 1;
  if (text.empty() || text.size() > kMaxQrText || text.find('\0') != std::string::npos) {
    return fail(ErrorCode::kInvalidParams,
                fmt::format("a QR code needs a text of 1 to {} bytes: qr:TEXT", kMaxQrText));
  }
  const std::unique_ptr<QRcode, decltype(&QRcode_free)> made(
      QRcode_encodeString(text.c_str(), 0, QR_ECLEVEL_L, QR_MODE_8, kEightBits), &QRcode_free);
  if (!made) return fail(ErrorCode::kInternal, "cannot make a QR code of this text");
  QrCode code{.width = made->width, .modules = {}};
  const int count = code.width * code.width;
  code.modules.reserve(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) code.modules.push_back((made->data[i] & 1) != 0);
  return code;
}

}  // namespace sail
