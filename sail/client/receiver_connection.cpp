#include "sail/client/receiver_connection.h"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "sail/base/clock.h"

namespace sail {
namespace {

constexpr int64_t kFirstPauseMs = 100;  // before trying again; doubles until frames are reported
constexpr int64_t kLongestPauseMs = 5000;
constexpr int64_t kCloseLingerMs = 1000;
// All receivers report late together when the barrier waits for one of them: that one is to be
// given up, not the others.
constexpr int64_t kSilenceTimeoutMs = int64_t{kBarrierTimeoutMs} + kStallTimeoutMs;

constexpr int64_t ms_to_ns(int64_t ms) {
  return ms * 1'000'000;
}

}  // namespace

ReceiverConnection::ReceiverConnection(Loop& loop, Host& host, const WallClock& clock,
                                       const Log& log, uint32_t number, std::string receiver,
                                       Address address, uint32_t stream, const StreamOpen& open)
    : loop_(loop),
      host_(host),
      clock_(clock),
      log_(log),
      number_(number),
      receiver_(std::move(receiver)),
      address_(std::move(address)),
      stream_(stream),
      open_(open),
      timer_(loop),
      pause_ms_(kFirstPauseMs) {
  connect();
}

// --- the connection -----------------------------------------------------------------------------

void ReceiverConnection::connect() {
  state_ = State::kConnecting;
  connecting_ = TcpConnection::connect(loop_, address_,
                                       [this](Result<std::unique_ptr<TcpConnection>> connection) {
                                         on_connected(std::move(connection));
                                       });
}

void ReceiverConnection::on_connected(Result<std::unique_ptr<TcpConnection>> connection) {
  connecting_.reset();
  if (!connection) {
    lose(connection.error().message);
    return;
  }
  state_ = State::kOpening;
  tcp_ = *std::move(connection);
  messages_ = {};
  written_bytes_ = drained_bytes_ = 0;
  tcp_->start_reading(*this);
  tcp_->write_copy(encode(stream_, open_));
  timer_.start(kDataOpenTimeoutMs, 0, [this] {
    refuse({CloseReason::kTimeout, fmt::format("no answer within {} ms", kDataOpenTimeoutMs)});
  });
}

void ReceiverConnection::on_read(size_t bytes) {
  messages_.filled(bytes);
  while (tcp_ != nullptr) {
    const auto message = messages_.next();
    if (!message) {
      refuse(message.error());
      return;
    }
    if (!*message) return;
    if (const auto error = on_message(**message)) {
      refuse(*error);
      return;
    }
  }
}

std::optional<DataError> ReceiverConnection::on_message(const MessageBuffer::Message& message) {
  const auto& [header, body] = message;
  if (header.type == DataType::kClose) {
    const auto close = decode_close(body);
    if (!close) return close.error();
    lose(fmt::format("it closed: {}: {}", close_reason_name(close->reason), close->text));
    return std::nullopt;
  }
  if (header.stream != stream_) {
    return DataError{CloseReason::kBadMessage,
                     fmt::format("a message for stream {} on the connection of stream {}",
                                 header.stream, stream_)};
  }
  if (header.type == DataType::kStreamAccept && state_ == State::kOpening) return on_accept(body);
  if (header.type == DataType::kFrameReport && state_ == State::kAccepted) return on_report(body);
  return DataError{CloseReason::kBadMessage,
                   fmt::format("{} is not due now", data_type_name(header.type))};
}

std::optional<DataError> ReceiverConnection::on_accept(std::span<const uint8_t> body) {
  const auto accept = decode_stream_accept(body);
  if (!accept) return accept.error();
  timer_.stop();
  state_ = State::kAccepted;
  frames_in_flight_ = std::clamp<int>(accept->frames_in_flight, 1, kMaxFramesInFlight);
  base_ = 0;
  drained_at_ns_ = room_at_ns_ = steady_now_ns();
  log_.debug("stream {}: receiver '{}' at {} takes {} frames", stream_, receiver_,
             address_text(address_), frames_in_flight_);
  host_.on_accepted(*this);
  return std::nullopt;
}

std::optional<DataError> ReceiverConnection::on_report(std::span<const uint8_t> body) {
  const auto report = decode_frame_report(body);
  if (!report) return report.error();
  const auto end = unreported_.begin() + static_cast<ptrdiff_t>(unreported_count_);
  const auto key = std::find(unreported_.begin(), end, Key{report->frame, report->epoch});
  if (key == end) {
    return DataError{CloseReason::kBadMessage,
                     fmt::format("a report of frame {} of epoch {}, of which none is due",
                                 report->frame, report->epoch)};
  }
  std::move(key + 1, end, key);
  --unreported_count_;
  room_at_ns_ = steady_now_ns();
  pause_ms_ = kFirstPauseMs;
  if (trouble_told_) log_.info("receiver '{}' takes frames again", receiver_);
  trouble_told_ = false;
  if (report->cause == DropCause::kIncomplete) base_ = 0;
  host_.on_report(*this, *report);
  return std::nullopt;
}

void ReceiverConnection::lose(const std::string& why) {
  if (!trouble_told_) {
    log_.warning("stream {}: no connection to receiver '{}' at {}, trying again: {}", stream_,
                 receiver_, address_text(address_), why);
  }
  trouble_told_ = true;
  const bool was_accepted = accepted();
  tcp_.reset();
  state_ = State::kPause;
  frames_in_flight_ = 0;
  unreported_count_ = 0;
  if (Sending* cut_off = std::exchange(sending_, nullptr)) written(*cut_off);
  timer_.start(pause_ms_, 0, [this] { connect(); });
  pause_ms_ = std::min(pause_ms_ * 2, kLongestPauseMs);
  if (was_accepted) host_.on_lost(*this);
}

void ReceiverConnection::refuse(const DataError& error) {
  drop_connection(error.reason, error.text);
  lose(error.text);
}

void ReceiverConnection::drop_connection(CloseReason reason, const std::string& text) {
  if (tcp_ == nullptr) return;
  // With frames under way the message would come too late to matter, and their memory be held for
  // as long as the peer likes.
  if (writes_under_way() == 0) {
    tcp_->write_copy(encode(stream_, CloseMessage{reason, text}));
    TcpConnection::close_after_writes(std::move(tcp_), kCloseLingerMs);
  }
  tcp_.reset();
}

void ReceiverConnection::close() {
  drop_connection(CloseReason::kNormal, "the stream is over");
  connecting_.reset();
  timer_.stop();
  if (Sending* cut_off = std::exchange(sending_, nullptr)) written(*cut_off);
  state_ = State::kClosed;
}

void ReceiverConnection::check(int64_t now_ns) {
  if (!accepted()) return;
  const size_t unsent = tcp_->unsent_bytes();
  const size_t drained = written_bytes_ - std::min(unsent, written_bytes_);
  if (drained != drained_bytes_ || unsent == 0) {
    drained_bytes_ = drained;
    drained_at_ns_ = now_ns;
  }
  // One is kept for a frame that is sent again by a new map.
  if (static_cast<int>(unreported_count_) < std::max(frames_in_flight_ - 1, 1)) {
    room_at_ns_ = now_ns;
  }
  if (now_ns - drained_at_ns_ > ms_to_ns(kStallTimeoutMs)) {
    refuse({CloseReason::kTimeout, fmt::format("it reads nothing for {} ms", kStallTimeoutMs)});
  } else if (now_ns - room_at_ns_ > ms_to_ns(kSilenceTimeoutMs)) {
    refuse({CloseReason::kTimeout, fmt::format("it reports nothing for {} ms", kSilenceTimeoutMs)});
  }
}

// --- frames -------------------------------------------------------------------------------------

bool ReceiverConnection::takes_frame() const {
  return accepted() && sending_ == nullptr &&
         static_cast<int>(unreported_count_) < frames_in_flight_ &&
         std::any_of(sendings_.begin(), sendings_.end(),
                     [](const Sending& sending) { return !sending.frame; });
}

void ReceiverConnection::begin(FrameRef frame, std::shared_ptr<const ReceiverPlan> plan,
                               uint64_t epoch) {
  sending_ = std::find_if(sendings_.begin(), sendings_.end(),
                          [](const Sending& sending) { return !sending.frame; });
  unreported_[unreported_count_++] = {frame->number(), epoch};
  Sending& sending = *sending_;
  sending.frame = std::move(frame);
  sending.plan = std::move(plan);
  sending.epoch = epoch;
  sending.next_row = 0;
  sending.block_count = 0;
  if (base_ == 0 || held_grid_ != sending.plan->grid()) forget_held(sending.plan->grid());
  sending.heads.resize(sending.plan->head_bytes());
  sending.heads_written = 0;
  sending.heads_used =
      encode_to(sending.heads, stream_,
                FrameBegin{.frame = sending.frame->number(),
                           .epoch = epoch,
                           .submitted_ns = sending.frame->submitted_ns(),
                           .base = base_,
                           .reduction = static_cast<uint8_t>(sending.plan->reduction()),
                           .color = sending.frame->color()});
  base_ = sending.frame->number();
}

void ReceiverConnection::forget_held(const BlockGrid& grid) {
  base_ = 0;
  held_grid_ = grid;
  held_.assign(grid.count(), 0);
}

size_t ReceiverConnection::pump() {
  if (sending_ == nullptr) return 0;
  Sending& sending = *sending_;
  parts_.clear();
  const int rows = sending.plan->rows();
  while (sending.next_row < rows && sending.frame->has_row(sending.next_row)) {
    write_row(sending.next_row++);
  }
  const bool whole = sending.next_row == rows;
  if (whole) write_end();
  if (parts_.empty()) return 0;
  const size_t bytes =
      std::accumulate(parts_.begin(), parts_.end(), size_t{0},
                      [](size_t sum, std::span<const uint8_t> part) { return sum + part.size(); });
  written_bytes_ += bytes;
  ++sending.writes_under_way;
  if (whole) sending_ = nullptr;
  // One system call for all rows that are there, however many parts that makes.
  tcp_->write(parts_, [this, &sending](bool) {
    --sending.writes_under_way;
    written(sending);
  });
  return bytes;
}

// The blocks of the row that the receiver is to have and has not, in runs of neighbours.
void ReceiverConnection::write_row(int row) {
  const Sending& sending = *sending_;
  const BlockRowRef& blocks = sending.frame->row(row);
  const size_t first = static_cast<size_t>(row) * static_cast<size_t>(held_grid_.columns());
  const auto held = std::span(held_).subspan(first, static_cast<size_t>(held_grid_.columns()));
  for (const ReceiverPlan::Run& run : sending.plan->row(row)) {
    const int end = run.first_column + run.count;
    const auto is_new = [&](int column) {
      return held[static_cast<size_t>(column)] != blocks->version(column);
    };
    for (int column = run.first_column; column < end;) {
      int next = column;
      for (; next < end && is_new(next); ++next) {
        held[static_cast<size_t>(next)] = blocks->version(next);
      }
      if (next > column) {
        write_run(*blocks, {.frame = sending.frame->number(),
                            .row = run.row,
                            .first_column = static_cast<uint16_t>(column),
                            .count = static_cast<uint16_t>(next - column)});
      }
      column = std::max(next, column + 1);
    }
  }
}

void ReceiverConnection::write_run(const BlockRow& blocks, const BlockRun& run) {
  Sending& sending = *sending_;
  // Beyond what the frame is reduced: what blocks that hold several resolutions can do.
  const int reduction = sending.plan->reduction() - sending.frame->reduction();
  lengths_.clear();
  for (int i = 0; i < run.count; ++i) {
    lengths_.push_back(static_cast<uint32_t>(blocks.block(run.first_column + i, reduction).size()));
  }
  sending.block_count += run.count;
  sending.heads_used +=
      encode_to(std::span(sending.heads).subspan(sending.heads_used), stream_, run, lengths_);
  add_heads_part();
  // Neighbours mostly stand next to one another in memory, too.
  for (int i = 0; i < run.count; ++i) {
    const auto bytes = blocks.block(run.first_column + i, reduction);
    std::span<const uint8_t>& last = parts_.back();
    if (i > 0 && last.data() + last.size() == bytes.data()) {
      last = {last.data(), last.size() + bytes.size()};
    } else {
      parts_.push_back(bytes);
    }
  }
}

void ReceiverConnection::write_end() {
  Sending& sending = *sending_;
  sending.heads_used += encode_to(std::span(sending.heads).subspan(sending.heads_used), stream_,
                                  FrameEnd{.frame = sending.frame->number(),
                                           .encoded_ns = sending.frame->encoded_ns(),
                                           .sent_ns = clock_.now_ns(),
                                           .block_count = sending.block_count});
  add_heads_part();
}

void ReceiverConnection::add_heads_part() {
  Sending& sending = *sending_;
  parts_.push_back(std::span(sending.heads)
                       .subspan(sending.heads_written, sending.heads_used - sending.heads_written));
  sending.heads_written = sending.heads_used;
}

// Something of the frame has left, or nothing more of it will: lets go of it when that was all.
void ReceiverConnection::written(Sending& sending) {
  if (&sending == sending_ || sending.writes_under_way > 0) return;
  sending.frame = {};
  sending.plan.reset();
  if (gone()) host_.on_gone(*this);
}

int ReceiverConnection::writes_under_way() const {
  return std::accumulate(
      sendings_.begin(), sendings_.end(), 0,
      [](int sum, const Sending& sending) { return sum + sending.writes_under_way; });
}

}  // namespace sail
