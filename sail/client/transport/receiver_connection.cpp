#include "sail/client/transport/receiver_connection.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "sail/client/transport/tcp_frames.h"
#include "sail/client/transport/udp_frames.h"
#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr int64_t kFirstPauseMs = 100;  // before reconnecting, until frames are reported
constexpr int64_t kCloseLingerMs = 1000;

constexpr int64_t ms_to_ns(int64_t ms) {
  return ms * kMillisecondNs;
}

// Packets that leave this machine are sealed (encrypted).
StreamOpen opened_at(const Address& address, StreamOpen open) {
  open.sealed = open.symbol_bytes != 0 && is_protected(address);
  if (open.sealed) open.symbol_bytes = static_cast<uint16_t>(open.symbol_bytes - kPacketTagBytes);
  return open;
}

}  // namespace

// While the barrier waits for one receiver, all receivers report late. The timeout is longer than
// the barrier's, so that only the receiver at fault is dropped.
int64_t ReceiverConnection::report_timeout_ms(codecs::CodecId codec) {
  return kBarrierTimeoutMs + kStallTimeoutMs + (codecs::is_carried(codec) ? kDecodeTimeoutMs : 0);
}

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
      open_(opened_at(address_, open)),
      timer_(loop),
      pause_(kFirstPauseMs) {
  make_carrier();
  connect();
}

void ReceiverConnection::make_carrier() {
  if (open_.symbol_bytes == 0) {
    transport_ = std::make_unique<TcpFrames>(stream_, clock_, log_, [this] {
      if (released()) host_.on_gone(*this);
    });
  } else {
    transport_ = std::make_unique<UdpFrames>(
        loop_, clock_, log_, stream_, address_, open_.symbol_bytes, open_.sealed,
        UdpFrames::Handlers{
            .on_sent = [this] { host_.on_sent(*this); },
            .on_message = [this](const auto& message) { on_repeated_message(message); }});
  }
}

// --- connection ---------------------------------------------------------------------------------

void ReceiverConnection::connect() {
  state_ = State::kConnecting;
  requested_at_ns_ = steady_now_ns();
  connecting_ = TcpConnection::connect(loop_, address_,
                                       [this](Result<std::unique_ptr<TcpConnection>> connection) {
                                         on_connected(std::move(connection));
                                       },
                                       {.reach_ms = kReachMs, .certificate = address_.certificate});
}

void ReceiverConnection::on_connected(Result<std::unique_ptr<TcpConnection>> connection) {
  connecting_.reset();
  if (!connection) {
    const Error& error = connection.error();
    LinkTrouble what = LinkTrouble::kRefusedPort;
    if (error.code == ErrorCode::kTimeout) what = LinkTrouble::kNoAnswer;
    if (error.code == ErrorCode::kUnauthorized) what = LinkTrouble::kOtherCertificate;
    return lose(what, error.message);
  }
  state_ = State::kOpening;
  tcp_ = *std::move(connection);
  silence_ = {};
  messages_ = {};
  received_ = {};
  last_show_.reset();
  round_trip_ns_ = steady_now_ns() - requested_at_ns_;
  tcp_->start_reading(*this);
  requested_at_ns_ = steady_now_ns();
  open_.shares = open_.symbol_bytes == 0 && is_shared(open_.codec) && on_this_host();
  tcp_->write_copy(encode(stream_, open_));
  timer_.start(kDataOpenTimeoutMs, 0, [this] {
    time_out(LinkTrouble::kNoAnswer, fmt::format("no answer within {} ms", kDataOpenTimeoutMs));
  });
}

