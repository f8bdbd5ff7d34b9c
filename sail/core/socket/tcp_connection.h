// Internals of TcpConnection, for code that creates connections. For this folder only.
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sail/core/loop/handle.h"
#include "sail/core/socket/tcp.h"

namespace sail {

class TlsStream;

struct TcpConnection::Impl : HandleBlock, std::enable_shared_from_this<Impl> {
  // One pending write: libuv's request and the data that must live as long.
  struct Write {
    uv_write_t request{};
    std::function<void(bool)> done;
    std::vector<uint8_t> copy;
    std::vector<SharedText> shared;
    size_t large_texts = 0;  // how many of Impl::large_texts are of this write
    // With TLS: the parts not yet encrypted, from next_part on.
    std::vector<std::span<const uint8_t>> parts;
    size_t next_part = 0;
  };
  // For an accepted connection until its first byte shows whether it uses TLS.
  struct Gate {
    bool plain_may_pass = false;
    std::shared_ptr<const std::string> refusal;
  };

  uv_tcp_t tcp{};
  uv_shutdown_t shutdown{};
  TcpReader* reader = nullptr;  // null: not reading
  std::optional<Error> ended;   // error that ended the connection
  Address local;
  Address peer;
  // Large texts of plain writes that the system has not taken, the oldest first. A list, because
  // most connections have none, and an empty deque takes 600 bytes.
  std::list<SharedText> large_texts;
  std::vector<uv_buf_t> buffers;  // of the current write(); kept for its capacity
  std::unique_ptr<Gate> gate;
  std::unique_ptr<TlsStream> tls;  // null: plain

  // Creates a handle without a socket and sets TCP_NODELAY.
  static std::shared_ptr<Impl> make(Loop& loop);
  Impl();
  ~Impl() override;
  // Call once connected.
  void note_addresses();

  Loop& loop() { return loop_of(handle()); }
  uv_handle_t* handle() { return reinterpret_cast<uv_handle_t*>(&tcp); }
  uv_stream_t* stream() { return reinterpret_cast<uv_stream_t*>(&tcp); }

  bool writes_plain() const { return !tls && (!gate || gate->plain_may_pass); }
  bool closing() { return uv_is_closing(handle()) != 0; }
  void read_socket();
  void stop_socket() { uv_read_stop(stream()); }
  void shut_socket();

  // Writes for the next use by any connection of the loop.
  std::vector<std::unique_ptr<Write>>& free_writes();
  std::unique_ptr<Write> take_write();
  void write(std::unique_ptr<Write> write, std::span<const uv_buf_t> parts);
  void write_by_tls(std::unique_ptr<Write> write);
  // Buffer for the socket's next bytes; empty while the protocol is unknown.
  std::span<uint8_t> room();
  // Returns false while the first byte has not arrived.
  bool pass_gate();
  void read(ssize_t result);
  void refuse_plain();
  void written(Write* write, int status);
  // Recycles the write and calls its callback.
  void complete(std::unique_ptr<Write> write, bool is_written);
  void broke(int status);
  // Closes the connection and reports the error to the reader.
  void end(const Error& error);
  void report_end();
  void drop_callbacks() override;
};

}  // namespace sail
