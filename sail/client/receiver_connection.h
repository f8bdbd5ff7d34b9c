// The data connection of a stream to one receiver: opens it, sends frames, reads reports, and after
// a loss tries again with growing pauses until close(). Thread: the loop's.
//
// A receiver that breaks the protocol, drains nothing for kStallTimeoutMs, or reports nothing for
// long while it has all the frames it takes, loses this connection and nothing else.
//
// The bytes being written belong to this object and its frames, so it must live until the last
// write has come back: see gone().
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sail/base/log.h"
#include "sail/client/encoded_frame.h"
#include "sail/client/message_buffer.h"
#include "sail/client/route_plan.h"
#include "sail/client/wall_clock.h"
#include "sail/net/loop.h"
#include "sail/net/tcp.h"
#include "sail/wire/data_messages.h"

namespace sail {

class ReceiverConnection final : private TcpReader {
 public:
  // Who the connection belongs to. on_gone may destroy the connection, the others may not.
  class Host {
   public:
    virtual ~Host() = default;
    // Frames may be sent. Comes again after a loss.
    virtual void on_accepted(ReceiverConnection& connection) = 0;
    // One of the frames sent was reported: there may be room for another.
    virtual void on_report(ReceiverConnection& connection, const FrameReport& report) = 0;
    // Frames sent and not reported are lost, and none may be sent until on_accepted.
    virtual void on_lost(ReceiverConnection& connection) = 0;
    // After close(): no write is under way any more.
    virtual void on_gone(ReceiverConnection& connection) = 0;
  };

  // host and clock outlive this. `stream` and `open` are what the receiver is told; `number` tells
  // connections of one host apart.
  ReceiverConnection(Loop& loop, Host& host, const WallClock& clock, const Log& log,
                     uint32_t number, std::string receiver, Address address, uint32_t stream,
                     const StreamOpen& open);
  ReceiverConnection(const ReceiverConnection&) = delete;
  ReceiverConnection& operator=(const ReceiverConnection&) = delete;
  ~ReceiverConnection() override = default;

  uint32_t number() const { return number_; }
  const std::string& receiver() const { return receiver_; }
  const Address& address() const { return address_; }
  bool accepted() const { return state_ == State::kAccepted; }
  // Frames that the receiver takes before it has reported any; 0 before it accepted.
  int frames_in_flight() const { return frames_in_flight_; }
  bool idle() const { return sending_ == nullptr && unreported_count_ == 0; }

  // A frame is being sent and not all of its rows are written.
  bool sending() const { return sending_ != nullptr; }
  // Accepted, no frame under way, and another may be sent.
  bool takes_frame() const;
  // Begins a frame; only when takes_frame() and the frame has what the plan says. Frames and epochs
  // never go back, and no frame is sent twice by one epoch. Blocks that the receiver has got
  // already are left out.
  void begin(FrameRef frame, std::shared_ptr<const ReceiverPlan> plan, uint64_t epoch);
  // Writes the rows that are encoded by now. The bytes written.
  size_t pump();

  // Gives up a receiver that is stuck; to be called a few times a second.
  void check(int64_t now_ns);
  // No further callbacks but on_gone (not from inside, and not when gone() already).
  void close();
  bool closed() const { return state_ == State::kClosed; }
  bool gone() const { return state_ == State::kClosed && writes_under_way() == 0; }

 private:
  enum class State { kPause, kConnecting, kOpening, kAccepted, kClosed };

  // One frame on its way. Its heads stay in place until the last write has come back.
  struct Sending {
    FrameRef frame;  // empty: free
    std::shared_ptr<const ReceiverPlan> plan;
    uint64_t epoch = 0;
    int next_row = 0;
    uint32_t block_count = 0;
    int writes_under_way = 0;
    std::vector<uint8_t> heads;
    size_t heads_used = 0;
    size_t heads_written = 0;
  };
  struct Key {
    uint64_t frame = 0;
    uint64_t epoch = 0;
    bool operator==(const Key&) const = default;
  };

  std::span<uint8_t> read_buffer() override { return messages_.space(); }
  void on_read(size_t bytes) override;
  void on_closed(const Error& error) override { lose(error.message); }

  void connect();
  void on_connected(Result<std::unique_ptr<TcpConnection>> connection);
  // An error ends the connection.
  std::optional<DataError> on_message(const MessageBuffer::Message& message);
  std::optional<DataError> on_accept(std::span<const uint8_t> body);
  std::optional<DataError> on_report(std::span<const uint8_t> body);
  void lose(const std::string& why);
  void refuse(const DataError& error);
  // Sends a last message when that needs no waiting, and closes.
  void drop_connection(CloseReason reason, const std::string& text);

  Sending* free_sending();
  // The receiver has nothing of the stream, or none of what it has can be counted on.
  void forget_held(const BlockGrid& grid);
  void write_row(int row);
  void write_run(const BlockRow& blocks, const BlockRun& run);
  void write_end();
  // The heads added since the last part.
  void add_heads_part();
  void written(Sending& sending);
  int writes_under_way() const;

  Loop& loop_;
  Host& host_;
  const WallClock& clock_;
  const Log& log_;
  const uint32_t number_;
  const std::string receiver_;
  const Address address_;
  const uint32_t stream_;
  const StreamOpen open_;

  State state_ = State::kPause;
  std::shared_ptr<void> connecting_;
  std::unique_ptr<TcpConnection> tcp_;
  Timer timer_;  // the pause before the next try, or the patience for the accept
  int64_t pause_ms_;
  bool trouble_told_ = false;
  MessageBuffer messages_;
  int frames_in_flight_ = 0;

  std::array<Sending, kMaxFramesInFlight> sendings_;
  Sending* sending_ = nullptr;
  std::vector<std::span<const uint8_t>> parts_;  // of the write being put together
  std::vector<uint32_t> lengths_;                // of the run being put together
  // The version of each block that the receiver has, when all frames begun arrive; 0: none.
  std::vector<uint64_t> held_;
  BlockGrid held_grid_;
  uint64_t base_ = 0;  // the frame begun last, on which the next can build; 0: none
  std::array<Key, kMaxFramesInFlight> unreported_;
  size_t unreported_count_ = 0;

  // For check(), steady ns.
  size_t written_bytes_ = 0;
  size_t drained_bytes_ = 0;
  int64_t drained_at_ns_ = 0;
  int64_t room_at_ns_ = 0;
};

}  // namespace sail
