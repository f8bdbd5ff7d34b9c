// A WebSocket of libwebsockets as a MessageChannel. For this folder only.
#pragma once

#include <libwebsockets.h>

#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "sail/core/http/web_server.h"
#include "sail/core/socket/message_channel.h"

namespace sail {

// Shared by the connection and the channel; either may end first.
class LwsSocket {
 public:
  LwsSocket(lws* connection, Address local, Address peer, ProxiedUser person,
            const WebMessages& messages)
      : connection_(connection),
        local_(std::move(local)),
        peer_(std::move(peer)),
        person_(std::move(person)),
        messages_(messages) {}

  // --- events of libwebsockets; a nonzero result closes the connection
  void on_message_part(std::string_view bytes);
  int on_writable();
  void on_closed();

  // --- for the channel
  void set_reader(MessageChannel::Reader* reader) { reader_ = reader; }
  void set_reading(bool reading);
  void set_unauthenticated(bool unauthenticated) { unauthenticated_ = unauthenticated; }
  Result<std::optional<std::string_view>> next();
  void send(std::string_view line);
  size_t unsent_bytes() const { return queued_ + writing_; }
  // The channel is gone: closes at once, or after sending everything within the given time.
  void abandon(int64_t sending_at_most_ms);
  const Address& local() const { return local_; }
  const Address& peer() const { return peer_; }
  const ProxiedUser& person() const { return person_; }

 private:
  void end_within(int seconds);

  lws* connection_;  // null once it is closed
  const Address local_;
  const Address peer_;
  const ProxiedUser person_;
  const WebMessages messages_;
  MessageChannel::Reader* reader_ = nullptr;
  std::string incoming_;
  std::deque<std::string> arrived_;  // whole messages
  std::string taken_;                // the message returned by the last next()
  bool unauthenticated_ = false;
  size_t received_ = 0;  // bytes received as a stranger
  std::optional<Error> mistake_;
  std::deque<std::string> queue_;  // each with room before it for libwebsockets
  size_t queued_ = 0;
  size_t writing_ = 0;  // passed to libwebsockets, which may still hold part of it
  bool abandoned_ = false;
};

std::unique_ptr<MessageChannel> socket_channel(std::shared_ptr<LwsSocket> socket);

}  // namespace sail
