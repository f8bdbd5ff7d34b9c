#include "receiver/decode/carried_thumbnails.h"

#include "codecs/picture/jpeg.h"
#include "codecs/picture/sampled_picture.h"
#include "sail/core/text/encodings.h"
#include "sail/core/text/limits.h"

namespace receiver {

void CarriedThumbnails::request(const sail::ThumbnailRequest& request) {
  if (request.per_second <= 0) return forget(request.stream);
  const std::lock_guard lock(mutex_);
  if (wishes_.size() >= size_t{sail::kMaxWindows} && !wishes_.contains(request.stream)) return;
  wishes_[request.stream] = {.width = request.width,
                             .pause_ns = static_cast<int64_t>(1e9 / request.per_second),
                             .due_ns = 0,
                             .owed = false,
                             .last = {}};
  any_ = true;
}

void CarriedThumbnails::forget(uint32_t stream) {
  const std::lock_guard lock(mutex_);
  wishes_.erase(stream);
  any_ = !wishes_.empty();
}

void CarriedThumbnails::forget_all() {
  const std::lock_guard lock(mutex_);
  wishes_.clear();
  any_ = false;
}

bool CarriedThumbnails::take_due(uint32_t stream, int64_t steady_ns) {
  if (!any_.load(std::memory_order_relaxed)) return false;
  const std::lock_guard lock(mutex_);
  const auto wish = wishes_.find(stream);
  if (wish == wishes_.end()) return false;
  wish->second.owed = steady_ns < wish->second.due_ns;
  if (wish->second.owed) return false;
  wish->second.due_ns = steady_ns + wish->second.pause_ns;
  return true;
}

bool CarriedThumbnails::owes(uint32_t stream) {
  const std::lock_guard lock(mutex_);
  const auto wish = wishes_.find(stream);
  return wish != wishes_.end() && wish->second.owed;
}

std::optional<sail::Thumbnail> CarriedThumbnails::make(uint32_t stream,
                                                       const DecodedBlocks& blocks) {
  const auto picture = blocks.carried_picture();
  int width = 0;
  {
    const std::lock_guard lock(mutex_);
    const auto wish = wishes_.find(stream);
    if (wish == wishes_.end() || !picture) return std::nullopt;
    width = wish->second.width;
  }
  const sail::Size size = sail::thumbnail_size({picture->width, picture->height}, width);
  std::vector<uint8_t> rgb(size_t{3} * static_cast<size_t>(size.width) *
                           static_cast<size_t>(size.height));
  codecs::sample_to_rgb(*picture, size.width, size.height, rgb);
  auto jpeg = codecs::encode_jpeg_within(rgb, size.width, size.height, sail::kMaxThumbnailBytes);
  const std::lock_guard lock(mutex_);
  const auto wish = wishes_.find(stream);
  if (wish == wishes_.end() || jpeg.empty() || jpeg == wish->second.last) return std::nullopt;
  wish->second.last = std::move(jpeg);
  return sail::Thumbnail{
      .stream = stream, .size = size, .jpeg = sail::base64_text(wish->second.last)};
}

}  // namespace receiver
