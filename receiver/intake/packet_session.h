// The packets of one stream's data connection: reassembles frames, and sends feedback on received
// and missing packets to the sender. Loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "receiver/intake/frame_intake.h"
#include "receiver/intake/frame_reassembler.h"
#include "receiver/intake/group_packets.h"
#include "receiver/intake/packet_delay.h"
#include "receiver/intake/packet_loss.h"
#include "receiver/intake/packet_port.h"
#include "sail/core/loop/loop.h"
#include "sail/core/tls/packet_seal.h"
#include "sail/core/wire/data/message_buffer.h"
#include "sail/core/wire/data/packets.h"
#include "sail/core/wire/data/repeated_messages.h"

namespace receiver {

class PacketSession final : private PacketPort::Session, private FrameReassembler::Sink {
 public:
  struct Handlers {
    std::function<void(size_t bytes)> on_bytes;
    // The peer violated the protocol. May destroy the session.
    std::function<void(const sail::DataError&)> on_error;
    // A message about frames, maybe a copy of one sent over TCP. Return false if it is invalid.
    std::function<bool(const sail::MessageBuffer::Message&)> on_message;
    std::function<int64_t(int64_t steady_ns)> to_wall_ns;
    // The first packet from the multicast group with this secret has arrived.
    std::function<void(uint64_t secret)> on_group_heard{};
  };
  // Frames of the source, with a limit of frames in flight and the size of a symbol.
  struct Setup {
    FrameSource source;
    int frames_in_flight = 0;
    size_t symbol_bytes = 0;
    bool sealed = false;  // packets are sealed with a new key
  };

  // Return the most bytes of a frame's messages, and of all packets that a session can store.
  static size_t max_frame_bytes(const FrameSource& source);
  static size_t memory(const FrameSource& source, int frames_in_flight) {
    return static_cast<size_t>(frames_in_flight) * max_frame_bytes(source);
  }

  // The intake must outlive the session.
  PacketSession(sail::Loop& loop, std::shared_ptr<PacketPort> port, FrameIntake& intake,
                const Setup& setup, Handlers handlers);
  ~PacketSession() override;
  PacketSession(const PacketSession&) = delete;
  PacketSession& operator=(const PacketSession&) = delete;

  // Sends a message about a frame in packets too, after it was sent on the TCP connection.
  void repeat_message(std::span<const uint8_t> message);

  // Joins or leaves the multicast group. sender: the ends of the stream's connection.
  sail::Result<void> follow_group(const sail::MulticastJoin& join, const sail::Ends& sender) {
    return group_.follow(join, sender, setup_.sealed);
  }

  uint64_t secret() const { return secret_; }
  // Returns the key of sealed packets; zeros if not sealed.
  const sail::PacketKey& key() const { return key_; }

 private:
  uint32_t stream() const override { return setup_.source.stream; }
  PacketPort::Taken on_packet(const sail::PacketHeader& header,
                              const sail::Datagram& datagram) override;
  std::optional<sail::DataError> frame_begins(size_t under_way) override;
  std::optional<sail::DataError> frame_bytes(const sail::FrameName& name,
                                             std::span<const uint8_t> bytes) override;
  std::optional<sail::DataError> frame_complete(const sail::FrameName& name) override;
  std::optional<sail::DataError> frame_lost(const sail::FrameName& name) override;

  // Handles a packet's content.
  PacketPort::Taken take(const sail::PacketHeader& header, const sail::Datagram& datagram,
                         std::span<const uint8_t> bytes);
  // Counts the packet. Returns false if it is a duplicate.
  bool is_new(const sail::PacketHeader& header, const sail::Datagram& datagram);
  bool is_of_group(const sail::PacketHeader& header) const { return header.secret != secret_; }
  // The sender has many receivers, and this one loses nothing: fewer packets suffice.
  bool spares_sender(int64_t now_ns) const;
  int64_t deadline_ns(const sail::FrameBegin& begin, int64_t now_ns) const;
  void feed_back_on_frame(int64_t now_ns);
  void feed_back_within(int64_t wait_ns, int64_t now_ns);
  void on_tick();
  void send_feedback(int64_t now_ns);
  void send_messages(int64_t now_ns);
  // Returns a header with the next packet number.
  sail::PacketHeader header(sail::PacketType type, int64_t now_ns);
  void send(const sail::PacketHeader& header, std::span<uint8_t> packet);
  bool handle_messages(std::span<const uint8_t> messages) const;
  void tick();
  sail::LinkCounters counters() const;
  uint64_t packets_lost() const {
    return loss_.counters().packets_lost + group_.loss().counters().packets_lost;
  }

  const std::shared_ptr<PacketPort> port_;
  FrameIntake& intake_;
  const Setup setup_;
  const Handlers handlers_;
  const uint64_t socket_full_before_;
  const uint64_t secret_;
  const sail::PacketKey key_;
  std::optional<sail::PacketSeal> opens_;  // for sealed packets
  std::optional<sail::PacketSeal> seals_;

  PacketLoss loss_;
  GroupPackets group_;
  PacketDelay delay_;
  PacketFrames frames_;
  FrameReassembler reassembler_;

  sail::UdpPeer peer_;           // source of the newest packet
  uint32_t newest_sent_us_ = 0;  // when that packet was sent and arrived
  int64_t newest_arrived_ns_ = 0;
  uint64_t lost_reported_ = 0;  // losses reported in the last feedback
  int64_t lossy_until_ns_ = 0;  // a packet was lost less than kAfterLossNs before this time
  uint64_t sent_ = 0;           // packets sent; the last packet number
  sail::RepeatedMessages repeated_;
  int64_t fed_back_ns_ = 0;  // time of the last feedback
  int64_t due_ns_ = 0;       // time of the next feedback; 0: none
  sail::Feedback feedback_;  // kept for its capacity
  bool ticking_ = false;
  sail::Timer tick_;
};

}  // namespace receiver
