// A scripted data port of a receiver: splits frames into blocks, and reports as the test says. Used
// on its loop's thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sail/core/loop/loop.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/socket/udp.h"
#include "sail/core/wire/application_messages.h"
#include "sail/core/wire/data/data_messages.h"
#include "tests/unit/sail/client/transport/fake_packets.h"

namespace sail {

struct ReceivedFrame {
  uint32_t stream = 0;
  FrameBegin begin;
  FrameEnd end;
  bool whole = false;                                          // its end message arrived
  std::map<std::pair<int, int>, std::vector<uint8_t>> blocks;  // by row and column, with kept ones
  std::set<std::pair<int, int>> came;                          // blocks sent with this frame
  std::vector<int> rows;  // row of each run, in order of arrival
};

class FakeReceiver : private UdpReader {
 public:
  struct Behaviour {
    bool accepts = true;
    bool stops_reading = false;  // after accepting
    uint16_t frames_in_flight = 4;
    bool reports_ready = false;            // each whole frame at once
    bool reports = true;                   // each whole frame at once, as shown
    bool decodes = true;                   // false: reports frames as undecoded instead
    int64_t swapped_after_ns = 1'000'000;  // its submission
    bool says_by_packets = false;          // only
    bool names_memory = false;             // over TCP, without being asked
    PacketBehaviour packets{};
  };

  FakeReceiver(Loop& loop, std::string name) : FakeReceiver(loop, std::move(name), Behaviour{}) {}
  FakeReceiver(Loop& loop, std::string name, const Behaviour& behaviour);
  ~FakeReceiver() override;

  // A route that sends these blocks to this receiver.
  Route route(std::vector<BlockRect> blocks) const;

  Behaviour behaviour;  // may change at any time
  std::vector<StreamOpen> opened;
  std::vector<ReceivedFrame> frames;
  std::vector<FrameShow> shows;    // received on the connection
  std::vector<FrameShow> layouts;  // those without a frame
  std::vector<FrameShow> shows_by_packets;
  std::vector<CloseMessage> closes;
  int connections = 0;  // total
  int connections_lost = 0;
  std::vector<std::string> mistakes;  // protocol violations by the sender

  void report(uint64_t frame, uint64_t epoch, FrameOutcome outcome, int64_t swapped_ns);
  // Sends any bytes on the newest connection.
  void send(std::span<const uint8_t> bytes);
  void drop_connections();

  // The packets of the newest connection, over UDP.
  const FakePackets& packets() const;

 private:
  class Connection;
  void on_datagrams(std::span<const Datagram> datagrams) override;

  Loop& loop_;
  const std::string name_;
  std::unique_ptr<TcpListener> listener_;
  std::unique_ptr<UdpSocket> socket_;  // same port number as the listener
  std::vector<std::unique_ptr<Connection>> connections_;
};

}  // namespace sail
