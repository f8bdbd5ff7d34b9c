// Makes a stream's thumbnails. While none is due, the cost per frame is one atomic read.
//
// The mutex is for still pictures, whose thumbnails the loop thread makes between submissions.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "codecs/base/image.h"
#include "sail/client/encode/encoded_frame.h"
#include "sail/core/base/geometry.h"
#include "sail/core/wire/data/codec_name.h"
#include "sail/core/wire/data/thumbnail.h"

namespace sail {

class ThumbnailMaker {
 public:
  ThumbnailMaker(Size frame_size, const StreamCodec& codec)
      : frame_size_(frame_size), codec_(codec) {}

  // Replaces the previous request; the first thumbnail is due at once. Callable from any thread.
  void request(const ThumbnailRequest& request);
  // Returns true if a thumbnail is due; the caller must then make it. Callable from any thread.
  bool take_due(int64_t steady_ns);

  // Makes a thumbnail of frame `number`; the stream number is not set. Empty if it equals the
  // previous one or cannot be made. The image has the stream's size. Callable from any thread.
  std::optional<Thumbnail> make(const codecs::ImageView& image, uint64_t number);
  // The frame must have all its rows.
  std::optional<Thumbnail> make(const EncodedFrame& frame);
  // Number of the frame of the last thumbnail; 0: none since the request. Callable from any thread.
  uint64_t made_of() const { return made_of_.load(std::memory_order_relaxed); }

 private:
  Size size() const;
  std::optional<Thumbnail> finish(std::span<const uint8_t> rgb, Size size, uint64_t number);

  const Size frame_size_;
  const StreamCodec codec_;
  std::atomic<int64_t> due_ns_{INT64_MAX};    // steady
  std::atomic<int64_t> pause_ns_{INT64_MAX};  // between two thumbnails; INT64_MAX: none wanted
  std::atomic<int> width_{0};
  std::atomic<uint64_t> made_of_{0};
  // Protects the following members. Held while a thumbnail is made.
  std::mutex mutex_;
  std::vector<uint8_t> rgb_;
  std::vector<uint8_t> last_;
};

}  // namespace sail
