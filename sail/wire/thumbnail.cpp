#include "sail/wire/thumbnail.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "sail/wire/base64.h"
#include "sail/wire/control_fields.h"
#include "sail/wire/limits.h"

namespace sail {
namespace {

using namespace control_fields;

constexpr uint8_t kJpegMagic[] = {0xff, 0xd8, 0xff};  // start of image, then any marker

void check_jpeg(JsonFields& fields, const std::string& text) {
  const auto bytes = base64_bytes(text);
  if (!bytes) {
    fields.mistake("jpeg", "must be base64 with padding");
  } else if (bytes->size() > kMaxThumbnailBytes) {
    fields.mistake("jpeg", fmt::format("must hold at most {} bytes", kMaxThumbnailBytes));
  } else if (bytes->size() < std::size(kJpegMagic) ||
             !std::equal(std::begin(kJpegMagic), std::end(kJpegMagic), bytes->begin())) {
    fields.mistake("jpeg", "must be a JPEG");
  }
}

}  // namespace

Json to_json(const ThumbnailRequest& request) {
  return {{"stream", request.stream}, {"width", request.width}, {"per_second", request.per_second}};
}

Result<ThumbnailRequest> thumbnail_request_from_json(const Json& params) {
  JsonFields fields(params, "thumbnails");
  ThumbnailRequest request;
  request.stream = stream_number(fields, "stream");
  request.width = static_cast<int>(fields.integer("width", kMinThumbnailSide, kMaxThumbnailSide));
  request.per_second = fields.number("per_second", 0, kMaxThumbnailsPerSecond);
  return checked(fields, request);
}

Json to_json(const Thumbnail& thumbnail) {
  return {
      {"stream", thumbnail.stream}, {"size", size_json(thumbnail.size)}, {"jpeg", thumbnail.jpeg}};
}

Result<Thumbnail> thumbnail_from_json(const Json& params) {
  JsonFields fields(params, "thumbnail");
  Thumbnail thumbnail;
  thumbnail.stream = stream_number(fields, "stream");
  thumbnail.size = size(fields, "size", kMaxThumbnailSide);
  thumbnail.jpeg = fields.string("jpeg", base64_length(kMaxThumbnailBytes));
  check_jpeg(fields, thumbnail.jpeg);
  return checked(fields, std::move(thumbnail));
}

}  // namespace sail
