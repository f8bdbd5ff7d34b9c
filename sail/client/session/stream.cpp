#include "sail/client/session/stream.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "codecs/picture/block_encoder.h"
#include "sail/client/sender/stream_sender.h"
#include "sail/client/session/session.h"
#include "sail/core/text/limits.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

// Per stream: the frames in flight, the last frame (kept for layout changes), the one being
// encoded, and the one that the encoder compares with. The number in flight counts twice, because
// stalled recorders hold frames for a while.
constexpr size_t kFramesPerStream = 2 * kMaxFramesInFlight + 3;
// A frame whose presentation time is further in the past is dropped.
constexpr int64_t kLongPastNs = 1'000'000'000;

// Meaning of the components of the blocks that are made of this picture. Planar blocks need whole
// pictures: a halved one is RGB.
codecs::PictureColor color_of_blocks(const StreamCodec& codec, const codecs::ImageView& image,
                                     int reduction) {
  const codecs::PictureColor color = codecs::color_of(image);
  if (codecs::is_j2k(codec.id)) return color;
  const bool planes =
      image.format == codecs::PixelFormat::kI420 || image.format == codecs::PixelFormat::kNv12;
  const bool planar =
      planes && reduction == 0 && codecs::is_planar(codec.id, codec.compression, color.matrix);
  return planar ? color : codecs::PictureColor{};
}

std::shared_ptr<const WantedBlocks> all_blocks(const BlockGrid& grid) {
  return std::make_shared<const WantedBlocks>(
      WantedBlocks{.reduction = 0, .grid = grid, .blocks = std::vector<bool>(grid.count(), true)});
}

}  // namespace

ClientStream::ClientStream(ClientSession& session, StreamSpec spec, Loop& loop, WorkerPool& workers,
                           const WallClock& clock, const Log& log)
    : session_(session),
      spec_(std::move(spec)),
      grid_(spec_.frame_size, spec_.block_size),
      clock_(clock),
      submit_queue_(all_blocks(grid_)),
      units_(codecs::max_block_bytes(spec_.codec.codec.id, spec_.frame_size.width,
                                     spec_.frame_size.height)),
      frames_(grid_, kFramesPerStream,
              [id = spec_.codec.codec.id](int width, int height) {
                return codecs::is_carried(id) ? 0 : codecs::max_block_bytes(id, width, height);
              }),
      trace_(kFirstEncodeLane + 1 + static_cast<size_t>(workers.threads())),
      encoder_(spec_.codec, grid_, spec_.fps, workers, clock, trace_),
      thumbnails_(spec_.frame_size, spec_.codec.codec),
      sound_(loop, log) {}

void ClientStream::connect(StreamSender& sender, std::function<void(const FrameFate&)> on_rejected,
                           std::function<void(Thumbnail)> on_thumbnail) {
  sender_ = &sender;
  on_rejected_ = std::move(on_rejected);
  on_thumbnail_ = std::move(on_thumbnail);
}

// Compares by the steady clock, which does not go back when another manager's clock is adopted.
bool ClientStream::takes_time(int64_t present_ns) {
  if (present_ns == 0) return true;
  if (present_ns < 0 || present_ns > kMaxTimeNs) return false;
  const int64_t steady_ns = clock_.to_steady_ns(present_ns);
  if (steady_ns + kSamePresentNs < last_present_ns_) return false;
  if (steady_ns > steady_now_ns() + kMaxPresentAheadNs) return false;
  last_present_ns_ = std::max(last_present_ns_, steady_ns);
  return true;
}

int64_t ClientStream::part_name(bool again) {
  if (!spec_.numbered()) return 0;
  if (again && last_part_ != 0) return last_part_;
  const uint64_t number = handed_over_.fetch_add(1, std::memory_order_relaxed) + 1;
  return last_part_ = static_cast<int64_t>(number) * kPartNameNs;
}

