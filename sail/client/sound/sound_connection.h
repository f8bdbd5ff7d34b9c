// A stream's connection to one receiver that plays its sound. Reconnects until destroyed. Sound
// that cannot be sent soon is dropped, so that the delay does not grow. Runs on the loop thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/reconnect.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/wire/data/message_buffer.h"
#include "sail/core/wire/sound.h"

namespace sail {

class SoundConnection final : private TcpReader {
 public:
  // loop and log must outlive this object.
  SoundConnection(Loop& loop, const Log& log, SoundRoutes::Route route, uint32_t stream,
                  uint64_t secret);
  ~SoundConnection() override;
  SoundConnection(const SoundConnection&) = delete;
  SoundConnection& operator=(const SoundConnection&) = delete;

  const SoundRoutes::Route& route() const { return route_; }
  // Sends one complete message.
  void send(std::span<const uint8_t> message);

 private:
  std::span<uint8_t> read_buffer() override { return messages_.space(); }
  void on_read(size_t bytes) override;
  void on_closed(const Error& error) override { lose(error.message); }

  void connect();
  // Returns the reason to drop the connection, or empty.
  std::optional<std::string> take(const MessageBuffer::Message& message);
  void write(std::span<const uint8_t> bytes);
  void lose(const std::string& why);

  Loop& loop_;
  const Log& log_;
  const SoundRoutes::Route route_;
  const uint32_t stream_;
  const uint64_t secret_;
  std::shared_ptr<void> connecting_;
  std::unique_ptr<TcpConnection> tcp_;
  MessageBuffer messages_;
  bool accepted_ = false;
  std::vector<uint8_t> before_;  // messages buffered until the stream is accepted
  Timer timer_;                  // reconnect delay, or timeout for the accept message
  ReconnectPause pause_;
  StalledWrites writes_;
  bool trouble_reported_ = false;
};

}  // namespace sail
