// TCP connections and listeners on a Loop. Thread: the loop's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "sail/core/address/address.h"
#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"

namespace sail {

// Reads into buffers of the reader, so that payload arrives in its final place without a copy.
class TcpReader {
 public:
  virtual ~TcpReader() = default;
  // Buffer for the next bytes; never empty. Called before every read.
  virtual std::span<uint8_t> read_buffer() = 0;
  // The last read_buffer() was filled with this many bytes. May close or destroy the connection.
  virtual void on_read(size_t bytes) = 0;
  // The peer closed (kUnavailable), or an error occurred (kIo): the connection is closed. Called
  // once, and not after the connection was destroyed.
  virtual void on_closed(const Error& error) = 0;
};

// Text that several connections send, without a copy for each.
using SharedText = std::shared_ptr<const std::string>;
inline SharedText share(std::string text) {
  return std::make_shared<const std::string>(std::move(text));
}

// Counters of the kernel for a connection.
struct TcpCounts {
  uint64_t retransmitted = 0;  // retransmitted segments
  int64_t busy_us = 0;         // time with unacknowledged or unsent data
  // The peer's kernel acknowledges data, whatever its programs do.
  uint64_t acknowledged = 0;    // bytes
  bool unacknowledged = false;  // data is unacknowledged
  int64_t heard_us_ago = 0;     // time since the last acknowledgement, duplicates included
  int64_t sent_us_ago = 0;      // time since data was sent last
  int64_t round_trip_us = 0;
  int64_t jitter_us = 0;               // mean deviation of the round trip
  int64_t shortest_round_trip_us = 0;  // without delayed acknowledgements
};
TcpCounts tcp_counts(int socket);  // for this folder only

class TcpConnection {
 public:
  using ConnectCallback = std::function<void(Result<std::unique_ptr<TcpConnection>>)>;
  static constexpr int64_t kConnectTimeoutMs = 10000;
  struct ConnectOptions {
    int64_t timeout_ms = kConnectTimeoutMs;  // for everything, TLS handshake included
    int64_t reach_ms = kConnectTimeoutMs;    // for the TCP handshake of one address
    TlsUse tls = tls_use();
    // The only certificate fingerprint accepted with TLS; "" accepts none. Empty optional: accept
    // any, because both ends will prove their key for this session.
    std::optional<std::string> certificate = {};
  };

  // Resolves the name and tries its addresses in turn; sets TCP_NODELAY. The callback is called
  // once; destroying the returned guard cancels the attempt. Errors: kNotFound (no such host),
  // kUnavailable (refused, unreachable), kTimeout, kIo (out of descriptors), kUnauthorized (no TLS
  // 1.3, or another certificate).
  static std::shared_ptr<void> connect(Loop& loop, const Address& to, ConnectCallback callback,
                                       const ConnectOptions& options);
  static std::shared_ptr<void> connect(Loop& loop, const Address& to, ConnectCallback callback);

  // Closes at once: unsent bytes are lost, and their callbacks are called with false from the loop.
  ~TcpConnection();
  TcpConnection(const TcpConnection&) = delete;
  TcpConnection& operator=(const TcpConnection&) = delete;

  // The reader must outlive the connection or stop_reading(). While there is no reader, the peer's
  // disconnect is not reported; the next reader gets it.
  void start_reading(TcpReader& reader);
  void stop_reading();
  // One buffer shared by all connections of a loop, so that idle connections need none. For readers
  // that consume the bytes at once.
  std::span<uint8_t> shared_read_buffer();

  // Sends the parts in order after earlier writes, at once if the system accepts them. The bytes
  // must stay unchanged until `done` is called (false: the connection ended before the system took
  // them). `done` may be called after this object is destroyed, and may be empty. Up to 4 parts do
  // not allocate in the long run; libuv allocates for longer lists.
  void write(std::span<const std::span<const uint8_t>> parts, std::function<void(bool)> done);
  // Copies the bytes: for small messages.
  void write_copy(std::span<const uint8_t> bytes);
  // Keeps the parts until the system has taken them.
  void write_shared(std::span<const SharedText> parts);
  // Closes the connection when all data was sent and the peer has closed its side, or after the
  // timeout. Bytes that the peer still sends are discarded: closing with unread data would make the
  // system discard ours. Closes at once if hundreds of connections are already waiting like this.
  static void close_after_writes(std::unique_ptr<TcpConnection> connection, int64_t at_most_ms);

  // Bytes written but not yet taken by the system.
  size_t unsent_bytes() const;
  // The memory of these bytes. A large text that several connections send counts in part for each
  // of them.
  size_t unsent_memory() const;
  TcpCounts counts() const;
  // Acknowledges received data now instead of with the next answer (TCP_QUICKACK). For peers that
  // send a small header and wait for its acknowledgement before the body. Call each time.
  void acknowledge_now();
  // 64 hexadecimal digits known only to both ends of this TLS session; "" without TLS.
  std::string binding() const;
  Address local_address() const;
  Address peer_address() const;
  // Bytes for each of the kernel's send and receive buffers; errors are ignored.
  void set_buffer_sizes(int bytes);

  struct Impl;  // for this folder only
  explicit TcpConnection(std::shared_ptr<Impl> impl);

 private:
  std::shared_ptr<Impl> impl_;
};

class TcpListener {
 public:
  using AcceptCallback = std::function<void(std::unique_ptr<TcpConnection>)>;
  // A numeric address. Port 0: the system chooses a port, see address(). kConflict: the port is in
  // use; kInvalidParams: invalid address; kIo: other errors. When the process is out of
  // descriptors, connections wait, and on_descriptors_exhausted is called with kIo for each failed
  // accept.
  using DescriptorsExhaustedCallback = std::function<void(const Error&)>;
  struct PlainPeers {
    TlsUse tls = tls_use();
    std::string refusal{};  // answer to peers that must use TLS but do not
  };
  static Result<std::unique_ptr<TcpListener>> listen(
      Loop& loop, const Address& at, AcceptCallback callback,
      DescriptorsExhaustedCallback on_descriptors_exhausted = {});
  static Result<std::unique_ptr<TcpListener>> listen(
      Loop& loop, const Address& at, AcceptCallback callback,
      DescriptorsExhaustedCallback on_descriptors_exhausted, PlainPeers plain_peers);
  // Fingerprint of the certificate used by all listeners of the loop.
  static const std::string& fingerprint(Loop& loop);
  ~TcpListener();
  TcpListener(const TcpListener&) = delete;
  TcpListener& operator=(const TcpListener&) = delete;

  Address address() const;

 private:
  struct Impl;
  explicit TcpListener(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

}  // namespace sail
