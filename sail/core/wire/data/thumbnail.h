// Small pictures of window contents, for clients that arrange the wall. They use the control plane,
// because they are few and small, and nothing waits for them. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/text/json_fields.h"

namespace sail {

// "thumbnails": notification to applications or, for carried streams, to a receiver that decodes
// them. Requests size and rate of a stream's thumbnails.
struct ThumbnailRequest {
  static constexpr const char* kMethod = "thumbnails";

  uint32_t stream = 0;
  int width = 0;          // pixels of the longer side
  double per_second = 0;  // maximum rate; 0: stop sending

  bool operator==(const ThumbnailRequest&) const = default;
};
void fields(auto& visit, Of<ThumbnailRequest> auto& request) {
  visit("stream", kStreamNumber, request.stream);
  visit("width", Whole{kMinThumbnailSide, kMaxThumbnailSide}, request.width);
  visit("per_second", Real{0, kMaxThumbnailsPerSecond}, request.per_second);
}

// Returns the size of a frame's thumbnail whose longer side has this many pixels. No side is larger
// than the frame's.
Size thumbnail_size(Size frame, int width);

// "thumbnail": notification by applications and receivers.
struct Thumbnail {
  static constexpr const char* kMethod = "thumbnail";

  uint32_t stream = 0;
  Size size;  // pixels, with the picture's aspect ratio
  // A baseline JPEG of at most kMaxThumbnailBytes as Base64. Only size and first bytes are checked.
  std::string jpeg;
};
struct Jpeg {
  static void read(JsonFields& in, const char* name, std::string& base64);
};
void fields(auto& visit, Of<Thumbnail> auto& thumbnail) {
  visit("stream", kStreamNumber, thumbnail.stream);
  visit("size", Sides{kMaxThumbnailSide}, thumbnail.size);
  visit("jpeg", Jpeg(), thumbnail.jpeg);
}

}  // namespace sail
