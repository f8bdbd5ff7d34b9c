#include "receiver/intake/packet_port.h"

#include <algorithm>
#include <utility>

#include "sail/core/base/secret.h"
#include "sail/core/time/clock.h"

namespace receiver {
namespace {

constexpr size_t kMinBufferBytes = size_t{1} << 20;
constexpr size_t kMaxBufferBytes = size_t{64} << 20;
constexpr size_t kMaxGroupBufferBytes = size_t{8} << 20;
constexpr size_t kBufferedFrames = 2;
constexpr int64_t kReportIntervalNs = 60'000'000'000;

}  // namespace

sail::Result<std::unique_ptr<PacketPort>> PacketPort::bind(sail::Loop& loop,
                                                           const sail::Address& at,
                                                           const sail::Log& log) {
  auto socket = sail::UdpSocket::bind(loop, at);
  if (!socket) return std::move(socket.error());
  return std::unique_ptr<PacketPort>(new PacketPort(loop, *std::move(socket), log));
}

PacketPort::PacketPort(sail::Loop& loop, std::unique_ptr<sail::UdpSocket> socket,
                       const sail::Log& log)
    : loop_(loop), log_(log), socket_(std::move(socket)), close_left_(loop) {
  socket_->start_reading(*this);
}

uint64_t PacketPort::add(Session& session) {
  uint64_t secret = sail::random_secret();
  while (!sessions_.emplace(secret, &session).second) secret = sail::random_secret();
  return secret;
}

sail::Result<std::unique_ptr<sail::UdpSocket>> PacketPort::join(const sail::Address& group,
                                                                const std::string& here,
                                                                const std::string& from) {
  auto socket = sail::UdpSocket::join_group(loop_, group, here, from);
  if (!socket) return socket;
  (*socket)->grow_receive_buffer(
      std::clamp(kBufferedFrames * frame_bytes_, kMinBufferBytes, kMaxGroupBufferBytes));
  (*socket)->start_reading(*this);
  return socket;
}

void PacketPort::listen_to_tests(const sail::Address& group, bool loopback) {
  if (group == test_group_ && loopback == tests_on_loopback_) return;
  test_group_ = group;
  tests_on_loopback_ = loopback;
  if (tests_) leave(std::move(tests_));
  auto socket = sail::UdpSocket::join_from_all(loop_, group, loopback);
  if (!socket) {
    log_.warning("`vitrail doctor` cannot test multicast to this receiver by the group {}: {}",
                 group.host, socket.error().message);
    return;
  }
  tests_ = *std::move(socket);
  tests_->start_reading(*this);
}

void PacketPort::leave(std::unique_ptr<sail::UdpSocket> group) {
  left_.push_back(std::move(group));
  close_left_.start(0, 0, [this] { left_.clear(); });
}

void PacketPort::add_frames_of(size_t frame_bytes) {
  frame_bytes_ += frame_bytes;
  const size_t wanted =
      std::clamp(kBufferedFrames * frame_bytes_, kMinBufferBytes, kMaxBufferBytes);
  const size_t got = socket_->grow_receive_buffer(wanted);
  if (const std::string advice = sail::receive_buffer_advice(wanted, got);
      !advice.empty() && !std::exchange(advised_, true)) {
    log_.warning("packets may be lost on this node: {}", advice);
  }
}

void PacketPort::on_datagrams(std::span<const sail::Datagram> datagrams) {
  for (const sail::Datagram& datagram : datagrams) {
    uint64_t* cause = take(datagram);
    if (cause == nullptr) continue;
    ++*cause;
    // A test datagram of `vitrail doctor` is counted, but not logged.
    const bool is_test = std::ranges::equal(datagram.bytes, sail::kTestDatagram);
    is_test ? void(++logged_) : void(refused_sender_ = datagram.from);
    note_sender(datagram.from);
  }
  if (dropped_.all() != logged_) report_drop_counts(sail::steady_now_ns());
}

uint64_t* PacketPort::take(const sail::Datagram& datagram) {
  const auto header = sail::decode_packet_header(datagram.bytes);
  if (!header) return &dropped_.foreign;
  const auto it = sessions_.find(header->secret);
  if (it == sessions_.end()) return &dropped_.unknown_secret;
  if (it->second->stream() != header->stream) return &dropped_.wrong_stream;
  if (header->type == sail::PacketType::kFeedback) return &dropped_.wrong_type;
  switch (it->second->on_packet(*header, datagram)) {
    case Taken::kForged:
      return &dropped_.forged;
    case Taken::kBadFields:
      return &dropped_.bad_fields;
    case Taken::kYes:
      break;
  }
  return nullptr;
}

void PacketPort::note_sender(const sail::UdpPeer& from) {
  const sail::UdpPeer host = host_of(from);
  const auto known = std::ranges::find(senders_, host, &decltype(senders_)::value_type::first);
  if (known != senders_.end()) {
    ++known->second;
  } else if (senders_.size() < kMostSenders) {
    senders_.emplace_back(host, 1);
  }
}

PacketPort::Senders PacketPort::senders() const {
  Senders senders;
  for (const auto& [peer, packets] : senders_) {
    // The address of a host may have two forms: a socket for both families maps IPv4 to IPv6.
    const std::string host = sail::address_of(peer).host;
    const auto known = std::ranges::find(senders, host, &sail::RefusedSender::host);
    if (known != senders.end()) {
      known->packets += packets;
    } else {
      senders.push_back({.host = host, .packets = packets});
    }
  }
  return senders;
}

void PacketPort::report_drop_counts(int64_t now_ns) {
  if (logged_at_ns_ != 0 && now_ns - logged_at_ns_ < kReportIntervalNs) return;
  log_.warning(
      "dropped datagrams that belong to no stream here, the last from {}: {} of another protocol, "
      "{} with an unknown secret, {} forged, {} malformed",
      sail::address_text(sail::address_of(refused_sender_)), dropped_.foreign,
      dropped_.unknown_secret, dropped_.forged,
      dropped_.wrong_stream + dropped_.wrong_type + dropped_.bad_fields);
  logged_ = dropped_.all();
  logged_at_ns_ = now_ns;
}

}  // namespace receiver
