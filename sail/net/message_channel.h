// Whole messages both ways, whatever carries them: what an RpcPeer speaks through. Thread: the
// loop's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sail/base/result.h"
#include "sail/net/tcp.h"

namespace sail {

class MessageChannel {
 public:
  class Reader {
   public:
    virtual ~Reader() = default;
    // Something came, a whole message or not: take them by next() until there is none. May destroy
    // the channel.
    virtual void on_received() = 0;
    // The peer closed (kUnavailable), or an error (kIo). Comes once, and not after the channel's
    // end. May destroy the channel.
    virtual void on_closed(const Error& error) = 0;
  };

  MessageChannel() = default;
  // Closes at once: what is unsent is lost.
  virtual ~MessageChannel() = default;
  MessageChannel(const MessageChannel&) = delete;
  MessageChannel& operator=(const MessageChannel&) = delete;

  // The reader must outlive the channel.
  virtual void start_reading(Reader& reader) = 0;
  // Reads no more until resume(): the peer waits, and its end may be heard of late. What came
  // already may still be taken.
  virtual void pause() = 0;
  virtual void resume() = 0;
  // Whether the peer is a stranger, as at first it is not: then it may send kMaxStrangerBytes in
  // all, and nothing that could not be a JSON object.
  virtual void set_stranger(bool stranger) = 0;
  // The next message, without a line's end, good until the next call; or nothing. An error is the
  // peer's: it sent what no message may be (kLimit: longer than one may be, or more than a
  // stranger may; kInvalidRequest: something else), and nothing follows.
  virtual Result<std::optional<std::string_view>> next() = 0;
  // A message with its newline.
  virtual void send(std::string_view line) = 0;
  // Bytes sent and not yet handed to the system.
  virtual size_t unsent_bytes() const = 0;
  // What was sent leaves in the background, for at most the time, when the channel is destroyed
  // now.
  virtual void close_after_sending(int64_t at_most_ms) = 0;

  // TcpConnection::binding() of what carries it.
  virtual std::string binding() const { return {}; }
  // Whom a trusted proxy has signed in; empty: nobody says so.
  virtual std::string person() const { return {}; }
  virtual Address local_address() const = 0;
  virtual Address peer_address() const = 0;
};

// One message a line.
std::unique_ptr<MessageChannel> tcp_channel(std::unique_ptr<TcpConnection> connection);

}  // namespace sail
