#include "ui/impair/stream_pipe.h"

#include <algorithm>
#include <utility>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr int64_t kCheckEveryNs = 1'000'000;  // interval for checking if reading can continue
// Small socket buffers, because data in the system's buffers is not on the simulated path.
constexpr int kStreamBufferBytes = 256 << 10;

}  // namespace

StreamPipe::StreamPipe(Loop& loop, TcpConnection& from, TcpConnection& to, Lane& lane,
                       TrafficLog* log, std::function<void()> on_ended)
    : from_(from),
      to_(to),
      lane_(lane),
      log_(log),
      on_ended_(std::move(on_ended)),
      timer_(loop, [this] { write_due(); }) {
  from_.set_buffer_sizes(kStreamBufferBytes);
  from_.start_reading(*this);
}

std::span<uint8_t> StreamPipe::read_buffer() {
  buffer_.resize(lane_.path.piece_bytes());
  return buffer_;
}

void StreamPipe::on_read(size_t bytes) {
  const int64_t now = steady_now_ns();
  lane_.counters.stream_bytes += bytes;
  if (log_ != nullptr) log_->add(now, bytes);
  const auto passage = lane_.path.take_stream(now, bytes, last_leaves_ns_);
  if (passage.sent_again) ++lane_.counters.stream_sent_again;
  last_leaves_ns_ = passage.leaves_ns;
  waiting_.push_back(
      {passage.leaves_ns, {buffer_.begin(), buffer_.begin() + static_cast<ptrdiff_t>(bytes)}});
  waiting_bytes_ += bytes;
  write_due();
}

void StreamPipe::on_closed(const Error&) {
  closed_ = true;
  write_due();
}

bool StreamPipe::full(int64_t now_ns) const {
  return waiting_bytes_ + to_.unsent_bytes() >= kMaxWaitingBytes || lane_.path.queue_full(now_ns);
}

void StreamPipe::write_due() {
  const int64_t now = steady_now_ns();
  while (!waiting_.empty() && waiting_.front().leaves_ns <= now) {
    to_.write_copy(waiting_.front().bytes);
    waiting_bytes_ -= waiting_.front().bytes.size();
    waiting_.pop_front();
  }
  if (closed_ && waiting_.empty()) {
    const auto ended = on_ended_;  // copied, because the call may destroy the pipe
    ended();
    return;
  }
  if (!closed_ && paused_ != full(now)) {
    paused_ = !paused_;
    if (paused_) {
      from_.stop_reading();
    } else {
      from_.start_reading(*this);
    }
  }
  if (paused_ && !closed_) {
    timer_.start_at(now + kCheckEveryNs);
  } else if (!waiting_.empty()) {
    timer_.start_at(std::max(now + kGatherNs, waiting_.front().leaves_ns));
  }
}

}  // namespace sail
