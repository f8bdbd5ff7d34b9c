// The inside of TcpConnection, for those that make connections. Not for other folders.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sail/net/handle.h"
#include "sail/net/tcp.h"

namespace sail {

struct TcpConnection::Impl : HandleBlock {
  // One write under way: libuv's request and what must live as long.
  struct Write {
    uv_write_t request{};
    std::function<void(bool)> done;
    std::vector<uint8_t> copy;
  };

  uv_tcp_t tcp{};
  uv_shutdown_t shutdown{};
  TcpReader* reader = nullptr;  // null: nobody reads
  std::optional<Error> ended;   // why the connection ended by itself
  Address local;
  Address peer;
  std::vector<std::unique_ptr<Write>> free_writes;
  std::vector<uv_buf_t> buffers;  // of the write() under way; kept for its capacity

  // A handle without a socket, TCP_NODELAY set.
  static std::shared_ptr<Impl> make(Loop& loop);
  // Once connected.
  void note_addresses();

  Loop& loop() { return loop_of(handle()); }
  uv_handle_t* handle() { return reinterpret_cast<uv_handle_t*>(&tcp); }
  uv_stream_t* stream() { return reinterpret_cast<uv_stream_t*>(&tcp); }

  std::unique_ptr<Write> take_write();
  void write(std::unique_ptr<Write> write, std::span<const uv_buf_t> parts);
  void read(ssize_t result);
  void written(Write* write, int status);
  // Closes, and tells the reader why.
  void end(const Error& error);
  void tell_end();
};

}  // namespace sail
