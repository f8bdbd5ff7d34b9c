// A stream's thumbnails: whether one is due, and how it is made. On the path of frames it costs one
// look at a number while none is due.
//
// The mutex is for still pictures, which the loop thread makes while no frame is submitted.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "codecs/image.h"
#include "sail/base/geometry.h"
#include "sail/client/encoded_frame.h"
#include "sail/wire/codec_name.h"
#include "sail/wire/thumbnail.h"

namespace sail {

class ThumbnailMaker {
 public:
  ThumbnailMaker(Size frame_size, const StreamCodec& codec)
      : frame_size_(frame_size), codec_(codec) {}

  // Any thread. Instead of the request before; the first one is due at once.
  void request(const ThumbnailRequest& request);
  // Any thread. True: one is due by now, and the caller is to make it.
  bool take_due(int64_t steady_ns);

  // Any thread. Frame `number` as a thumbnail, without its stream; nothing when it looks as the one
  // before, or cannot be made. The image has the stream's size.
  std::optional<Thumbnail> make(const codecs::ImageView& image, uint64_t number);
  // From a frame with all its rows.
  std::optional<Thumbnail> make(const EncodedFrame& frame);
  // Any thread. The frame that the last one was made of, 0: none since the request.
  uint64_t made_of() const { return made_of_.load(std::memory_order_relaxed); }

 private:
  Size size() const;
  std::optional<Thumbnail> finish(std::span<const uint8_t> rgb, Size size, uint64_t number);

  const Size frame_size_;
  const StreamCodec codec_;
  std::atomic<int64_t> due_ns_{INT64_MAX};    // steady
  std::atomic<int64_t> pause_ns_{INT64_MAX};  // between two; INT64_MAX: none are wanted
  std::atomic<int> width_{0};
  std::atomic<uint64_t> made_of_{0};
  std::mutex mutex_;  // of what follows; held while one is made
  std::vector<uint8_t> rgb_;
  std::vector<uint8_t> last_;
};

}  // namespace sail
