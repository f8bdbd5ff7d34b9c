// One direction of a TCP connection through a relay. Thread: the loop's.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "sail/core/loop/loop.h"
#include "sail/core/socket/tcp.h"
#include "ui/impair/packet_path.h"

namespace sail {

class StreamPipe : private TcpReader {
 public:
  // Limit of bytes in transit; reading pauses above it. Enough for 1 Gbit/s and 250 ms.
  static constexpr size_t kMaxWaitingBytes = size_t{32} << 20;

  // Starts reading immediately. All arguments must outlive the pipe; `log` may be null. on_ended:
  // `from` was closed and all its bytes are written; may destroy the pipe.
  StreamPipe(Loop& loop, TcpConnection& from, TcpConnection& to, Lane& lane, TrafficLog* log,
             std::function<void()> on_ended);
  StreamPipe(const StreamPipe&) = delete;
  StreamPipe& operator=(const StreamPipe&) = delete;

 private:
  struct Piece {
    int64_t leaves_ns = 0;
    std::vector<uint8_t> bytes;
  };
  std::span<uint8_t> read_buffer() override;
  void on_read(size_t bytes) override;
  void on_closed(const Error& error) override;
  void write_due();
  bool full(int64_t now_ns) const;

  TcpConnection& from_;
  TcpConnection& to_;
  Lane& lane_;
  TrafficLog* const log_;
  const std::function<void()> on_ended_;
  std::vector<uint8_t> buffer_;
  std::deque<Piece> waiting_;
  size_t waiting_bytes_ = 0;
  int64_t last_leaves_ns_ = 0;
  bool paused_ = false;
  bool closed_ = false;  // `from` has been closed
  FineTimer timer_;
};

}  // namespace sail
