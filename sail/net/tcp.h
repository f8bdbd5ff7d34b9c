// TCP connections and listeners on a Loop. Thread: the loop's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "sail/base/result.h"
#include "sail/net/loop.h"

namespace sail {

struct Address {
  std::string host;  // numeric IPv4 or IPv6 address, or for connect() a name
  uint16_t port = 0;
};

// "host:port", "[v6]:port", "host" or ":port"; what is missing comes from `fallback`.
Result<Address> parse_address(const std::string& text, const Address& fallback);
std::string address_text(const Address& address);

// Reads go where the reader says, so that payload lands in its final place without a copy.
class TcpReader {
 public:
  virtual ~TcpReader() = default;
  // Where the next bytes go; never empty. Asked again before every read.
  virtual std::span<uint8_t> read_buffer() = 0;
  // bytes of the last read_buffer() were filled. May close or destroy the connection.
  virtual void on_read(size_t bytes) = 0;
  // The peer closed, or an error: the connection is closed. Comes once, and not after close().
  virtual void on_closed(const Error& error) = 0;
};

class TcpConnection {
 public:
  using ConnectCallback = std::function<void(Result<std::unique_ptr<TcpConnection>>)>;
  // Resolves a name and connects; TCP_NODELAY is set. The callback comes once, unless the returned
  // guard is destroyed before: that cancels.
  static std::shared_ptr<void> connect(Loop& loop, const Address& to, ConnectCallback callback);

  // Closes at once: unsent bytes are lost, their callbacks come with false from the loop.
  ~TcpConnection();
  TcpConnection(const TcpConnection&) = delete;
  TcpConnection& operator=(const TcpConnection&) = delete;

  // The reader must outlive the connection or stop_reading().
  void start_reading(TcpReader& reader);
  void stop_reading();

  // Gathers the parts, in order, behind what was written before. The bytes must stay unchanged
  // until `done` comes (with false when the connection ended before they were handed to the
  // system). `done` may come after this object is gone, and may be empty.
  void write(std::span<const std::span<const uint8_t>> parts, std::function<void(bool)> done);
  // Copies the bytes: for small messages.
  void write_copy(std::span<const uint8_t> bytes);
  // Closes after everything written has left, or after the time.
  static void close_after_writes(std::unique_ptr<TcpConnection> connection, int64_t at_most_ms);

  size_t unsent_bytes() const;
  Address local_address() const;
  Address peer_address() const;
  // Bytes for the kernel's send and receive buffers; what the system refuses is ignored.
  void set_buffer_sizes(int bytes);

 private:
  friend class TcpListener;
  struct Impl;
  explicit TcpConnection(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

class TcpListener {
 public:
  using AcceptCallback = std::function<void(std::unique_ptr<TcpConnection>)>;
  // Port 0: the system chooses, see address(). An occupied port is ErrorCode::kConflict.
  static Result<std::unique_ptr<TcpListener>> listen(Loop& loop, const Address& at,
                                                     AcceptCallback callback);
  ~TcpListener();
  Address address() const;

 private:
  struct Impl;
  explicit TcpListener(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

}  // namespace sail
