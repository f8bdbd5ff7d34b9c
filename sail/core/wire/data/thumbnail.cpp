#include "sail/core/wire/data/thumbnail.h"

#include <fmt/core.h>

#include <algorithm>

#include "sail/core/text/encodings.h"
#include "sail/core/text/limits.h"

namespace sail {
namespace {

constexpr uint8_t kJpegMagic[] = {0xff, 0xd8, 0xff};  // start of image, then any marker

}  // namespace

Size thumbnail_size(Size frame, int width) {
  const int longest = std::max(frame.width, frame.height);
  const int64_t side = std::min(width, longest);
  const auto scaled = [&](int of) { return std::max(static_cast<int>(of * side / longest), 1); };
  return {scaled(frame.width), scaled(frame.height)};
}

void Jpeg::read(JsonFields& in, const char* name, std::string& base64) {
  base64 = in.string(name, base64_length(kMaxThumbnailBytes));
  const auto bytes = base64_bytes(base64);
  if (!bytes) {
    in.mistake(name, "must be base64 with padding");
  } else if (bytes->size() > kMaxThumbnailBytes) {
    in.mistake(name, fmt::format("must have at most {} bytes", kMaxThumbnailBytes));
  } else if (bytes->size() < std::size(kJpegMagic) ||
             !std::equal(std::begin(kJpegMagic), std::end(kJpegMagic), bytes->begin())) {
    in.mistake(name, "must be a JPEG");
  }
}

}  // namespace sail
