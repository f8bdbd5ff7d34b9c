// TLS between a connection's socket and its reader and writers. Encrypts only a few chunks ahead of
// the system, so memory does not depend on the amount of queued data. For this folder only. Thread:
// the loop's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sail/core/socket/tcp_connection.h"
#include "sail/core/tls/tls.h"

namespace sail {

class TlsStream {
 public:
  // The connection owns this.
  TlsStream(TcpConnection::Impl& connection, TlsSession::Side side);
  TlsStream(const TlsStream&) = delete;
  TlsStream& operator=(const TlsStream&) = delete;

  // Starts the handshake of a client. `shaken` is called once, unless the caller closes the
  // connection before.
  void begin(std::function<void(Result<void>)> shaken);
  bool shaken() const { return shaken_; }
  const TlsSession& session() const { return session_; }

  // Buffer for the socket's next bytes.
  std::span<uint8_t> room();
  // This many bytes arrived.
  void received(size_t bytes);
  // True if input is held for a reader; resume() must then be called before the socket is read.
  bool holds() const { return shaken_ && session_.readable(); }
  void resume();

  // As TcpConnection::write(), with the parts of the write.
  void write(std::unique_ptr<TcpConnection::Impl::Write> write);
  size_t unsent_bytes() const { return queued_bytes_; }
  // After all writes were sent, sends close_notify and shuts down the socket.
  void shut();
  // Before closing: sends close_notify if no data is lost.
  void take_leave();
  // The connection has ended: nothing more is read or written.
  void ended(const Error& error);
  // Called when libuv has closed the handle: drops all pending writes.
  void drop_writes();

 private:
  using Write = TcpConnection::Impl::Write;
  // Records passed to the system, and the writes that are completed by them.
  struct Chunk {
    uv_write_t request{};
    std::vector<uint8_t> records;
    std::vector<std::unique_ptr<Write>> whole;
  };

  void take_input();
  // Returns false if more input is needed, or the connection has ended.
  bool shake();
  bool give_to_reader();
  bool reads() const;
  void pump();
  // Returns false if the session has failed.
  bool fill(Chunk& chunk);
  // Text of the next record, not copied. Writes that end in it are moved to `whole`.
  std::span<const std::span<const uint8_t>> next_text(std::vector<std::unique_ptr<Write>>& whole);
  void send_loose();
  std::unique_ptr<Chunk> take_chunk();
  void send(std::unique_ptr<Chunk> chunk);
  // Calls sent() from the loop.
  void fail_soon(std::unique_ptr<Chunk> chunk, int status);
  void sent(std::unique_ptr<Chunk> chunk, int status);
  void send_close_notify();
  void finish_shut();

  TcpConnection::Impl& connection_;
  std::vector<uint8_t> loose_;  // output of the session itself
  TlsSession session_;
  std::function<void(Result<void>)> on_shaken_;
  bool shaken_ = false;
  size_t handshake_bytes_ = 0;
  std::vector<uint8_t> held_;  // input of the session while there is no reader

  std::vector<std::unique_ptr<Write>> queue_;  // valid from first_ on
  size_t first_ = 0;
  size_t queued_bytes_ = 0;
  size_t chunks_out_ = 0;
  std::vector<std::unique_ptr<Chunk>> free_chunks_;
  bool failed_ = false;  // nothing more may be written: text was lost
  bool shutting_ = false;
  bool close_notify_sent_ = false;
};

}  // namespace sail
