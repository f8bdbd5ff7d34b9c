// Decodes frames of codecs that need it as soon as they are complete, before the swap barrier.
// Painting then only copies pixels (or converts YUV), which takes constant time. Decodes one frame
// at a time, so that its blocks use all workers and the caller can still choose which frame to
// decode next.
//
// Used on the loop thread. Its own thread and workers start with the first frame.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <thread>

#include "receiver/decode/block_decoder.h"
#include "receiver/decode/carried_thumbnails.h"
#include "sail/core/base/frame_trace.h"
#include "sail/core/base/mailbox.h"
#include "sail/core/loop/loop.h"

namespace receiver {

class DecodeThread {
 public:
  using Done = std::function<void(std::unique_ptr<Frame>, const BlockDecoder::Counts&)>;
  // Makes thumbnails of the decoded frames of carried streams.
  struct Thumbnails {
    CarriedThumbnails& maker;  // must outlive this object
    std::function<void(const sail::Thumbnail&)> made;
  };
  // `workers`: additional threads. `trace` may be null. `done` and `thumbnails.made` are called on
  // the loop thread.
  DecodeThread(sail::Loop& loop, int workers, sail::FrameTrace* trace, Done done,
               Thumbnails thumbnails);
  // Waits for the frame that is being decoded; `done` is not called for it.
  ~DecodeThread();
  DecodeThread(const DecodeThread&) = delete;
  DecodeThread& operator=(const DecodeThread&) = delete;

  bool busy() const { return busy_; }
  // Must not be called while busy().
  void decode(std::unique_ptr<Frame> frame);

 private:
  void run();
  void return_frame(std::unique_ptr<Frame> frame, const BlockDecoder::Counts& counts,
                    const sail::TraceStamp& stamp);
  // Returns the blocks of the frame if a thumbnail of it must be made.
  std::shared_ptr<DecodedBlocks> due_thumbnail(const Frame& frame);
  void make_thumbnail(uint32_t stream, const DecodedBlocks& blocks);

  sail::Loop& loop_;
  const int workers_;
  sail::FrameTrace* const trace_;
  Done done_;
  const Thumbnails thumbnails_;
  bool busy_ = false;
  // Becomes null when this object is destroyed; posted callbacks check it.
  std::shared_ptr<DecodeThread*> self_ = std::make_shared<DecodeThread*>(this);
  sail::Mailbox<std::unique_ptr<Frame>> frames_{2};  // null ends the thread
  std::thread thread_;
};

}  // namespace receiver
