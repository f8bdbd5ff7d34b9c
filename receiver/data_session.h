// One connection to the data port, from its first message on: a stream's frames coming in, on the
// connection itself or as packets beside it, and the reports going out; or a stream's sound; or a
// request for a snapshot or for a seat at a group's table. Loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "receiver/frame_intake.h"
#include "receiver/memory_budget.h"
#include "receiver/message_reader.h"
#include "receiver/packet_session.h"
#include "sail/net/tcp.h"
#include "sail/wire/data_messages.h"

namespace receiver {

class DataSession final : private sail::TcpReader, private MessageSink {
 public:
  // What the sessions belong to. Only session_over() may destroy the session, and it must.
  class Host : public FrameIntake::Host {
   public:
    // The first message came, see wants_stream() and the like. The host grants it now or
    // later, by accept() or take_connection(), or answers why it never will.
    virtual std::optional<sail::DataError> first_message(DataSession& session) = 0;
    virtual void bytes_read(size_t bytes) = 0;
    // Of the session's stream. The samples are good for as long as the call lasts.
    virtual void hear(uint32_t stream, const sail::Sound& sound) = 0;
    // When to show a frame of the session's stream.
    virtual void show(uint32_t stream, const sail::FrameShow& show) = 0;
    // The peer closed or went away (no error), or broke the protocol.
    virtual void session_over(uint64_t session, const std::optional<sail::DataError>& error) = 0;
  };

  // The host must outlive this. The peer's wish must be known and granted within the time.
  DataSession(sail::Loop& loop, std::unique_ptr<sail::TcpConnection> connection, uint64_t id,
              Host& host, int64_t open_timeout_ms);

  uint64_t id() const { return id_; }
  const sail::Address& peer() const { return peer_; }
  // The first message, while it is not granted.
  struct StreamWish {
    uint32_t stream = 0;
    sail::StreamOpen open;
  };
  const std::optional<StreamWish>& wants_stream() const { return wants_stream_; }
  struct SoundWish {
    uint32_t stream = 0;
    uint64_t secret = 0;
  };
  const std::optional<SoundWish>& wants_sound() const { return wants_sound_; }
  const std::optional<sail::SnapshotRequest>& wants_snapshot() const { return wants_snapshot_; }
  struct GroupWish {
    uint32_t stream = 0;
    sail::GroupOpen open;
  };
  const std::optional<GroupWish>& wants_group() const { return wants_group_; }
  bool wants_nothing() const {
    return !wants_stream_ && !wants_sound_ && !wants_snapshot_ && !wants_group_;
  }
  // The stream that was accepted.
  std::optional<uint32_t> stream() const { return stream_; }

  // What a stream comes to hold here at most, with as many frames in flight.
  static size_t memory(const StreamWish& wish, int frames_in_flight);
  // Frames may come from now on: by the port when they come as packets. Turns steady into wall
  // time. Throws std::bad_alloc: then it can only be closed.
  void accept(int frames_in_flight, MemoryBudget::Share memory, std::shared_ptr<PacketPort> port,
              const std::function<int64_t(int64_t steady_ns)>& to_wall_ns);
  // Sound may come from now on.
  void accept_sound();
  // What its stream was granted of it.
  size_t memory_bytes() const { return memory_.bytes(); }
  // One of its frames is here, and what became of it.
  void tell_ready(const sail::FrameReady& ready);
  void report(const sail::FrameReport& report);
  void give_back(std::unique_ptr<Frame> frame) { intake_->give_back(std::move(frame)); }
  // Tells the peer why and closes in the background. The host destroys the session.
  void close(sail::CloseReason reason, const std::string& text);
  // Hands the connection over: the session is over() then.
  std::unique_ptr<sail::TcpConnection> take_connection();
  bool over() const { return connection_ == nullptr; }

 private:
  std::span<uint8_t> read_buffer() override { return reader_.read_buffer(); }
  void on_read(size_t bytes) override;
  void on_closed(const sail::Error& error) override;

  std::optional<sail::DataError> on_message(const sail::DataHeader& header,
                                            std::span<const uint8_t> body) override;
  sail::DataResult<std::span<uint8_t>> on_run(const sail::DataHeader& header,
                                              const sail::BlockRun& run,
                                              std::span<const uint32_t> lengths) override;
  std::optional<sail::DataError> on_run_filled() override;
  void say(std::span<const uint8_t> message);
  std::optional<sail::DataError> on_first_message(const sail::DataHeader& header,
                                                  std::span<const uint8_t> body);
  std::optional<sail::DataError> on_show(const sail::DataHeader& header,
                                         std::span<const uint8_t> body);
  std::optional<sail::DataError> on_sound(const sail::DataHeader& header,
                                          std::span<const uint8_t> body);
  // 0: it has said none.
  uint32_t stream_number() const;
  // Why none may come on the connection (any more).
  std::optional<sail::DataError> refuse_frames() const;
  void on_timeout();

  sail::Loop& loop_;
  std::unique_ptr<sail::TcpConnection> connection_;
  const uint64_t id_;
  Host& host_;
  const sail::Address peer_;
  MessageReader reader_;
  sail::Timer open_timeout_;
  std::optional<StreamWish> wants_stream_;
  std::optional<SoundWish> wants_sound_;
  std::optional<sail::SnapshotRequest> wants_snapshot_;
  std::optional<GroupWish> wants_group_;
  std::optional<uint32_t> stream_;
  MemoryBudget::Share memory_;
  std::optional<FrameIntake> intake_;     // once accepted
  std::optional<PacketSession> packets_;  // and when the frames come as packets
  sail::HeardMessages heard_;             // then
  std::optional<uint32_t> sound_of_;      // the stream whose sound was accepted
  bool peer_closed_ = false;
};

}  // namespace receiver
