// The UDP socket of the data port. Delivers packets to their sessions by the secret that they
// contain. Anybody can send datagrams, so invalid ones are counted and dropped. Loop thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sail/core/base/log.h"
#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/udp.h"
#include "sail/core/wire/data/packets.h"
#include "sail/core/wire/stats.h"

namespace receiver {

class PacketPort final : private sail::UdpReader {
 public:
  enum class Taken { kYes, kForged, kBadFields };
  class Session {
   public:
    virtual ~Session() = default;
    virtual uint32_t stream() const = 0;
    // Handles a packet of the stream. May destroy the session.
    virtual Taken on_packet(const sail::PacketHeader& header, const sail::Datagram& datagram) = 0;
  };
  // Dropped datagrams, by cause.
  struct Dropped {
    uint64_t foreign = 0;         // not a packet of this protocol and version
    uint64_t unknown_secret = 0;  // secret of no current session
    uint64_t wrong_stream = 0;    // the session's secret with another stream
    uint64_t wrong_type = 0;      // packet type that a receiver does not accept
    uint64_t forged = 0;          // wrong seal, or sealed for a session without a key
    uint64_t bad_fields = 0;

    uint64_t all() const {
      return foreign + unknown_secret + wrong_stream + wrong_type + forged + bad_fields;
    }
  };

  // Hosts whose datagrams were refused, each host once. Further hosts than kMostSenders are not
  // listed.
  using Senders = std::vector<sail::RefusedSender>;
  static constexpr size_t kMostSenders = sail::kMaxRefusedSenders;

  // Errors as in UdpSocket::bind().
  static sail::Result<std::unique_ptr<PacketPort>> bind(sail::Loop& loop, const sail::Address& at,
                                                        const sail::Log& log);

  sail::Address address() const { return socket_->address(); }
  // Registers a session. Returns a new secret; packets with it go to the session until remove().
  uint64_t add(Session& session);
  // Registers the session with this secret, too. Returns false if another session has the secret.
  bool add(Session& session, uint64_t secret) { return sessions_.emplace(secret, &session).second; }
  void remove(uint64_t secret) { sessions_.erase(secret); }

  // Joins a multicast group, whose packets go to the sessions like all others. `here`: this host's
  // address on the way to `from`, which sends to the group.
  sail::Result<std::unique_ptr<sail::UdpSocket>> join(const sail::Address& group,
                                                      const std::string& here,
                                                      const std::string& from);
  // Counts the packets to this multicast group, which no session has, as dropped. loopback: only
  // those from this host. Logs why that is impossible.
  void listen_to_tests(const sail::Address& group, bool loopback);
  // Closes the socket soon: it may just deliver packets.
  void leave(std::unique_ptr<sail::UdpSocket> group);

  void send_to(const sail::UdpPeer& to, std::span<const uint8_t> bytes) {
    socket_->send_to(to, bytes);
  }
  // A stream with frames of at most this size starts (ends). The socket's receive buffer grows to
  // hold parts of a frame of each stream.
  void add_frames_of(size_t frame_bytes);
  void remove_frames_of(size_t frame_bytes) { frame_bytes_ -= frame_bytes; }

  const Dropped& dropped() const { return dropped_; }
  Senders senders() const;
  // Returns the number of datagrams lost because the socket's buffer was full.
  uint64_t socket_full() const { return socket_->dropped(); }

 private:
  PacketPort(sail::Loop& loop, std::unique_ptr<sail::UdpSocket> socket, const sail::Log& log);
  void on_datagrams(std::span<const sail::Datagram> datagrams) override;
  // Returns the counter to increment for a dropped datagram; null if a session took it.
  uint64_t* take(const sail::Datagram& datagram);
  void note_sender(const sail::UdpPeer& from);
  void report_drop_counts(int64_t now_ns);

  sail::Loop& loop_;
  const sail::Log& log_;
  std::unordered_map<uint64_t, Session*> sessions_;
  size_t frame_bytes_ = 0;
  bool advised_ = false;
  Dropped dropped_;
  std::vector<std::pair<sail::UdpPeer, uint64_t>> senders_;  // hosts and their dropped datagrams
  sail::UdpPeer refused_sender_;                             // sender of the last dropped datagram
  uint64_t logged_ = 0;  // dropped datagrams that need no log line (any more)
  int64_t logged_at_ns_ = 0;
  std::unique_ptr<sail::UdpSocket> socket_;
  sail::Address test_group_;
  bool tests_on_loopback_ = false;
  std::unique_ptr<sail::UdpSocket> tests_;
  std::vector<std::unique_ptr<sail::UdpSocket>> left_;  // groups' sockets
  sail::Timer close_left_;
};

}  // namespace receiver
