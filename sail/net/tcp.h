// TCP connections and listeners on a Loop. Thread: the loop's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "sail/base/result.h"
#include "sail/net/loop.h"

namespace sail {

struct Address {
  std::string host;  // numeric IPv4 or IPv6 address, or for connect() a name
  uint16_t port = 0;
  std::string certificate{};  // the fingerprint of its listener's, if somebody told it

  bool operator==(const Address&) const = default;
};

// "host:port", "[v6]:port", "host" or ":port"; what is missing comes from `fallback`.
// kInvalidParams.
Result<Address> parse_address(const std::string& text, const Address& fallback);
std::string address_text(const Address& address);
// As parse_address: of the manager that is given, else of $VITRAIL_MANAGER, else 127.0.0.1:7440.
Result<Address> manager_address(const std::string& given);
// Whether the host is this one by its loopback: "localhost", 127.0.0.0/8, ::1.
bool is_loopback(const std::string& host);
// Whom an address counts for where each is to have a share: an IPv4 address itself, the /64 of an
// IPv6 address, of which one host has all.
std::string network_of(const std::string& host);
// For whoever started a program with port 0: the file is whole as soon as it is there. Without a
// path nothing is written. kIo.
Result<void> write_port_file(const std::string& path, uint16_t port);

// Whether a connection is encrypted by TLS 1.3. A client goes by the address that it connects to. A
// listener takes TLS from everybody, and goes by the peer's address for those who speak without.
enum class TlsUse : uint8_t {
  kOffLoopback,  // only connections within this host may be plain
  kAlways,
  kNever,      // a listener still takes it from those who begin with it
  kAsItComes,  // bytes are brought through whatever they are
};
// As $VITRAIL_TLS says, "always" or "never"; else off loopback.
TlsUse tls_use();
// Whether what goes between this process and the peer is encrypted then, packets of UDP, too.
bool is_protected(const Address& peer, TlsUse use = tls_use());

// Reads go where the reader says, so that payload lands in its final place without a copy.
class TcpReader {
 public:
  virtual ~TcpReader() = default;
  // Where the next bytes go; never empty. Asked again before every read.
  virtual std::span<uint8_t> read_buffer() = 0;
  // bytes of the last read_buffer() were filled. May close or destroy the connection.
  virtual void on_read(size_t bytes) = 0;
  // The peer closed (kUnavailable), or an error (kIo): the connection is closed. Comes once, and
  // not after close().
  virtual void on_closed(const Error& error) = 0;
};

// What the system counts of a connection, since it was made.
struct TcpCounts {
  uint64_t retransmitted = 0;  // segments sent again
  int64_t busy_us = 0;         // while bytes were on their way, or waited to be
  // The peer's system acknowledges what comes to it, whatever its programs do.
  uint64_t acknowledged = 0;    // bytes
  bool unacknowledged = false;  // others are on their way
  int64_t heard_us_ago = 0;     // it acknowledged something, or the same once more
  int64_t round_trip_us = 0;
  int64_t jitter_us = 0;  // of that, on average
};

class TcpConnection {
 public:
  using ConnectCallback = std::function<void(Result<std::unique_ptr<TcpConnection>>)>;
  static constexpr int64_t kConnectTimeoutMs = 10000;
  struct ConnectOptions {
    int64_t timeout_ms = kConnectTimeoutMs;  // of the whole, with the handshake
    TlsUse tls = tls_use();
    // The fingerprint of the only certificate that the listener may show, where TLS is spoken; ""
    // is none. Nothing: any, since both ends will prove their key for this very session.
    std::optional<std::string> certificate = {};
  };

  // Resolves a name and tries its addresses in turn; TCP_NODELAY is set. The callback comes once,
  // unless the returned guard is destroyed before: that cancels. Errors: kNotFound (no such host),
  // kUnavailable (refused, unreachable), kTimeout, kIo (out of descriptors), kUnauthorized (no TLS
  // 1.3 with it, or another certificate).
  static std::shared_ptr<void> connect(Loop& loop, const Address& to, ConnectCallback callback,
                                       const ConnectOptions& options);
  static std::shared_ptr<void> connect(Loop& loop, const Address& to, ConnectCallback callback);

  // Closes at once: unsent bytes are lost, their callbacks come with false from the loop.
  ~TcpConnection();
  TcpConnection(const TcpConnection&) = delete;
  TcpConnection& operator=(const TcpConnection&) = delete;

  // The reader must outlive the connection or stop_reading(). Nobody hears of the peer's end while
  // nobody reads; whoever starts reading then does.
  void start_reading(TcpReader& reader);
  void stop_reading();
  // For readers that take away at once what they read: one buffer for all of a loop, so that idle
  // connections have none.
  std::span<uint8_t> shared_read_buffer();

  // Gathers the parts, in order, behind what was written before; what the system takes at once goes
  // at once. The bytes must stay unchanged until `done` comes (with false when the connection ended
  // before they were handed to the system). `done` may come after this object is gone, and may be
  // empty. Up to 4 parts take no memory once the connection has run for a while; libuv takes some
  // for a longer list.
  void write(std::span<const std::span<const uint8_t>> parts, std::function<void(bool)> done);
  // Copies the bytes: for small messages.
  void write_copy(std::span<const uint8_t> bytes);
  // Closes after everything written has left and the peer has closed its side (bytes that it still
  // sends are thrown away: closing over unread bytes would make the system throw away ours), or
  // after the time; at once when hundreds do so already.
  static void close_after_writes(std::unique_ptr<TcpConnection> connection, int64_t at_most_ms);

  // Bytes written and not yet handed to the system.
  size_t unsent_bytes() const;
  TcpCounts counts() const;
  // What has come is acknowledged now, not with what goes back next: for a peer that sends a small
  // head, and its body when that was acknowledged. To be asked for each time.
  void acknowledge_now();
  // 64 hexadecimal digits that only the two ends of this very TLS session know; "" without one.
  std::string binding() const;
  Address local_address() const;
  Address peer_address() const;
  // Bytes for the kernel's send and receive buffers; what the system refuses is ignored.
  void set_buffer_sizes(int bytes);

  struct Impl;  // for this folder only
  explicit TcpConnection(std::shared_ptr<Impl> impl);

 private:
  std::shared_ptr<Impl> impl_;
};

class TcpListener {
 public:
  using AcceptCallback = std::function<void(std::unique_ptr<TcpConnection>)>;
  // A numeric address. Port 0: the system chooses, see address(). An occupied port is
  // ErrorCode::kConflict; kInvalidParams for what is no address, kIo for the rest. When the process
  // runs out of descriptors, connections wait until there are some; on_starved says so (kIo) every
  // time that one cannot be accepted.
  using StarvedCallback = std::function<void(const Error&)>;
  struct PlainPeers {
    TlsUse tls = tls_use();
    std::string refusal{};  // what those hear who may not speak without TLS
  };
  static Result<std::unique_ptr<TcpListener>> listen(Loop& loop, const Address& at,
                                                     AcceptCallback callback,
                                                     StarvedCallback on_starved = {});
  static Result<std::unique_ptr<TcpListener>> listen(Loop& loop, const Address& at,
                                                     AcceptCallback callback,
                                                     StarvedCallback on_starved,
                                                     PlainPeers plain_peers);
  // Of the certificate that all listeners of the loop show.
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