template <class ColorOf, class Fill>
ClientStream::Submitted ClientStream::submit_with(const ColorOf& color_of, const When& when,
                                                  const Fill& fill) {
  const int64_t present_ns = when.present_ns;
  if (!takes_time(present_ns) || (spec_.numbered() && present_ns != 0)) return {};
  const int64_t name = part_name(when.again);
  meter_.handed_over(steady_now_ns(), session_.waited_ns());
  SubmitQueue::Entry entry = submit_queue_.enter(spec_.wait_when_full, present_ns, name);
  // Read the clock after the wait, during which the frame still belongs to the application.
  const int64_t submitted_ns = clock_.wall_now_ns();
  const bool after_pause = submitted_ns - last_submitted_ns_ > kStillNs;
  last_submitted_ns_ = submitted_ns;
  const bool past = present_ns != 0 && submitted_ns - present_ns > kLongPastNs;
  FrameRef frame = entry.admitted && !past ? frames_.take() : FrameRef();
  if (!frame) {
    // Admitted, but the frame is far too late, or the pool is empty: a receiver has reported frames
    // that it has not read.
    if (entry.admitted) submit_queue_.withdraw();
    on_rejected_({.number = entry.number, .submitted_ns = submitted_ns});
    meter_.done(steady_now_ns(), session_.waited_ns());
    return {.number = entry.number, .sent = false};
  }
  const codecs::PictureColor color = color_of(entry.wanted->reduction);
  frame->begin(entry.number, submitted_ns, std::move(entry.wanted), after_pause, color);
  frame->set_present(present_ns, name != 0 ? name : present_ns);
  encoder_.begin(frame);
  sender_->begin(frame);
  // Pass by reference: std::function would allocate memory for a copy.
  const auto on_row = [this] { sender_->rows_ready(); };
  const int64_t begun_ns = steady_now_ns();
  fill(frame, std::cref(on_row));
  const int64_t done_ns = steady_now_ns();
  meter_.encoded(done_ns - begun_ns);
  meter_.done(done_ns, session_.waited_ns());
  trace_.add({.stage = TraceStage::kSubmit,
              .lane = kSubmitLane,
              .frame = entry.number,
              .begin_ns = begun_ns,
              .end_ns = done_ns});
  return {.number = entry.number, .sent = true};
}

void ClientStream::add_figures(StreamStats& stats, int64_t now_ns) {
  const SubmitMeter::Figures figures = meter_.take(now_ns);
  stats.frames_skipped = figures.skipped;
  stats.fps_wanted = spec_.fps > 0 ? spec_.fps * playback_.speed(now_ns)
                                   : figures.fps_submitted + figures.fps_skipped;
  stats.fps_submitted = figures.fps_submitted;
  stats.fps_encoded = figures.fps_encoded;
  stats.source_ms = figures.source_ms;
  stats.encode_ms = figures.encode_ms;
}

ClientStream::Submitted ClientStream::submit(const codecs::ImageView& image, const When& when) {
  const auto color_of = [&](int reduction) {
    return color_of_blocks(spec_.codec.codec, image, reduction);
  };
  const Submitted submitted =
      submit_with(color_of, when, [&](const FrameRef& frame, const auto& on_row) {
        encoder_.encode(image, frame, frames_.rows(), on_row);
      });
  // The frame is already being sent. Use the pixels, which also cover parts that no tile shows.
  if (submitted.number != 0 && thumbnails_.take_due(steady_now_ns())) {
    if (auto made = thumbnails_.make(image, submitted.number)) on_thumbnail_(*std::move(made));
  }
  return submitted;
}

ClientStream::Submitted ClientStream::submit_units(const EncodedBlocks& block, const When& when) {
  const UnitChain* chain = units_.take(block.bytes);
  if (chain == nullptr) return {};
  const auto color_of = [&](int /*reduction*/) { return block.color; };
  return submit_with(color_of, when, [&](const FrameRef& frame, const auto& on_row) {
    frame->set_units(*chain, clock_.wall_now_ns());
    on_row();
  });
}

ClientStream::Submitted ClientStream::submit(const EncodedBlocks& blocks, const When& when) {
  if (carried()) return submit_units(blocks, when);
  const auto color_of = [&](int /*reduction*/) { return blocks.color; };
  return submit_with(color_of, when, [&](const FrameRef& frame, const auto& on_row) {
    encoder_.take_over(blocks, frame, frames_.rows(), on_row);
    if (!thumbnails_.take_due(steady_now_ns())) return;
    if (auto made = thumbnails_.make(*frame)) on_thumbnail_(*std::move(made));
  });
}

}  // namespace sail
