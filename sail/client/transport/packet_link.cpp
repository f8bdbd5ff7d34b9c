#include "sail/client/transport/packet_link.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "sail/core/time/clock.h"
#include "sail/core/wire/data/repeated_messages.h"

namespace sail {
namespace {

// More than one millisecond's data at 10 Gbit/s (1.25 MB), so that the loop may run late.
constexpr size_t kSendBufferBytes = 2 << 20;

}  // namespace

PacketLink::PacketLink(Loop& loop, const WallClock& clock, const Log& log, uint32_t stream,
                       Address to, Handlers handlers)
    : loop_(loop),
      clock_(clock),
      log_(log),
      stream_(stream),
      to_(std::move(to)),
      handlers_(std::move(handlers)) {
  then_.at_ns = steady_now_ns();
}

Result<void> PacketLink::start(const StreamAccept& accept, bool sealed, int64_t round_trip_ns) {
  auto socket = UdpSocket::connect(loop_, to_);
  if (!socket) return std::move(socket.error());
  use(*std::move(socket));
  socket_->start_reading(*this);
  secret_ = accept.packet_secret;
  if (sealed) use_key(accept.packet_key);
  round_trip_.guess(round_trip_ns);
  return {};
}

Result<void> PacketLink::start_group(const MulticastJoin& join, bool sealed,
                                     const std::string& here, int hops) {
  auto socket = UdpSocket::connect_to_group(loop_, to_, here, hops);
  if (!socket) return std::move(socket.error());
  use(*std::move(socket));
  secret_ = join.secret;
  if (sealed) use_key(join.key);
  return {};
}

// Forgets the connection before.
void PacketLink::use(std::unique_ptr<UdpSocket> socket) {
  socket_ = std::move(socket);
  const size_t got = socket_->grow_send_buffer(kSendBufferBytes);
  if (const std::string advice = send_buffer_advice(kSendBufferBytes, got);
      !advice.empty() && !std::exchange(advised_, true)) {
    log_.warning("stream {}: packets to {} may be delayed: {}", stream_, address_text(to_), advice);
  }
  seals_.reset();
  opens_.reset();
  last_number_ = last_feedback_number_ = 0;
  newest_ = {};
  fec_share_ = {};
  link_rate_ = {};
  limited_ = false;
}

void PacketLink::use_key(const PacketKey& key) {
  seals_.emplace(AesGcm::Use::kSeal, key, PacketSeal::Direction::kToReceiver);
  opens_.emplace(AesGcm::Use::kOpen, key, PacketSeal::Direction::kToSail);
}

void PacketLink::stop() {
  socket_.reset();
  counters_before_ = sum(counters_before_, newest_.counters);
  newest_ = {};
}

// --- sending ------------------------------------------------------------------------------------

PacketHeader PacketLink::header(PacketType type, size_t after) const {
  return {.type = type,
          .sealed = seals_.has_value(),
          .stream = stream_,
          .secret = secret_,
          .number = last_number_ + 1 + after,
          .sent_us = now_us()};
}

size_t PacketLink::send(PacketBatch& batch) {
  const size_t sent = batch.send(*socket_);
  last_number_ += sent;
  packets_sent_ += sent;
  for (size_t i = 0; i < sent; ++i) bytes_sent_ += batch.bytes(i);
  return sent;
}

void PacketLink::send(const Probe& probe) {
  std::array<uint8_t, kProbeBytes + kPacketTagBytes> bytes;
  const PacketHeader head = header(PacketType::kProbe, 0);
  send_alone(head, std::span(bytes).first(encode_to(bytes, head, probe)));
}

void PacketLink::send(std::span<const uint8_t> messages) {
  std::array<uint8_t, kPacketHeaderBytes + RepeatedMessages::kMaxBytes + kPacketTagBytes> bytes;
  const PacketHeader head = header(PacketType::kMessages, 0);
  send_alone(head, std::span(bytes).first(encode_to(bytes, head, messages)));
}

void PacketLink::send_alone(const PacketHeader& header, std::span<uint8_t> packet) {
  const std::span<const uint8_t> part = seals_ ? seals_->seal(header.number, packet) : packet;
  const OutgoingDatagram datagram{.parts = std::span(&part, 1), .bytes = part.size()};
  if (socket_->send(std::span(&datagram, 1)) == 0) return;
  ++last_number_;
  ++packets_sent_;
  bytes_sent_ += part.size();
}

// --- feedback -----------------------------------------------------------------------------------

void PacketLink::on_datagrams(std::span<const Datagram> datagrams) {
  for (const Datagram& datagram : datagrams) take(datagram);
}

void PacketLink::take(const Datagram& datagram) {
  const auto header = decode_packet_header(datagram.bytes);
  if (!header || header->stream != stream_ || header->secret != secret_ ||
      header->sealed != opens_.has_value()) {
    return;
  }
  std::span<const uint8_t> bytes = datagram.bytes;
  if (opens_) bytes = opens_->open(header->number, datagram.bytes);
  if (bytes.empty()) return;
  if (header->type == PacketType::kFeedback) {
    take_feedback(*header, bytes);
  } else if (header->type == PacketType::kMessages) {
    handlers_.on_messages(bytes.subspan(kPacketHeaderBytes));
  }
}

void PacketLink::take_feedback(const PacketHeader& header, std::span<const uint8_t> packet) {
  if (header.number <= last_feedback_number_ || !decode_feedback(packet, incoming_) ||
      incoming_.highest > last_number_) {
    return;
  }
  last_feedback_number_ = header.number;
  std::swap(newest_, incoming_);
  const int64_t now_ns = steady_now_ns();
  if (newest_.highest != 0) round_trip_.add(now_us(), newest_.echo_us, newest_.echo_hold_us);
  fec_share_.add(now_ns, newest_.counters);
  link_rate_.add({.now_ns = now_ns,
                  .counters = newest_.counters,
                  .queue_ms = newest_.queue_us / 1e3,
                  .rtt_ms = static_cast<double>(round_trip_.mean_ns()) / 1e6,
                  .limited = std::exchange(limited_, false)});
  handlers_.on_feedback(newest_);
}

// --- statistics ---------------------------------------------------------------------------------

LinkStats PacketLink::stats(int64_t now_ns) {
  const Then now{.at_ns = now_ns, .bytes_sent = bytes_sent_, .parity_bytes = parity_bytes_};
  const Then then = std::exchange(then_, now);
  const double seconds = std::max(static_cast<double>(now_ns - then.at_ns) / 1e9, 1e-3);
  const auto bytes = static_cast<double>(now.bytes_sent - then.bytes_sent);
  const auto parity = static_cast<double>(now.parity_bytes - then.parity_bytes);
  const double limit = link_rate_.bytes_per_s();
  return {.receiver = {},
          .transport = Transport::kUdp,
          .mbit_per_s = bytes * 8 / 1e6 / seconds,
          .limit_mbit_per_s = std::isinf(limit) ? 0 : limit * 8 / 1e6,
          .rtt_ms = static_cast<double>(round_trip_.mean_ns()) / 1e6,
          .delay_ms = newest_.delay_us / 1e3,
          .queue_ms = newest_.queue_us / 1e3,
          .jitter_ms = newest_.jitter_us / 1e3,
          .fec_pct = bytes > parity ? 100 * parity / (bytes - parity) : 0,
          .bytes_sent = bytes_sent_,
          .bytes_parity = parity_bytes_,
          .packets_sent = packets_sent_,
          .packets_retransmitted = repeated_,
          .counters = sum(counters_before_, newest_.counters)};
}

}  // namespace sail
