// UDP sockets on a Loop, in batches: one call to the system sends or receives many datagrams
// (sendmmsg and recvmmsg, and UDP segmentation and receive offload where the kernel has them).
// Thread: the loop's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "sail/base/result.h"
#include "sail/net/loop.h"
#include "sail/net/tcp.h"

namespace sail {

// Where a datagram came from. A value, cheap to compare.
struct UdpPeer {
  alignas(8) std::array<uint8_t, 28> socket_address{};  // as the system has it

  bool operator==(const UdpPeer&) const = default;
};
Address address_of(const UdpPeer& peer);
// The same host, and no port.
UdpPeer host_of(UdpPeer peer);

struct Datagram {
  std::span<uint8_t> bytes;  // the reader's to change
  int64_t arrived_ns = 0;    // steady: when the kernel got it; never less than the one's before
  UdpPeer from;
};

class UdpReader {
 public:
  virtual ~UdpReader() = default;
  // In order of arrival; the bytes are valid until it returns. Not for destroying the socket in it.
  virtual void on_datagrams(std::span<const Datagram> datagrams) = 0;
};

// One datagram, gathered.
struct OutgoingDatagram {
  std::span<const std::span<const uint8_t>> parts;
  size_t bytes = 0;  // of the parts together
};

class UdpSocket {
 public:
  // Bound to a numeric address. Port 0: the system chooses, see address(). An occupied port is
  // kConflict; kInvalidParams for what is no address, kIo for the rest.
  static Result<std::unique_ptr<UdpSocket>> bind(Loop& loop, const Address& at);
  // Connected to a numeric address: sends there, and receives from nobody else. local_port: as of
  // bind().
  static Result<std::unique_ptr<UdpSocket>> connect(Loop& loop, const Address& to,
                                                    uint16_t local_port = 0);
  ~UdpSocket();
  UdpSocket(const UdpSocket&) = delete;
  UdpSocket& operator=(const UdpSocket&) = delete;

  // The reader must outlive the socket. Once.
  void start_reading(UdpReader& reader);

  // For a connected socket. How many of them, from the first, the system took: fewer when its
  // buffer is full; what it refuses for good (nobody listens there) counts as taken.
  size_t send(std::span<const OutgoingDatagram> datagrams);
  // For a bound socket. What cannot be sent at once is lost.
  void send_to(const UdpPeer& to, std::span<const uint8_t> bytes);

  Address address() const;
  // Ask the kernel for buffers of that many bytes; what they got. Never less than before.
  size_t grow_receive_buffer(size_t bytes);
  size_t grow_send_buffer(size_t bytes);
  // How often the receive buffer was too full, since the start. A run of datagrams that the kernel
  // has joined counts as one.
  uint64_t dropped() const;

  struct Impl;

 private:
  UdpSocket(Loop& loop, std::shared_ptr<Impl> impl);
  Loop& loop_;
  std::shared_ptr<Impl> impl_;
};

// "raise it with: sysctl -w net.core.rmem_max=…" when `got` is less than `wanted`, else empty.
std::string receive_buffer_advice(size_t wanted, size_t got);
std::string send_buffer_advice(size_t wanted, size_t got);

}  // namespace sail