bool ReceiverConnection::on_this_host() const {
  return is_same_host({.here = tcp_->local_address().host, .there = tcp_->peer_address().host});
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
    // The window was closed; the manager reports this, too.
    const bool over = close->reason == CloseReason::kNormal;
    lose(over ? LinkTrouble::kNone : LinkTrouble::kClosed,
         fmt::format("closed by the receiver: {}: {}", close_reason_name(close->reason),
                     close->text));
    return std::nullopt;
  }
  if (header.stream != stream_) {
    return DataError{CloseReason::kBadMessage,
                     fmt::format("a message for stream {} on the connection of stream {}",
                                 header.stream, stream_)};
  }
  if (header.type == DataType::kStreamAccept && state_ == State::kOpening) return on_accept(body);
  if (header.type == DataType::kMulticastState && packets() != nullptr) return on_multicast(body);
  if (header.type == DataType::kMemoryState && state_ == State::kAccepted) return on_memory(body);
  if (is_repeated(message)) return std::nullopt;
  if (header.type == DataType::kFrameReady && state_ == State::kAccepted) return on_ready(body);
  if (header.type == DataType::kFrameReport && state_ == State::kAccepted) return on_report(body);
  return DataError{CloseReason::kBadMessage,
                   fmt::format("unexpected {} message", data_type_name(header.type))};
}

void ReceiverConnection::on_repeated_message(const MessageBuffer::Message& message) {
  const auto& [header, body] = message;
  if (!accepted() || header.stream != stream_ || is_repeated(message)) return;
  if (header.type == DataType::kFrameReady) on_ready(body);
  if (header.type == DataType::kFrameReport) on_report(body);
}

bool ReceiverConnection::is_repeated(const MessageBuffer::Message& message) {
  return open_.symbol_bytes != 0 && !received_.is_new(message.header.type, message.body);
}

std::optional<DataError> ReceiverConnection::on_accept(std::span<const uint8_t> body) {
  auto accept = decode_stream_accept(body);
  if (!accept) return accept.error();
  // Without being asked, a receiver cannot name a socket to which this process connects.
  if (open_.symbol_bytes == 0 && !open_.shares) accept->packet_key = {};
  const int64_t now_ns = steady_now_ns();
  // Connecting and opening take one round trip each, unless the receiver waits for the stream.
  round_trip_ns_ = std::min(round_trip_ns_, now_ns - requested_at_ns_);
  if (const auto started = transport_->start(*tcp_, *accept, round_trip_ns_); !started) {
    return DataError{CloseReason::kShutdown, started.error().message};
  }
  if (open_.shares && accept->packet_key == PacketKey{}) {
    transport_->memory_answered({.text = "the receiver cannot open a Unix socket"});
  }
  timer_.stop();
  state_ = State::kAccepted;
  // Other troubles, or repeated ones, may come back at once. They end with the first report.
  const bool connects = trouble_.what == LinkTrouble::kRefusedPort ||
                        trouble_.what == LinkTrouble::kNoAnswer ||
                        trouble_.what == LinkTrouble::kOtherCertificate ||
                        (trouble_.what == LinkTrouble::kClosed && failures_ == 1);
  if (connects) end_trouble();
  frames_in_flight_ = std::clamp<int>(accept->frames_in_flight, 1, kMaxFramesInFlight);
  room_at_ns_ = now_ns;
  log_.debug("stream {}: receiver '{}' at {} accepts {} frames in flight", stream_, receiver_,
             address_text(address_), frames_in_flight_);
  host_.on_accepted(*this);
  return std::nullopt;
}

std::optional<DataError> ReceiverConnection::on_ready(std::span<const uint8_t> body) {
  const auto ready = decode_frame_ready(body);
  if (!ready) return ready.error();
  if (!place_of({ready->frame, ready->epoch})) {
    return none_due("frame_ready", {ready->frame, ready->epoch});
  }
  host_.on_ready(*this, *ready);
  return std::nullopt;
}

