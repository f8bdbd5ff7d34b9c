// A minimal receiver of a stream's packets: stores each symbol at its place, and delivers a frame's
// bytes when it is complete. The test decides which packets are lost. Used on its loop's thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sail/core/socket/udp.h"
#include "sail/core/tls/packet_seal.h"
#include "sail/core/wire/data/data_messages.h"
#include "sail/core/wire/data/packets.h"

namespace sail {

struct SeenPacket {
  PacketHeader header;
  FramePacket packet;
  size_t bytes = 0;
  int64_t arrived_ns = 0;
};

struct PacketBehaviour {
  bool feeds_back = true;
  bool asks = true;    // requests retransmission of missing symbols
  bool mends = false;  // repairs by FEC
  bool heeds_probes = true;
  bool gives_up = false;  // gives up frames older than a complete one
  uint64_t lost = 0;      // added to the reported counters
  uint32_t jitter_us = 0;
  uint64_t secret_error = 0;      // added to the secret in feedback
  bool forges = false;            // sends forged copies before each feedback
  std::vector<Missing> nonsense;  // also requests these invalid ranges
  // Returns true for packets to drop, including retransmissions.
  std::function<bool(const SeenPacket&)> loses = [](const SeenPacket&) { return false; };
};

class FakePackets {
 public:
  using OnFrame = std::function<void(const FrameName&, std::span<const uint8_t>)>;
  struct Handlers {
    OnFrame on_whole;
    std::function<void(const FrameName&)> on_lost;
    // Messages received in a packet.
    std::function<void(std::span<const uint8_t>)> on_messages;
  };

  FakePackets(UdpSocket& socket, uint32_t stream, const StreamOpen& open,
              const StreamAccept& accept, const PacketBehaviour& behaviour, Handlers handlers);

  uint64_t secret() const { return secret_; }
  // Handles a datagram with the secret.
  void take(const PacketHeader& header, const Datagram& datagram);
  // Sends feedback after some datagrams.
  void feed_back();
  // Sends messages in a packet, once the peer's address is known.
  void say(std::span<const uint8_t> messages);

  std::vector<SeenPacket> seen;  // packets that were not dropped
  std::vector<Probe> probes;
  std::vector<std::string> mistakes;

 private:
  struct Group {
    std::map<int, std::vector<uint8_t>> parities;
    uint32_t sources = 0;
    size_t tail_bytes = 0;
    int announced = 0;
  };
  struct Partial {
    std::map<uint32_t, std::vector<uint8_t>> symbols;
    uint32_t known = 0;  // number of source symbols known to exist
    bool end_known = false;
    std::map<uint32_t, Group> groups;  // FEC blocks by their first symbol
  };
  using Key = std::pair<uint64_t, uint64_t>;

  void take_source(const FramePacket& packet, std::span<const uint8_t> bytes);
  void take_parity(const FramePacket& packet, std::span<const uint8_t> bytes);
  void mend(Partial& frame, uint32_t first);
  void take_probe(const Probe& probe);
  void deliver();
  void send_forged(std::span<const uint8_t> packet);
  std::vector<Missing> missing() const;

  UdpSocket& socket_;
  const uint32_t stream_;
  const uint64_t secret_;
  const size_t symbol_bytes_;
  std::optional<PacketSeal> opens_;  // decrypts sealed packets
  std::optional<PacketSeal> seals_;
  const PacketBehaviour& behaviour_;
  const Handlers handlers_;
  std::map<Key, Partial> frames_;  // incomplete frames
  Key whole_{};                    // the last delivered frame
  UdpPeer peer_;
  PacketHeader newest_;
  int64_t newest_at_ns_ = 0;
  uint64_t expected_ = 1;
  LinkCounters counters_;
  uint64_t sent_ = 0;
};

}  // namespace sail
