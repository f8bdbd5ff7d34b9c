// The UDP packets of one stream between sender and receiver. Numbers and timestamps outgoing
// packets and reads the receiver's feedback. Derives the link's capacity and the FEC overhead from
// this feedback. Runs on the loop thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "sail/client/transport/link_rate.h"
#include "sail/client/transport/packet_batch.h"
#include "sail/client/transport/repair_symbols.h"
#include "sail/core/base/log.h"
#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/udp.h"
#include "sail/core/time/wall_clock.h"
#include "sail/core/tls/packet_seal.h"
#include "sail/core/wire/data/data_messages.h"
#include "sail/core/wire/data/packets.h"
#include "sail/core/wire/stats.h"

namespace sail {

// Smoothed round-trip time of a packet and its answer. Pure.
class RoundTrip {
 public:
  // Sets an estimate until the first measurement.
  void guess(int64_t ns) {
    mean_ns_ = std::min(ns, kLongestGuessNs);
    measured_ = false;
  }
  // Adds a measurement: a packet sent at echo_us was answered after being held for hold_us. Times
  // are modulo 2^32. The peer is not trusted: impossible values are ignored.
  void add(uint32_t now_us, uint32_t echo_us, uint32_t hold_us) {
    const uint32_t passed_us = now_us - echo_us;
    if (passed_us > kLongestUs || hold_us > passed_us) return;
    const int64_t sample_ns = int64_t{1000} * (passed_us - hold_us);
    mean_ns_ = measured_ ? mean_ns_ + (sample_ns - mean_ns_) / kSmooth : sample_ns;
    measured_ = true;
  }
  int64_t mean_ns() const { return mean_ns_; }

 private:
  static constexpr uint32_t kLongestUs = 10'000'000;
  // The receiver may have been busy when the estimate was measured.
  static constexpr int64_t kLongestGuessNs = 100'000'000;
  static constexpr int64_t kSmooth = 8;
  int64_t mean_ns_ = 0;
  bool measured_ = false;
};

class PacketLink final : private UdpReader {
 public:
  // Handlers must not call stop().
  struct Handlers {
    // Called after counters, round trip and rates have been updated.
    std::function<void(const Feedback&)> on_feedback;
    // Delivers unchecked message bytes, valid during the call only.
    std::function<void(std::span<const uint8_t> messages)> on_messages;
  };
  PacketLink(Loop& loop, const WallClock& clock, const Log& log, uint32_t stream, Address to,
             Handlers handlers);

  // Starts packets for a newly accepted connection of the stream.
  Result<void> start(const StreamAccept& accept, bool sealed, int64_t round_trip_ns);
  // As start(), for packets to a multicast group, sent from the interface with the address `here`.
  // Nobody answers.
  Result<void> start_group(const MulticastJoin& join, bool sealed, const std::string& here,
                           int hops);
  void stop();

  // --- sending
  uint32_t now_us() const { return static_cast<uint32_t>(clock_.wall_now_ns() / 1000); }
  // Returns the header of the packet that follows `after` packets not yet sent.
  PacketHeader header(PacketType type, size_t after) const;
  // Seal for these packets; null: packets are not encrypted. Valid until the next start().
  PacketSeal* seal() { return seals_ ? &*seals_ : nullptr; }
  // Sends packets whose headers are from header(), in that order. Returns how many, counted from
  // the first, were sent.
  size_t send(PacketBatch& batch);
  void send(const Probe& probe);
  // At most RepeatedMessages::kMaxBytes.
  void send(std::span<const uint8_t> messages);
  void count_parity(size_t bytes) { parity_bytes_ += bytes; }
  void count_repeat() { ++repeated_; }

  // --- estimates
  const RoundTrip& round_trip() const { return round_trip_; }
  int64_t jitter_ns() const { return int64_t{1000} * newest_.jitter_us; }
  const FecShare& fec_share() const { return fec_share_; }
  double limit_bytes_per_s() const { return link_rate_.bytes_per_s(); }
  // Call when the limit holds packets back.
  void set_limited() { limited_ = true; }
  uint64_t bytes_sent() const { return bytes_sent_; }
  LinkStats stats(int64_t now_ns);

 private:
  void on_datagrams(std::span<const Datagram> datagrams) override;
  void take(const Datagram& datagram);
  void take_feedback(const PacketHeader& header, std::span<const uint8_t> packet);
  void use(std::unique_ptr<UdpSocket> socket);
  void use_key(const PacketKey& key);
  // Sends one packet. The header has a number not used before.
  void send_alone(const PacketHeader& header, std::span<uint8_t> packet);

  Loop& loop_;
  const WallClock& clock_;
  const Log& log_;
  const uint32_t stream_;
  const Address to_;
  const Handlers handlers_;

  // State of the current connection.
  std::unique_ptr<UdpSocket> socket_;
  uint64_t secret_ = 0;
  std::optional<PacketSeal> seals_;  // for outgoing packets; empty: not encrypted
  std::optional<PacketSeal> opens_;
  uint64_t last_number_ = 0;
  uint64_t last_feedback_number_ = 0;
  Feedback newest_;
  Feedback incoming_;
  RoundTrip round_trip_;
  FecShare fec_share_;
  LinkRate link_rate_;
  bool limited_ = false;
  bool advised_ = false;  // warned about the send buffer's size

  // Totals since the stream was opened.
  LinkCounters counters_before_;  // sum of earlier connections
  uint64_t packets_sent_ = 0;
  uint64_t bytes_sent_ = 0;
  uint64_t repeated_ = 0;
  uint64_t parity_bytes_ = 0;
  struct Then {  // values at the last stats()
    int64_t at_ns = 0;
    uint64_t bytes_sent = 0;
    uint64_t parity_bytes = 0;
  };
  Then then_;
};

}  // namespace sail
