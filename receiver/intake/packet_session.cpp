#include "receiver/intake/packet_session.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "sail/core/time/clock.h"

namespace receiver {
namespace {

using sail::DataError;
using sail::FrameName;

constexpr int64_t kTickMs = 2;
constexpr int64_t kFeedbackNs = 5'000'000;     // interval while packets arrive
constexpr int64_t kFeedbackGapNs = 2'000'000;  // minimum interval
// The interval in a multicast group, whose receivers all answer one sender, after ten seconds
// without loss. Whole frames are reported at once there.
constexpr int64_t kGroupFeedbackNs = 20'000'000;
constexpr int64_t kAfterLossNs = 10'000'000'000;
// Time for recovering frames that have no delay.
constexpr int64_t kMendNs = 100'000'000;

uint32_t micros(int64_t ns) {
  return static_cast<uint32_t>(ns / 1000);
}

FrameReassembler::Limits limits_of(const PacketSession::Setup& setup) {
  const size_t symbols =
      (PacketSession::max_frame_bytes(setup.source) + setup.symbol_bytes - 1) / setup.symbol_bytes;
  return {.symbol_bytes = setup.symbol_bytes,
          .symbols = static_cast<uint32_t>(std::min<size_t>(symbols, sail::kMaxSymbols)),
          .frames = static_cast<size_t>(setup.frames_in_flight),
          .store_bytes = PacketSession::memory(setup.source, setup.frames_in_flight)};
}

}  // namespace

size_t PacketSession::max_frame_bytes(const FrameSource& source) {
  // Each block may be in a separate run.
  return sail::kFrameBeginBytes + sail::kFrameEndBytes +
         source.grid.count() * (sail::kDataHeaderBytes + sail::block_run_bytes(1)) +
         Frame::memory(source.grid, source.codec.id);
}

PacketSession::PacketSession(sail::Loop& loop, std::shared_ptr<PacketPort> port,
                             FrameIntake& intake, const Setup& setup, Handlers handlers)
    : port_(std::move(port)),
      intake_(intake),
      setup_(setup),
      handlers_(std::move(handlers)),
      socket_full_before_(port_->socket_full()),
      secret_(port_->add(*this)),
      key_(setup.sealed ? sail::random_packet_key() : sail::PacketKey{}),
      group_(port_, *this),
      frames_(intake),
      reassembler_(*this, limits_of(setup)),
      tick_(loop) {
  if (setup_.sealed) {
    using sail::PacketSeal;
    opens_.emplace(sail::AesGcm::Use::kOpen, key_, PacketSeal::Direction::kToReceiver);
    seals_.emplace(sail::AesGcm::Use::kSeal, key_, PacketSeal::Direction::kToSail);
  }
  port_->add_frames_of(max_frame_bytes(setup_.source));
  feedback_.missing.reserve(sail::kMaxMissing);
}

PacketSession::~PacketSession() {
  port_->remove_frames_of(max_frame_bytes(setup_.source));
  port_->remove(secret_);
}

// --- packets ------------------------------------------------------------------------------------

// A sealed packet is not counted or evaluated before its seal was verified.
PacketPort::Taken PacketSession::on_packet(const sail::PacketHeader& header,
                                           const sail::Datagram& datagram) {
  using Taken = PacketPort::Taken;
  if (header.sealed != setup_.sealed) return Taken::kForged;
  std::span<const uint8_t> bytes = datagram.bytes;
  if (is_of_group(header)) {
    // Packets with an earlier secret of the group: their symbols are requested again.
    if (header.secret != group_.secret()) return Taken::kYes;
    bytes = group_.open(header.number, datagram.bytes);
  } else if (opens_) {
    bytes = opens_->open(header.number, datagram.bytes);
  }
  if (bytes.empty()) return Taken::kForged;
  handlers_.on_bytes(datagram.bytes.size());
  if (is_of_group(header) && group_.take_heard()) {
    group_.loss().begin_at(header.number);
    handlers_.on_group_heard(header.secret);
  }
  return take(header, datagram, bytes);
}

PacketPort::Taken PacketSession::take(const sail::PacketHeader& header,
                                      const sail::Datagram& datagram,
                                      std::span<const uint8_t> bytes) {
  using Taken = PacketPort::Taken;
  const int64_t now_ns = datagram.arrived_ns;
  std::optional<DataError> error;
  if (header.type == sail::PacketType::kMessages) {
    if (is_of_group(header)) return Taken::kBadFields;
    if (is_new(header, datagram) && !handle_messages(bytes.subspan(sail::kPacketHeaderBytes))) {
      return Taken::kBadFields;
    }
  } else if (header.type == sail::PacketType::kProbe) {
    const auto probe = sail::decode_probe(bytes);
    if (!probe) return Taken::kBadFields;
    if (!is_new(header, datagram)) return Taken::kYes;
    error = reassembler_.on_probe(*probe, now_ns);
    if (!error) feed_back_within(0, sail::steady_now_ns());
  } else {
    const auto packet = sail::decode_frame_packet(bytes, setup_.symbol_bytes);
    if (!packet) return Taken::kBadFields;
    if (!is_new(header, datagram)) return Taken::kYes;
    error = reassembler_.on_packet(header.type, packet->packet, packet->bytes, now_ns);
    if (!error) feed_back_on_frame(sail::steady_now_ns());
  }
  if (error) handlers_.on_error(*error);
  return Taken::kYes;
}

bool PacketSession::is_new(const sail::PacketHeader& header, const sail::Datagram& datagram) {
  const int64_t now_ns = datagram.arrived_ns;
  const bool by_group = is_of_group(header);
  PacketLoss& loss = by_group ? group_.loss() : loss_;
  if (!loss.add(header.number, datagram.bytes.size(), now_ns)) return false;
  delay_.add(header.sent_us, micros(handlers_.to_wall_ns(now_ns)), now_ns);
  if (header.number == loss.highest()) {
    if (!by_group) peer_ = datagram.from;
    newest_sent_us_ = header.sent_us;
    newest_arrived_ns_ = now_ns;
  }
  return true;
}

// --- frames -------------------------------------------------------------------------------------

// The frame being read is both in progress and unreported; count it once.
std::optional<DataError> PacketSession::frame_begins(size_t under_way) {
  const size_t read = intake_.current() ? 1 : 0;
  const size_t begun = static_cast<size_t>(intake_.unreported()) + under_way - read;
  if (begun < static_cast<size_t>(setup_.frames_in_flight)) return std::nullopt;
  return DataError{sail::CloseReason::kLimit,
                   fmt::format("more than {} frames in flight", setup_.frames_in_flight)};
}

std::optional<DataError> PacketSession::frame_bytes(const FrameName& name,
                                                    std::span<const uint8_t> bytes) {
  const bool had_begun = intake_.current().has_value();
  if (auto error = frames_.take(name, bytes)) return error;
  if (!had_begun && intake_.current()) {
    reassembler_.set_deadline(deadline_ns(*intake_.current(), sail::steady_now_ns()));
  }
  return std::nullopt;
}

std::optional<DataError> PacketSession::frame_complete(const FrameName& name) {
  return frames_.complete(name);
}

std::optional<DataError> PacketSession::frame_lost(const FrameName& name) {
  return frames_.lose(name);
}

// A frame that arrives after its ready time, for example one resent for a new layout, gets the full
// delay for recovery, like a frame that arrives in time.
int64_t PacketSession::deadline_ns(const sail::FrameBegin& begin, int64_t now_ns) const {
  const int64_t delay_ns = int64_t{begin.delay_us} * 1000;
  if (delay_ns == 0) return now_ns + kMendNs;
  const int64_t left_ns = begin.submitted_ns + delay_ns - handlers_.to_wall_ns(now_ns);
  return now_ns + (left_ns > 0 ? std::min(left_ns, delay_ns) : delay_ns);
}

// --- feedback -----------------------------------------------------------------------------------

bool PacketSession::spares_sender(int64_t now_ns) const {
  return group_.secret() != 0 && now_ns >= lossy_until_ns_;
}

// A packet of a frame has arrived.
void PacketSession::feed_back_on_frame(int64_t now_ns) {
  const bool spares = spares_sender(now_ns);
  const FrameKey told{feedback_.whole.epoch, feedback_.whole.frame};
  if (spares && intake_.whole() > told) return feed_back_within(0, now_ns);
  if (due_ns_ == 0) feed_back_within(spares ? kGroupFeedbackNs : kFeedbackNs, now_ns);
}

void PacketSession::feed_back_within(int64_t wait_ns, int64_t now_ns) {
  const int64_t due_ns = std::max(now_ns + wait_ns, fed_back_ns_ + kFeedbackGapNs);
  due_ns_ = due_ns_ == 0 ? due_ns : std::min(due_ns_, due_ns);
  tick();
  if (due_ns_ <= now_ns) send_feedback(now_ns);
}

void PacketSession::tick() {
  if (!std::exchange(ticking_, true)) tick_.start(kTickMs, kTickMs, [this] { on_tick(); });
}

void PacketSession::on_tick() {
  const int64_t now_ns = sail::steady_now_ns();
  const uint64_t frames_lost = reassembler_.counters().frames_lost;
  loss_.on_time(now_ns);
  group_.loss().on_time(now_ns);
  if (const auto error = reassembler_.on_time(now_ns)) return handlers_.on_error(*error);
  const bool news = packets_lost() > lost_reported_ || reassembler_.anything_new_missing(now_ns);
  if (reassembler_.counters().frames_lost > frames_lost) {
    feed_back_within(0, now_ns);
  } else if (reassembler_.unfinished()) {
    // Repeat until the frame is complete, because feedback can get lost.
    feed_back_within(news ? 0 : spares_sender(now_ns) ? kGroupFeedbackNs : kFeedbackNs, now_ns);
  }
  if (due_ns_ != 0 && due_ns_ <= now_ns) send_feedback(now_ns);
  if (now_ns >= repeated_.due_ns().value_or(INT64_MAX)) send_messages(now_ns);
  if (due_ns_ != 0 || repeated_.due_ns() || reassembler_.unfinished()) return;
  tick_.stop();
  ticking_ = false;
}

void PacketSession::send_feedback(int64_t now_ns) {
  due_ns_ = 0;
  fed_back_ns_ = now_ns;
  reassembler_.name_missing(now_ns, sail::kMaxMissing, feedback_.missing);
  const PacketDelay::Values delay = delay_.take();
  const FrameKey whole = intake_.whole();
  feedback_.echo_us = newest_sent_us_;
  feedback_.echo_hold_us = micros(std::max<int64_t>(now_ns - newest_arrived_ns_, 0));
  feedback_.highest = loss_.highest();
  feedback_.whole = {.frame = whole.number, .epoch = whole.epoch};
  feedback_.counters = counters();
  feedback_.jitter_us = delay.jitter_us;
  feedback_.delay_us = delay.delay_us;
  feedback_.queue_us = delay.queue_us;
  if (packets_lost() > lost_reported_) lossy_until_ns_ = now_ns + kAfterLossNs;
  lost_reported_ = packets_lost();

  std::array<uint8_t, sail::kMaxFeedbackBytes + sail::kPacketTagBytes> bytes;
  const sail::PacketHeader head = header(sail::PacketType::kFeedback, now_ns);
  send(head, std::span(bytes).first(sail::encode_to(bytes, head, feedback_)));
}

sail::PacketHeader PacketSession::header(sail::PacketType type, int64_t now_ns) {
  return {.type = type,
          .sealed = setup_.sealed,
          .stream = setup_.source.stream,
          .secret = secret_,
          .number = ++sent_,
          .sent_us = micros(handlers_.to_wall_ns(now_ns))};
}

void PacketSession::send(const sail::PacketHeader& header, std::span<uint8_t> packet) {
  port_->send_to(peer_, seals_ ? seals_->seal(header.number, packet) : packet);
}

// --- messages -----------------------------------------------------------------------------------

void PacketSession::repeat_message(std::span<const uint8_t> message) {
  if (newest_arrived_ns_ == 0) return;  // the peer's address is unknown
  const int64_t now_ns = sail::steady_now_ns();
  // One packet has the messages before, too: this side does not know what is lost on the way to the
  // sender, which takes frames for lost that are reported after later ones.
  repeated_.add(message, now_ns, spares_sender(now_ns) ? 1 : sail::RepeatedMessages::kTimes);
  send_messages(now_ns);
  tick();
}

void PacketSession::send_messages(int64_t now_ns) {
  using sail::RepeatedMessages;
  std::array<uint8_t,
             sail::kPacketHeaderBytes + RepeatedMessages::kMaxBytes + sail::kPacketTagBytes>
      bytes;
  const sail::PacketHeader head = header(sail::PacketType::kMessages, now_ns);
  send(head, std::span(bytes).first(sail::encode_to(bytes, head, repeated_.take(now_ns))));
}

bool PacketSession::handle_messages(std::span<const uint8_t> messages) const {
  const auto received = sail::cut_messages(messages);
  return received && std::ranges::all_of(*received, std::ref(handlers_.on_message));
}

sail::LinkCounters PacketSession::counters() const {
  const FrameReassembler::Counters& frames = reassembler_.counters();
  sail::LinkCounters counters = sail::sum(loss_.counters(), group_.counters());
  counters.packets_lost += frames.no_room;
  counters.packets_late = frames.late;
  counters.mended_fec = frames.mended_fec;
  counters.mended_retransmit = frames.mended_retransmit;
  counters.socket_full = port_->socket_full() - socket_full_before_;
  counters.frames_lost = frames.frames_lost;
  return counters;
}

}  // namespace receiver
