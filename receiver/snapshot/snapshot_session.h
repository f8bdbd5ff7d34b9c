// A data connection of a peer that requested the tiles' pictures. Waits for the pictures, then
// sends them in pieces of at most 1 MiB. Loop thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "receiver/frame/canvas.h"
#include "sail/core/socket/tcp.h"

namespace receiver {

class SnapshotSession final : private sail::TcpReader {
 public:
  // on_over: everything is sent, or the peer disconnected or does not read. Destroys this object.
  SnapshotSession(sail::Loop& loop, std::unique_ptr<sail::TcpConnection> connection,
                  std::function<void()> on_over);
  ~SnapshotSession() override;

  void send(std::vector<TileImage> pictures);
  void close(sail::CloseReason reason, const std::string& text);

 private:
  struct Outgoing;

  std::span<uint8_t> read_buffer() override { return ignored_; }
  void on_read(size_t bytes) override;
  void on_closed(const sail::Error& error) override;
  void send_next_piece();
  void over();

  std::unique_ptr<sail::TcpConnection> connection_;
  std::function<void()> on_over_;
  sail::Timer timeout_;
  std::shared_ptr<Outgoing> outgoing_;  // shared with the pending write
  std::array<uint8_t, 64> ignored_;
};

}  // namespace receiver
