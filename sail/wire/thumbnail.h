// Small pictures of what a window shows, for the screens of people who arrange the wall. They ride
// on the control plane: few, small, and never waited for. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sail/base/geometry.h"
#include "sail/base/result.h"
#include "sail/wire/json.h"

namespace sail {

// "thumbnails", notification to applications: how large and how often somebody wants the stream's.
struct ThumbnailRequest {
  uint32_t stream = 0;
  int width = 0;          // pixels; a picture that is higher than wide is that high instead
  double per_second = 0;  // at most; 0: none are wanted any more

  bool operator==(const ThumbnailRequest&) const = default;
};
Json to_json(const ThumbnailRequest& request);
Result<ThumbnailRequest> thumbnail_request_from_json(const Json& params);

// "thumbnail", notification by applications.
struct Thumbnail {
  uint32_t stream = 0;
  Size size;  // pixels, in the picture's aspect
  // A baseline JPEG as base64: nobody on the way looks into it, beyond that it is one by its first
  // bytes, of at most kMaxThumbnailBytes.
  std::string jpeg;
};
Json to_json(const Thumbnail& thumbnail);
Result<Thumbnail> thumbnail_from_json(const Json& params);

}  // namespace sail
