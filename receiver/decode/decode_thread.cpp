#include "receiver/decode/decode_thread.h"

#include <chrono>
#include <utility>

#include "receiver/frame/frame.h"
#include "sail/core/time/clock.h"

namespace receiver {

DecodeThread::DecodeThread(sail::Loop& loop, int workers, sail::FrameTrace* trace, Done done,
                           Thumbnails thumbnails)
    : loop_(loop),
      workers_(workers),
      trace_(trace),
      done_(std::move(done)),
      thumbnails_(std::move(thumbnails)) {}

DecodeThread::~DecodeThread() {
  if (!thread_.joinable()) return;
  frames_.push(nullptr);
  thread_.join();
  *self_ = nullptr;
}

void DecodeThread::decode(std::unique_ptr<Frame> frame) {
  busy_ = true;
  frames_.push(std::move(frame));
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
}

void DecodeThread::run() {
  sail::WorkerPool pool(workers_);
  BlockDecoder decoder(pool);
  for (;;) {
    std::optional<std::unique_ptr<Frame>> frame = frames_.pop(std::chrono::hours(1));
    if (!frame) continue;
    if (!*frame) return;
    const int64_t begun_ns = sail::steady_now_ns();
    const BlockDecoder::Counts counts = decoder.decode(**frame);
    const sail::TraceStamp stamp{.stage = sail::TraceStage::kDecode,
                                 .lane = kDecodeLane,
                                 .stream = (*frame)->stream(),
                                 .frame = (*frame)->key().number,
                                 .begin_ns = begun_ns,
                                 .end_ns = sail::steady_now_ns()};
    const uint32_t stream = (*frame)->stream();
    const std::shared_ptr<DecodedBlocks> blocks = due_thumbnail(**frame);
    // A posted task must be copyable, but a unique_ptr is not.
    auto decoded = std::make_shared<std::unique_ptr<Frame>>(*std::move(frame));
    loop_.post([self = self_, decoded, counts, stamp] {
      if (*self != nullptr) (*self)->return_frame(std::move(*decoded), counts, stamp);
    });
    if (blocks) make_thumbnail(stream, *blocks);
  }
}

std::shared_ptr<DecodedBlocks> DecodeThread::due_thumbnail(const Frame& frame) {
  const bool due = codecs::is_carried(frame.codec().id) &&
                   thumbnails_.maker.take_due(frame.stream(), sail::steady_now_ns());
  return due ? frame.shared_blocks() : nullptr;
}

// Called after the frame was returned, so that the frame does not wait for the thumbnail.
void DecodeThread::make_thumbnail(uint32_t stream, const DecodedBlocks& blocks) {
  auto thumbnail = thumbnails_.maker.make(stream, blocks);
  if (!thumbnail) return;
  loop_.post([self = self_, thumbnail = *std::move(thumbnail)] {
    if (*self != nullptr) (*self)->thumbnails_.made(thumbnail);
  });
}

void DecodeThread::return_frame(std::unique_ptr<Frame> frame, const BlockDecoder::Counts& counts,
                                const sail::TraceStamp& stamp) {
  busy_ = false;
  if (trace_ != nullptr) trace_->add(stamp);
  done_(std::move(frame), counts);
}

}  // namespace receiver
