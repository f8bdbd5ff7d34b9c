// Decodes frames that need it as soon as they are whole, before the swap barrier: when it is time
// to paint, only copying is left (of YUV, converting), which takes as long every time. One frame at
// a time, so that its blocks have all cores and whoever asks can still choose what is worth
// decoding next.
//
// Used on the loop's thread; its own thread and workers start with the first frame.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <thread>

#include "receiver/block_decoder.h"
#include "sail/base/frame_trace.h"
#include "sail/base/mailbox.h"
#include "sail/net/loop.h"

namespace receiver {

class DecodeThread {
 public:
  using Done = std::function<void(std::unique_ptr<Frame>, const BlockDecoder::Counts&)>;
  // `workers` decode besides the thread. `trace` may be null. `done` is called on the loop's
  // thread.
  DecodeThread(sail::Loop& loop, int workers, sail::FrameTrace* trace, Done done);
  // Waits for the frame that is being decoded, which nobody gets any more.
  ~DecodeThread();
  DecodeThread(const DecodeThread&) = delete;
  DecodeThread& operator=(const DecodeThread&) = delete;

  bool busy() const { return busy_; }
  // Only when it is not busy.
  void decode(std::unique_ptr<Frame> frame);

 private:
  void run();
  void hand_back(std::unique_ptr<Frame> frame, const BlockDecoder::Counts& counts);

  sail::Loop& loop_;
  const int workers_;
  sail::FrameTrace* const trace_;
  Done done_;
  bool busy_ = false;
  // What was posted when this ended finds it gone.
  std::shared_ptr<DecodeThread*> self_ = std::make_shared<DecodeThread*>(this);
  sail::Mailbox<std::unique_ptr<Frame>> frames_{2};  // null: the end
  std::thread thread_;
};

}  // namespace receiver
