// Thumbnails of carried streams, whose applications have no pictures: the manager asks one of the
// receivers that decode the stream. While no thumbnails are requested, a frame costs one atomic
// read.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "receiver/frame/decoded_blocks.h"
#include "sail/core/wire/data/thumbnail.h"

namespace receiver {

// Callable from any thread.
class CarriedThumbnails {
 public:
  // Replaces the request for the stream; the first thumbnail is due at once. At most
  // sail::kMaxWindows streams; further requests are ignored.
  void request(const sail::ThumbnailRequest& request);
  // The stream has ended.
  void forget(uint32_t stream);
  // The manager that asked is gone.
  void forget_all();
  // Returns true if a thumbnail is due; the caller must then make it. Otherwise remembers that the
  // stream is owed one.
  bool take_due(uint32_t stream, int64_t steady_ns);
  // Whether a picture has come too early for a thumbnail. If no other picture follows, such as when
  // a film was paused, the thumbnail must be made without a further picture.
  bool owes(uint32_t stream);
  // Makes a thumbnail of the picture that was decoded last. Empty if there is none, or if it equals
  // the thumbnail before. Nothing may be decoded into `blocks` meanwhile.
  std::optional<sail::Thumbnail> make(uint32_t stream, const DecodedBlocks& blocks);

 private:
  struct Wish {
    int width = 0;
    int64_t pause_ns = 0;
    int64_t due_ns = 0;  // steady
    bool owed = false;
    std::vector<uint8_t> last;
  };
  std::atomic<bool> any_ = false;
  std::mutex mutex_;
  std::map<uint32_t, Wish> wishes_;  // by stream
};

}  // namespace receiver
