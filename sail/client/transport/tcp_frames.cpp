#include "sail/client/transport/tcp_frames.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"

namespace sail {

TcpFrames::TcpFrames(uint32_t stream, const WallClock& clock, const Log& log,
                     std::function<void()> on_released)
    : stream_(stream),
      clock_(clock),
      log_(log),
      on_released_(std::move(on_released)),
      last_stats_ns_(steady_now_ns()) {}

Result<void> TcpFrames::start(TcpConnection& tcp, const StreamAccept& accept,
                              int64_t /*round_trip_ns*/) {
  tcp_ = &tcp;
  base_ = 0;
  memory_name_.reset();
  if (accept.packet_key != MemoryName{}) memory_name_ = accept.packet_key;
  writes_.begin(steady_now_ns());
  return {};
}

void TcpFrames::stop() {
  if (tcp_ != nullptr) retransmitted_before_ += tcp_->counts().retransmitted;
  tcp_ = nullptr;
  busy_us_ = 0;
  offered_ = read_there_ = nullptr;
  end_demand();
  for (Sending& sending : sendings_) {
    if (std::exchange(sending.unreported, false)) release_if_done(sending);
  }
  if (Sending* cut_off = std::exchange(sending_, nullptr)) written(*cut_off);
}

bool TcpFrames::released() const {
  return std::all_of(sendings_.begin(), sendings_.end(),
                     [](const Sending& sending) { return sending.writes_under_way == 0; });
}

bool TcpFrames::takes_frame() const {
  return tcp_ != nullptr && sending_ == nullptr &&
         std::any_of(sendings_.begin(), sendings_.end(),
                     [](const Sending& sending) { return sending.messages.empty(); });
}

void TcpFrames::begin(OutgoingFrame outgoing) {
  if (memory_name_) offer_memory(*outgoing.frame);
  sending_ = std::find_if(sendings_.begin(), sendings_.end(),
                          [](const Sending& sending) { return sending.messages.empty(); });
  const BlockGrid& grid = outgoing.plan->grid();
  if (base_ == 0 || held_.grid != grid) {
    base_ = 0;
    held_.forget(grid);
  }
  const uint64_t base = std::exchange(base_, outgoing.frame->number());
  sending_->name = outgoing.name();
  sending_->messages.begin(std::move(outgoing), stream_, base, read_there_);
  sending_->parts_written = 0;
  sending_->unreported = read_there_ != nullptr;
}

void TcpFrames::offer_memory(const EncodedFrame& frame) {
  if (!demand_) {
    demand_ = frame.memory_demand();
    demand_->add();
  }
  // Memory of before may be given back, and trouble of before may be over.
  if (frame.demand_rise() != demand_->rises()) return;
  if (frame.memory() == nullptr) {
    if (frame.memory_trouble() != nullptr) miss_memory(*frame.memory_trouble());
    return;  // later frames will lie in memory
  }
  const MemoryName name = *std::exchange(memory_name_, std::nullopt);
  if (const auto done = hand_over(*frame.memory(), name); !done) {
    return miss_memory(done.error().message);
  }
  offered_ = frame.memory();
  tcp_->write_copy(encode(stream_, MemoryOffer{.bytes = offered_->bytes().size()}));
}

void TcpFrames::memory_answered(const MemoryState& state) {
  const SealedMemory* offered = std::exchange(offered_, nullptr);
  if (!state.reads) return miss_memory(state.text);
  if (offered == nullptr) return;
  memory_trouble_.clear();
  read_there_ = offered;
}

void TcpFrames::miss_memory(const std::string& why) {
  const std::string text = why.empty() ? "the receiver gives no reason" : why;
  if (memory_trouble_.empty()) {
    log_.warning("stream {}: frames go over TCP to a receiver on this host: {}", stream_, text);
  }
  memory_trouble_ = make_plain_text(text, kMaxTroubleText);
  memory_name_.reset();
  read_there_ = nullptr;
  end_demand();
}

void TcpFrames::end_demand() {
  if (demand_) std::exchange(demand_, nullptr)->remove();
}

size_t TcpFrames::pump() {
  if (sending_ == nullptr) return 0;
  Sending& sending = *sending_;
  sending.messages.add_rows(held_, clock_);
  if (sending.messages.whole()) sending_ = nullptr;
  const auto parts = sending.messages.parts().subspan(sending.parts_written);
  if (parts.empty()) return 0;
  const size_t bytes =
      std::accumulate(parts.begin(), parts.end(), size_t{0},
                      [](size_t sum, std::span<const uint8_t> part) { return sum + part.size(); });
  sending.parts_written += parts.size();
  writes_.add(bytes);
  bytes_sent_ += bytes;
  ++sending.writes_under_way;
  // One system call for all rows that are encoded by now.
  tcp_->write(parts, [this, &sending](bool) {
    --sending.writes_under_way;
    written(sending);
  });
  return bytes;
}

void TcpFrames::written(Sending& sending) {
  if (release_if_done(sending)) on_released_();
}

bool TcpFrames::release_if_done(Sending& sending) {
  if (&sending == sending_ || sending.writes_under_way > 0 || sending.unreported) return false;
  sending.messages.release();
  return true;
}

void TcpFrames::reported(const FrameReport& report) {
  for (Sending& sending : sendings_) {
    if (sending.name != FrameName{report.frame, report.epoch}) continue;
    if (std::exchange(sending.unreported, false)) release_if_done(sending);
  }
  if (report.cause == DropCause::kIncomplete) base_ = 0;
}

std::optional<std::string> TcpFrames::stuck(int64_t now_ns) {
  if (!writes_.too_long(tcp_->unsent_bytes(), now_ns)) return std::nullopt;
  return fmt::format("the receiver read nothing for {} ms", kStallTimeoutMs);
}

LinkStats TcpFrames::stats(int64_t now_ns) {
  LinkStats stats;
  stats.bytes_sent = bytes_sent_;
  stats.shared_memory = read_there_ != nullptr;
  stats.memory_trouble = memory_trouble_;
  const auto counts = tcp_ == nullptr ? TcpCounts{} : tcp_->counts();
  stats.packets_retransmitted = retransmitted_before_ + counts.retransmitted;
  const double seconds = std::max(static_cast<double>(now_ns - last_stats_ns_) / 1e9, 1e-3);
  const int64_t busy_us = counts.busy_us - std::exchange(busy_us_, counts.busy_us);
  stats.busy_pct = std::clamp(static_cast<double>(busy_us) / 1e4 / seconds, 0.0, 100.0);
  stats.mbit_per_s = static_cast<double>(bytes_sent_ - bytes_at_last_stats_) * 8 / 1e6 / seconds;
  last_stats_ns_ = now_ns;
  bytes_at_last_stats_ = bytes_sent_;
  return stats;
}

}  // namespace sail
