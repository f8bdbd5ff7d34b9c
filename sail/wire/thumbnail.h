// Small pictures of what a window shows, for the screens of people who arrange the wall. They ride
// on the control plane: few, small, and never waited for. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sail/base/geometry.h"
#include "sail/wire/json_fields.h"

namespace sail {

// "thumbnails", notification to applications: how large and how often somebody wants the stream's.
struct ThumbnailRequest {
  static constexpr const char* kMethod = "thumbnails";

  uint32_t stream = 0;
  int width = 0;          // pixels; a picture that is higher than wide is that high instead
  double per_second = 0;  // at most; 0: none are wanted any more

  bool operator==(const ThumbnailRequest&) const = default;
};
void fields(auto& visit, Of<ThumbnailRequest> auto& request) {
  visit("stream", kStreamNumber, request.stream);
  visit("width", Whole{kMinThumbnailSide, kMaxThumbnailSide}, request.width);
  visit("per_second", Real{0, kMaxThumbnailsPerSecond}, request.per_second);
}

// "thumbnail", notification by applications.
struct Thumbnail {
  static constexpr const char* kMethod = "thumbnail";

  uint32_t stream = 0;
  Size size;  // pixels, in the picture's aspect
  // A baseline JPEG as base64: nobody on the way looks into it, beyond that it is one by its first
  // bytes, of at most kMaxThumbnailBytes.
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