std::optional<DataError> ReceiverConnection::on_report(std::span<const uint8_t> body) {
  const auto report = decode_frame_report(body);
  if (!report) return report.error();
  const auto place = place_of({report->frame, report->epoch});
  if (!place) return none_due("frame_report", {report->frame, report->epoch});
  const int64_t begun_ns = unreported_[*place].begun_ns;
  pause_.restart();
  failures_ = 0;
  packet_tries_.succeed();
  end_trouble();
  take_report(*place, *report);
  // The receiver reports frames in order, so earlier frames that it knows have been reported.
  const bool shown = report->outcome == FrameOutcome::kShown;
  if (open_.symbol_bytes != 0 && shown) give_up_unknown(begun_ns);
  return std::nullopt;
}

std::optional<DataError> ReceiverConnection::on_multicast(std::span<const uint8_t> body) {
  const auto state = decode_multicast_state(body);
  if (!state) return state.error();
  packets()->member().answer(*state);
  return std::nullopt;
}

std::optional<DataError> ReceiverConnection::on_memory(std::span<const uint8_t> body) {
  const auto state = decode_memory_state(body);
  if (!state) return state.error();
  transport_->memory_answered(*state);
  return std::nullopt;
}

std::optional<size_t> ReceiverConnection::place_of(const FrameName& name) const {
  const auto end = unreported_.begin() + static_cast<ptrdiff_t>(unreported_count_);
  const auto place = std::find_if(unreported_.begin(), end,
                                  [&](const Unreported& frame) { return frame.name == name; });
  if (place == end) return std::nullopt;
  return static_cast<size_t>(place - unreported_.begin());
}

std::optional<DataError> ReceiverConnection::none_due(const char* what,
                                                      const FrameName& name) const {
  if (open_.symbol_bytes != 0) return std::nullopt;
  return DataError{CloseReason::kBadMessage,
                   fmt::format("{}: frame {} of epoch {} was never sent to this receiver", what,
                               name.frame, name.epoch)};
}

void ReceiverConnection::take_report(size_t index, const FrameReport& report) {
  const auto end = unreported_.begin() + static_cast<ptrdiff_t>(unreported_count_);
  const auto reported = unreported_.begin() + static_cast<ptrdiff_t>(index);
  std::move(reported + 1, end, reported);
  --unreported_count_;
  room_at_ns_ = steady_now_ns();
  transport_->reported(report);
  host_.on_report(*this, report);
}

void ReceiverConnection::give_up_unknown(int64_t begun_before_ns) {
  while (accepted() && unreported_count_ > 0 && unreported_[0].begun_ns < begun_before_ns) {
    take_report(0, {.frame = unreported_[0].name.frame,
                    .epoch = unreported_[0].name.epoch,
                    .outcome = FrameOutcome::kDropped,
                    .cause = DropCause::kLost});
  }
}

void ReceiverConnection::note_trouble(LinkTrouble what, const std::string& why) {
  if (trouble_.what == LinkTrouble::kNone) {
    trouble_.since_ns = steady_now_ns();
    log_.warning("stream {}: cannot send frames to receiver '{}' at {}: {}; reconnecting", stream_,
                 receiver_, address_text(address_), why);
  }
  trouble_.what = what;
  trouble_.text = make_plain_text(why, kMaxTroubleText);
}

void ReceiverConnection::end_trouble() {
  if (trouble_.what != LinkTrouble::kNone)
    log_.info("receiver '{}' accepts frames again", receiver_);
  trouble_ = {};
}

void ReceiverConnection::lose(LinkTrouble what, const std::string& why) {
  if (what != LinkTrouble::kNone) note_trouble(what, why);
  ++failures_;
  transport_->stop();
  tcp_.reset();
  state_ = State::kPause;
  frames_in_flight_ = 0;
  unreported_count_ = 0;
  timer_.start(pause_.take_ms(), 0, [this] { connect(); });
  host_.on_lost(*this);
}

void ReceiverConnection::refuse(const DataError& error, LinkTrouble what) {
  drop_connection(error.reason, error.text);
  lose(what, error.text);
}

