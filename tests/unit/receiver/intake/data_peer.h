// The other end of a data connection, for tests: sends and records messages.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "receiver/frame/frame.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/wire/data/data_messages.h"

namespace receiver {

class DataPeer final : private sail::TcpReader {
 public:
  struct Message {
    sail::DataHeader header;
    std::vector<uint8_t> body;
  };

  // Starts to connect; see connected().
  DataPeer(sail::Loop& loop, const sail::Address& to);

  bool connected() const { return connection_ != nullptr; }
  bool ended() const { return ended_; }
  // Queues all bytes until the connection is there.
  void send(std::span<const uint8_t> bytes);
  void open(uint32_t stream, const sail::StreamOpen& open) { send(sail::encode(stream, open)); }
  // Sends a frame of these blocks ({column, row}), each filled with `fill`.
  void send_frame(uint32_t stream, const FrameKey& key, const sail::BlockGrid& grid,
                  const std::vector<std::pair<int, int>>& blocks, uint8_t fill);
  void stop_reading() { connection_->stop_reading(); }
  void close() { connection_.reset(); }

  // Called when the receiver reports a frame as ready.
  std::function<void(uint32_t stream, const FrameKey& key)> on_ready;

  const std::vector<Message>& messages() const { return messages_; }
  bool accepted() const;
  std::vector<sail::FrameReport> reports() const;
  // Close messages of the other end; empty: none yet.
  std::vector<sail::CloseMessage> closes() const;

 private:
  std::span<uint8_t> read_buffer() override { return buffer_; }
  void on_read(size_t bytes) override;
  void on_closed(const sail::Error& error) override;

  std::shared_ptr<void> connecting_;
  std::unique_ptr<sail::TcpConnection> connection_;
  std::vector<uint8_t> unsent_;  // queued before the connection
  std::vector<uint8_t> buffer_ = std::vector<uint8_t>(65536);
  std::vector<uint8_t> unparsed_;
  std::vector<Message> messages_;
  bool ended_ = false;
};

// Time at which the frame is due.
struct FrameTiming {
  int64_t submitted_ns = 1;
  uint32_t delay_us = 0;
};

// The messages of a frame, run by run.
std::vector<uint8_t> frame_bytes(
    uint32_t stream, const FrameKey& key, uint32_t block_count,
    const std::vector<std::pair<sail::BlockRun, std::vector<uint8_t>>>& runs, uint64_t base = 0,
    const FrameTiming& timing = {});

}  // namespace receiver
