// The inside of TcpConnection, for those that make connections. Not for other folders.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sail/net/handle.h"
#include "sail/net/tcp.h"

namespace sail {

class TlsStream;

struct TcpConnection::Impl : HandleBlock, std::enable_shared_from_this<Impl> {
  // One write under way: libuv's request and what must live as long.
  struct Write {
    uv_write_t request{};
    std::function<void(bool)> done;
    std::vector<uint8_t> copy;
    // Under TLS: what is not encrypted yet, from next_part on.
    std::vector<std::span<const uint8_t>> parts;
    size_t next_part = 0;
  };
  // Of an accepted connection until its first byte has told whether it is TLS.
  struct Gate {
    bool plain_may_pass = false;
    std::shared_ptr<const std::string> refusal;
  };

  uv_tcp_t tcp{};
  uv_shutdown_t shutdown{};
  TcpReader* reader = nullptr;  // null: nobody reads
  std::optional<Error> ended;   // why the connection ended by itself
  Address local;
  Address peer;
  std::vector<std::unique_ptr<Write>> free_writes;
  std::vector<uv_buf_t> buffers;  // of the write() under way; kept for its capacity
  std::unique_ptr<Gate> gate;
  std::unique_ptr<TlsStream> tls;  // null: plain

  // A handle without a socket, TCP_NODELAY set.
  static std::shared_ptr<Impl> make(Loop& loop);
  Impl();
  ~Impl() override;
  // Once connected.
  void note_addresses();

  Loop& loop() { return loop_of(handle()); }
  uv_handle_t* handle() { return reinterpret_cast<uv_handle_t*>(&tcp); }
  uv_stream_t* stream() { return reinterpret_cast<uv_stream_t*>(&tcp); }

  bool writes_plain() const { return !tls && (!gate || gate->plain_may_pass); }
  bool closing() { return uv_is_closing(handle()) != 0; }
  void read_socket();
  void stop_socket() { uv_read_stop(stream()); }
  void shut_socket();

  std::unique_ptr<Write> take_write();
  void write(std::unique_ptr<Write> write, std::span<const uv_buf_t> parts);
  void write_by_tls(std::unique_ptr<Write> write);
  // Where the socket's next bytes go; empty: not known yet.
  std::span<uint8_t> room();
  // Whether it is known, as far as it can be.
  bool pass_gate();
  void read(ssize_t result);
  void refuse_plain();
  void written(Write* write, int status);
  // Takes the write back for another one, and calls whoever waits for it.
  void complete(std::unique_ptr<Write> write, bool is_written);
  void broke(int status);
  // Closes, and tells the reader why.
  void end(const Error& error);
  void tell_end();
  void drop_callbacks() override;
};

}  // namespace sail
