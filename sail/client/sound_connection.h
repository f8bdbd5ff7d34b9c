// A stream's connection to one receiver that plays its sound: tries again for as long as it is
// there. What cannot go soon is left out, so that nothing grows old. Thread: the loop's.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sail/base/log.h"
#include "sail/net/loop.h"
#include "sail/net/tcp.h"
#include "sail/wire/message_buffer.h"
#include "sail/wire/sound.h"

namespace sail {

class SoundConnection final : private TcpReader {
 public:
  // loop and log outlive this.
  SoundConnection(Loop& loop, const Log& log, SoundRoutes::Route route, uint32_t stream,
                  uint64_t secret);
  ~SoundConnection() override;
  SoundConnection(const SoundConnection&) = delete;
  SoundConnection& operator=(const SoundConnection&) = delete;

  const SoundRoutes::Route& route() const { return route_; }
  // A whole message.
  void send(std::span<const uint8_t> message);

 private:
  std::span<uint8_t> read_buffer() override { return messages_.space(); }
  void on_read(size_t bytes) override;
  void on_closed(const Error& error) override { lose(error.message); }

  void connect();
  // Why the connection cannot go on; nothing: it can.
  std::optional<std::string> take(const MessageBuffer::Message& message);
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
  std::vector<uint8_t> before_;  // messages that came while it was being opened
  Timer timer_;                  // the pause before the next try, or the patience for the accept
  int64_t pause_ms_;
  bool trouble_told_ = false;
};

}  // namespace sail
