// TLS between a connection's socket and those who read and write: decrypts into the reader's own
// buffer, and encrypts what is to be written as the system takes it, a few chunks ahead, so that
// memory does not depend on how much waits. Not for other folders. Thread: the loop's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sail/net/tcp_connection.h"
#include "sail/net/tls.h"

namespace sail {

class TlsStream {
 public:
  // The connection owns this.
  TlsStream(TcpConnection::Impl& connection, TlsSession::Side side);
  TlsStream(const TlsStream&) = delete;
  TlsStream& operator=(const TlsStream&) = delete;

  // Begins to speak, as the client's side does. `shaken` comes once, unless the connection is
  // closed before by whoever called.
  void begin(std::function<void(Result<void>)> shaken);
  bool shaken() const { return shaken_; }
  const TlsSession& session() const { return session_; }

  // Where the socket's next bytes go, behind what is left of those before.
  std::span<uint8_t> room();
  // So many are there.
  void received(size_t bytes);
  // Whether bytes wait here for a reader, who is to call resume() before the socket is read.
  bool holds() const { return shaken_ && !session_.input().empty(); }
  void resume();

  // As TcpConnection::write(), of the parts in it.
  void write(std::unique_ptr<TcpConnection::Impl::Write> write);
  size_t unsent_bytes() const { return queued_bytes_; }
  // When everything written has left: tells the peer that nothing follows, and shuts the socket.
  void shut();
  // The connection is about to be closed: tells the peer that nothing follows, if nothing is lost.
  void take_leave();
  // The connection has ended: nothing more is read or written.
  void ended(const Error& error);
  // The same when libuv has let go of it.
  void drop_writes();

 private:
  using Write = TcpConnection::Impl::Write;
  // Records on their way to the system, and the writes that are whole with them.
  struct Chunk {
    uv_write_t request{};
    std::vector<uint8_t> records;  // the first `bytes` of them
    size_t bytes = 0;
    std::vector<std::unique_ptr<Write>> whole;
  };

  void take_input();
  // False: more input is needed, or the connection has ended.
  bool shake();
  bool give_to_reader();
  bool reads() const;
  void pump();
  void fill(Chunk& chunk);
  // The text of the next record, where it is; writes that end in it go to `whole`.
  std::span<const std::span<const uint8_t>> next_text(std::vector<std::unique_ptr<Write>>& whole);
  void send_loose();
  std::unique_ptr<Chunk> take_chunk();
  void send(std::unique_ptr<Chunk> chunk);
  void sent(std::unique_ptr<Chunk> chunk, int status);
  void say_farewell();
  void finish_shut();

  TcpConnection::Impl& connection_;
  std::vector<uint8_t> loose_;  // what the session itself has to say
  TlsSession session_;
  std::function<void(Result<void>)> on_shaken_;
  bool shaken_ = false;
  size_t handshake_bytes_ = 0;
  std::vector<uint8_t> held_;  // the session's input, while nobody reads

  std::vector<std::unique_ptr<Write>> queue_;  // from first_ on
  size_t first_ = 0;
  size_t queued_bytes_ = 0;
  size_t chunks_out_ = 0;
  std::vector<std::unique_ptr<Chunk>> free_chunks_;
  bool shutting_ = false;
  bool farewell_said_ = false;
};

}  // namespace sail
