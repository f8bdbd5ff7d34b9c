// UDP sockets on a Loop, in batches: one system call sends or receives many datagrams (sendmmsg and
// recvmmsg, with UDP segmentation and receive offload if the kernel supports them). Thread: the
// loop's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/tcp.h"

namespace sail {

// Source address of a datagram. A value, cheap to compare.
struct UdpPeer {
  alignas(8) std::array<uint8_t, 28> socket_address{};  // sockaddr_in or sockaddr_in6

  bool operator==(const UdpPeer&) const = default;
};
Address address_of(const UdpPeer& peer);
// The same host without the port.
UdpPeer host_of(UdpPeer peer);

struct Datagram {
  std::span<uint8_t> bytes;  // the reader may modify them
  int64_t arrived_ns = 0;    // steady time of arrival in the kernel; never decreases
  UdpPeer from;
};

class UdpReader {
 public:
  virtual ~UdpReader() = default;
  // Datagrams in order of arrival, valid during the call. Must not destroy the socket.
  virtual void on_datagrams(std::span<const Datagram> datagrams) = 0;
};

// One datagram, gathered from parts.
struct OutgoingDatagram {
  std::span<const std::span<const uint8_t>> parts;
  size_t bytes = 0;  // total size of the parts
};

class UdpSocket {
 public:
  // Binds to a numeric address. Port 0: the system chooses a port, see address(). kConflict: the
  // port is in use; kInvalidParams: invalid address; kIo: other errors.
  static Result<std::unique_ptr<UdpSocket>> bind(Loop& loop, const Address& at);
  // Connects to a numeric address: sends and receives only there. local_port: as in bind().
  static Result<std::unique_ptr<UdpSocket>> connect(Loop& loop, const Address& to,
                                                    uint16_t local_port = 0);
  // Multicast, on the interface that has the address `here`: a connected socket that sends to the
  // group, over at most hops - 1 routers, and a bound one that receives what `from` sends there.
  static Result<std::unique_ptr<UdpSocket>> connect_to_group(Loop& loop, const Address& group,
                                                             const std::string& here, int hops);
  static Result<std::unique_ptr<UdpSocket>> join_group(Loop& loop, const Address& group,
                                                       const std::string& here,
                                                       const std::string& from);
  // On all interfaces, or only on the loopback interface, and from all senders.
  static Result<std::unique_ptr<UdpSocket>> join_from_all(Loop& loop, const Address& group,
                                                          bool loopback);
  ~UdpSocket();
  UdpSocket(const UdpSocket&) = delete;
  UdpSocket& operator=(const UdpSocket&) = delete;

  // The reader must outlive the socket. Call only once.
  void start_reading(UdpReader& reader);

  // For a connected socket. Returns how many datagrams, from the first, the system took: fewer if
  // its buffer is full. Datagrams refused permanently (e.g. closed port) count as taken.
  size_t send(std::span<const OutgoingDatagram> datagrams);
  // For a bound socket. A datagram that cannot be sent at once is lost.
  void send_to(const UdpPeer& to, std::span<const uint8_t> bytes);

  Address address() const;
  // Request kernel buffers of this size and return the actual size. Never shrink a buffer.
  size_t grow_receive_buffer(size_t bytes);
  size_t grow_send_buffer(size_t bytes);
  // Number of receive buffer overflows since the start. A run of datagrams joined by the kernel
  // counts as one.
  uint64_t dropped() const;

  struct Impl;

 private:
  UdpSocket(Loop& loop, std::shared_ptr<Impl> impl);
  Loop& loop_;
  std::shared_ptr<Impl> impl_;
};

// Returns a message with the command `sysctl -w net.core.rmem_max=…` if `got` is less than
// `wanted`, else "".
std::string receive_buffer_advice(size_t wanted, size_t got);
std::string send_buffer_advice(size_t wanted, size_t got);

}  // namespace sail