void ReceiverConnection::drop_connection(CloseReason reason, const std::string& text) {
  if (tcp_ == nullptr) return;
  transport_->stop();
  // While a frame is being sent, the close message would arrive too late, and the peer could hold
  // the frame's memory as long as it likes.
  if (transport_->released()) {
    tcp_->write_copy(encode(stream_, CloseMessage{reason, text}));
    TcpConnection::close_after_writes(std::move(tcp_), kCloseLingerMs);
  }
  tcp_.reset();
}

void ReceiverConnection::close() {
  drop_connection(CloseReason::kNormal, "the stream has ended");
  connecting_.reset();
  timer_.stop();
  state_ = State::kClosed;
}

void ReceiverConnection::check_answered(int64_t now_ns) {
  const bool asked = state_ == State::kConnecting || state_ == State::kOpening;
  const bool late = now_ns - requested_at_ns_ > ms_to_ns(kStallTimeoutMs);
  if (!asked || !late || trouble_.what != LinkTrouble::kNone) return;
  note_trouble(LinkTrouble::kNoAnswer, fmt::format("no answer from {} within {} ms",
                                                   address_text(address_), kStallTimeoutMs));
  host_.on_lost(*this);
}

void ReceiverConnection::check(int64_t now_ns, int64_t delay_ns) {
  if (!accepted()) return check_answered(now_ns);
  const int64_t timeout_ns = ms_to_ns(report_timeout_ms(open_.codec.id)) + delay_ns;
  // One place is reserved for a frame sent again for a new map.
  if (static_cast<int>(unreported_count_) < std::max(limit() - 1, 1)) room_at_ns_ = now_ns;
  if (const auto why = transport_->stuck(now_ns)) {
    const bool over_udp = open_.symbol_bytes != 0;
    if (over_udp) packet_tries_.fail(transport_->answered());
    instead_of_udp_ |= packet_tries_.udp_blocked();
    time_out(over_udp ? LinkTrouble::kNoDatagrams : LinkTrouble::kNotReady, *why);
    if (!over_udp || !instead_of_udp_) return;
    log_.warning("stream {}: receiver '{}' at {} {}", stream_, receiver_, address_text(address_),
                 kTcpInsteadText);
    open_.symbol_bytes = 0;
    open_.sealed = false;
    make_carrier();
  } else if (open_.symbol_bytes != 0) {
    // The transport has checked that packets are answered.
    give_up_unknown(now_ns - timeout_ns);
  } else if (now_ns - room_at_ns_ > timeout_ns) {
    time_out(LinkTrouble::kNotReady,
             fmt::format("no report received for {} ms", timeout_ns / kMillisecondNs));
  }
}

bool ReceiverConnection::is_unreachable(int64_t now_ns) {
  if (!accepted()) return false;
  const TcpCounts counts = tcp_->counts();
  silence_.update(counts, now_ns);
  const bool asks = open_.symbol_bytes != 0 && unreported_count_ > 0 && !counts.unacknowledged;
  if (asks && last_show_) tcp_->write_copy(encode(stream_, *last_show_));
  return silence_.too_long();
}

// --- frames -------------------------------------------------------------------------------------

int ReceiverConnection::limit() const {
  return std::max(std::min(frames_in_flight_, limit_), 1);
}

bool ReceiverConnection::takes_frame() const {
  return accepted() && static_cast<int>(unreported_count_) < limit() && transport_->takes_frame();
}

void ReceiverConnection::begin(OutgoingFrame outgoing) {
  unreported_[unreported_count_++] = {outgoing.name(), steady_now_ns()};
  transport_->begin(std::move(outgoing));
}

void ReceiverConnection::show(const FrameShow& show) {
  const auto message = encode(stream_, show);
  transport_->repeat_message(message);
  tcp_->write_copy(message);
  last_show_ = show;
}

LinkStats ReceiverConnection::stats(int64_t now_ns) {
  LinkStats stats = transport_->stats(now_ns);
  stats.receiver = receiver_;
  if (instead_of_udp_) stats.instead_of = Transport::kUdp;
  if (accepted()) stats.same_host = on_this_host();
  return stats;
}

}  // namespace sail
