// A stream as the application sees it: takes frames, encodes them, answers questions. What happens
// to a frame afterwards is the StreamSender's, on the loop thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "codecs/cpu.h"
#include "codecs/dxt.h"
#include "codecs/image.h"
#include "sail/base/geometry.h"
#include "sail/base/worker_pool.h"
#include "sail/client/frame_buffer.h"
#include "sail/client/frame_ledger.h"
#include "sail/client/stream_gate.h"
#include "sail/client/wall_clock.h"

namespace sail {

class ClientSession;
class StreamSender;

struct StreamSpec {
  std::string title;
  Size frame_size;
  codecs::DxtMode mode = codecs::DxtMode::kGood;
  bool has_place = false;
  Rect place;  // wall_rect
  bool wait_when_full = false;
};

class ClientStream {
 public:
  // session, workers and clock outlive this.
  ClientStream(ClientSession& session, StreamSpec spec, WorkerPool& workers,
               const WallClock& clock);
  ClientStream(const ClientStream&) = delete;
  ClientStream& operator=(const ClientStream&) = delete;

  // That it belongs to.
  ClientSession& session() const { return session_; }
  const StreamSpec& spec() const { return spec_; }
  const BlockGrid& grid() const { return layout_.grid(); }
  StreamGate& gate() { return gate_; }
  const StreamGate& gate() const { return gate_; }

  // Any thread. The number that the manager gave it, another one after each reconnection.
  uint32_t number() const { return number_.load(std::memory_order_relaxed); }
  void set_number(uint32_t number) { number_.store(number, std::memory_order_relaxed); }

  // Any thread. Whether the application asked to hear of each frame.
  bool watched() const { return watched_.load(std::memory_order_relaxed); }
  void watch() { watched_.store(true, std::memory_order_relaxed); }

  // Before the first submit(): where encoded frames go, and who hears of frames turned away here.
  void connect(StreamSender& sender, std::function<void(const FrameFate&)> on_turned_away);

  struct Submitted {
    uint64_t number = 0;
    bool sent = false;  // otherwise dropped
  };
  // One application thread at a time. Encodes here, with the workers' help, while the loop thread
  // sends what is done; the pixels are not read after the return. The image has the stream's size.
  //
  // The whole frame is always encoded, also what no tile shows at present, so that a changed layout
  // can be shown at once from the last frame. A frame that is dropped is not encoded.
  Submitted submit(const codecs::ImageView& image);

 private:
  ClientSession& session_;
  const StreamSpec spec_;
  const FrameLayout layout_;
  const codecs::CpuLevel cpu_;
  WorkerPool& workers_;
  const WallClock& clock_;
  StreamGate gate_;
  FramePool frames_;
  StreamSender* sender_ = nullptr;
  std::function<void(const FrameFate&)> on_turned_away_;
  std::atomic<uint32_t> number_{0};
  std::atomic<bool> watched_{false};
};

}  // namespace sail
