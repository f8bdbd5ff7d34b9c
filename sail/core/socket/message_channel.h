// Transport of whole messages in both directions, used by RpcPeer. Thread: the loop's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sail/core/base/result.h"
#include "sail/core/socket/tcp.h"

namespace sail {

struct RpcRequest;

// A user whom a trusted proxy has signed in; without a name: nobody.
struct ProxiedUser {
  std::string name{};
  std::string groups{};  // as in the proxy's header: separated by "," or "|"
};

class MessageChannel {
 public:
  class Reader {
   public:
    virtual ~Reader() = default;
    // Bytes arrived, possibly an incomplete message: call next() until it returns empty. May
    // destroy the channel.
    virtual void on_received() = 0;
    // The peer closed (kUnavailable), or an error occurred (kIo). Called once, and not after the
    // channel is destroyed. May destroy the channel.
    virtual void on_closed(const Error& error) = 0;
    // A request arrived as a value: next() does not return it. The one before must have been
    // handled. For channels of requests that have no connection of their own.
    virtual void on_request(RpcRequest&& /*request*/) {}
  };

  MessageChannel() = default;
  // Closes at once; unsent data is lost.
  virtual ~MessageChannel() = default;
  MessageChannel(const MessageChannel&) = delete;
  MessageChannel& operator=(const MessageChannel&) = delete;

  // The reader must outlive the channel.
  virtual void start_reading(Reader& reader) = 0;
  // Stops reading until resume(). The peer's writes then block, and its disconnect may be noticed
  // late. Messages that have arrived can still be taken.
  virtual void pause() = 0;
  virtual void resume() = 0;
  // True while the peer is unauthenticated; false at first. An unauthenticated peer may send
  // kMaxUnauthenticatedBytes in total, and only JSON objects.
  virtual void set_unauthenticated(bool unauthenticated) = 0;
  // Returns the next message without its line end, valid until the next call; empty if there is
  // none. An error means that the peer sent an invalid message: kLimit: too long, or more than an
  // unauthenticated peer may send; kInvalidRequest: anything else. No messages follow an error.
  virtual Result<std::optional<std::string_view>> next() = 0;
  // Sends a message that ends with a newline.
  virtual void send(std::string_view line) = 0;
  // Sends the parts as one message that ends with a newline. A channel that needs no copy keeps the
  // parts until the system has taken them.
  virtual void send_shared(std::span<const SharedText> parts);
  // Bytes sent but not yet taken by the system.
  virtual size_t unsent_bytes() const = 0;
  // See TcpConnection::unsent_memory().
  virtual size_t unsent_memory() const { return unsent_bytes(); }
  // Lets the destructor send unsent data in the background for at most this time. Destroy the
  // channel right afterwards.
  virtual void close_after_sending(int64_t at_most_ms) = 0;

  // TcpConnection::binding() of the underlying connection; "" without one.
  virtual std::string binding() const { return {}; }
  // The user whom a trusted proxy has signed in.
  virtual ProxiedUser person() const { return {}; }
  virtual Address local_address() const = 0;
  virtual Address peer_address() const = 0;
};

// A channel with one message per line.
std::unique_ptr<MessageChannel> tcp_channel(std::unique_ptr<TcpConnection> connection);

}  // namespace sail
