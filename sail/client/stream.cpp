#include "sail/client/stream.h"

#include <utility>

#include "sail/client/stream_sender.h"
#include "sail/wire/limits.h"

namespace sail {
namespace {

// Those in flight, the last one (kept for changed layouts), and the one being encoded.
constexpr size_t kFramesPerStream = kMaxFramesInFlight + 2;

}  // namespace

ClientStream::ClientStream(ClientSession& session, StreamSpec spec, WorkerPool& workers,
                           const WallClock& clock)
    : session_(session),
      spec_(std::move(spec)),
      layout_(BlockGrid(spec_.frame_size, kDefaultBlockSize)),
      cpu_(codecs::detect_cpu()),
      workers_(workers),
      clock_(clock),
      frames_(layout_, kFramesPerStream) {}

void ClientStream::connect(StreamSender& sender,
                           std::function<void(const FrameFate&)> on_turned_away) {
  sender_ = &sender;
  on_turned_away_ = std::move(on_turned_away);
}

ClientStream::Submitted ClientStream::submit(const codecs::ImageView& image) {
  const StreamGate::Entry entry = gate_.enter(spec_.wait_when_full);
  // After the wait: while it lasts the frame is still the application's.
  const int64_t submitted_ns = clock_.now_ns();
  FrameRef frame = entry.admitted ? frames_.take() : FrameRef();
  if (!frame) {
    // Admitted without a free frame: a receiver has reported frames that it has not read.
    if (entry.admitted) gate_.turn_away();
    on_turned_away_({.number = entry.number, .submitted_ns = submitted_ns});
    return {.number = entry.number, .sent = false};
  }
  frame->begin(entry.number, submitted_ns);
  sender_->begin(frame);
  const auto encode_row = [&](size_t item) {
    const int row = static_cast<int>(item);
    for (int column = 0; column < grid().columns(); ++column) {
      const Rect source_rect = grid().block_rect(column, row);
      codecs::dxt_encode(codecs::CodecId::kDxt1, image, source_rect.x, source_rect.y,
                         source_rect.width, source_rect.height, spec_.mode,
                         frame->block(column, row), cpu_);
    }
    frame->row_done(row, clock_.now_ns());
    sender_->rows_ready();
  };
  // By reference: std::function would take memory for a copy.
  workers_.for_each(static_cast<size_t>(grid().rows()), std::cref(encode_row));
  return {.number = entry.number, .sent = true};
}

}  // namespace sail
