// One connection to the data port, starting with its first message. The first message makes it one
// of these: frames of a stream arriving on the connection or as packets beside it, with reports
// sent back; the sound of a stream; a snapshot request; or a membership in a group. Loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "receiver/intake/frame_intake.h"
#include "receiver/intake/memory_budget.h"
#include "receiver/intake/message_reader.h"
#include "receiver/intake/packet_session.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/wire/data/data_messages.h"

namespace receiver {

class DataSession final : private sail::TcpReader, private MessageSink {
 public:
  // Callbacks to the owner. session_over() must destroy the session; no other callback may destroy
  // it.
  class Host {
   public:
    virtual ~Host() = default;
    // The first message arrived; see wants_stream() and similar. The host grants the request now or
    // later with accept(), accept_sound() or take_connection(), or returns why it never will.
    virtual std::optional<sail::DataError> on_first_request(DataSession& session) = 0;
    virtual void bytes_read(size_t bytes) = 0;
    // Gets the frames of accepted streams.
    virtual FrameIntake::Host& frames() = 0;
    // Sound of the session's stream. The samples are valid only during the call.
    virtual void on_sound(uint32_t stream, const sail::Sound& sound) = 0;
    // The sender announced when to show a frame of the session's stream.
    virtual void show(uint32_t stream, const sail::FrameShow& show) = 0;
    // The peer closed the connection or disconnected (no error), or violated the protocol.
    virtual void session_over(uint64_t session, const std::optional<sail::DataError>& error) = 0;
  };

  // The host must outlive the session. A request must be made and granted within open_timeout_ms.
  DataSession(sail::Loop& loop, std::unique_ptr<sail::TcpConnection> connection, uint64_t id,
              Host& host, int64_t open_timeout_ms);

  uint64_t id() const { return id_; }
  const sail::Address& peer() const { return peer_; }
  // A request stays set from its arrival until it is granted.
  struct StreamRequest {
    uint32_t stream = 0;
    sail::StreamOpen open;
  };
  const std::optional<StreamRequest>& wants_stream() const { return wants_stream_; }
  struct SoundRequest {
    uint32_t stream = 0;
    uint64_t secret = 0;
  };
  const std::optional<SoundRequest>& wants_sound() const { return wants_sound_; }
  const std::optional<sail::SnapshotRequest>& wants_snapshot() const { return wants_snapshot_; }
  struct GroupRequest {
    uint32_t stream = 0;
    sail::GroupOpen open;
  };
  const std::optional<GroupRequest>& wants_group() const { return wants_group_; }
  bool wants_nothing() const {
    return !wants_stream_ && !wants_sound_ && !wants_snapshot_ && !wants_group_;
  }

  // Returns the most memory that a stream with this many frames in flight can use here.
  static size_t memory(const StreamRequest& request, int frames_in_flight);
  // Accepts the stream: frames may arrive, through `port` if they come as packets. to_wall_ns
  // converts steady time to wall time. Throws std::bad_alloc; the session can then only be closed.
  void accept(int frames_in_flight, MemoryBudget::Share memory, std::shared_ptr<PacketPort> port,
              const std::function<int64_t(int64_t steady_ns)>& to_wall_ns);
  // Accepts the sound stream: sound may arrive from now on.
  void accept_sound();
  // Returns the size of the session's share of the memory budget.
  size_t memory_bytes() const { return memory_.bytes(); }
  // Notify the sender that a frame is ready, and of a frame's outcome.
  void report_ready(const sail::FrameReady& ready);
  void report(const sail::FrameReport& report);
  void recycle(std::unique_ptr<Frame> frame) { intake_->recycle(std::move(frame)); }
  // Sends the reason to the peer and closes in the background. The host then destroys the session.
  void close(sail::CloseReason reason, const std::string& text);
  // Releases the connection to the caller; over() is true afterwards.
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
  void send(std::span<const uint8_t> message);
  std::optional<sail::DataError> on_first_message(const sail::DataHeader& header,
                                                  std::span<const uint8_t> body);
  std::optional<sail::DataError> on_show(const sail::DataHeader& header,
                                         std::span<const uint8_t> body);
  std::optional<sail::DataError> on_multicast(const sail::DataHeader& header,
                                              std::span<const uint8_t> body);
  std::optional<sail::DataError> on_memory_offer(const sail::DataHeader& header,
                                                 std::span<const uint8_t> body);
  std::optional<sail::DataError> on_sound(const sail::DataHeader& header,
                                          std::span<const uint8_t> body);
  bool is_on_this_host() const;
  // Returns 0 if the peer has not named a stream.
  uint32_t stream_number() const;
  // Returns an error if frames may not arrive on the connection (any more).
  std::optional<sail::DataError> refuse_frames() const;
  void on_timeout();

  sail::Loop& loop_;
  std::unique_ptr<sail::TcpConnection> connection_;
  const uint64_t id_;
  Host& host_;
  const sail::Address peer_;
  MessageReader reader_;
  sail::Timer open_timeout_;
  std::optional<StreamRequest> wants_stream_;
  std::optional<SoundRequest> wants_sound_;
  std::optional<sail::SnapshotRequest> wants_snapshot_;
  std::optional<GroupRequest> wants_group_;
  std::optional<uint32_t> stream_;
  MemoryBudget::Share memory_;
  std::optional<FrameIntake> intake_;     // set once the stream is accepted
  std::optional<PacketSession> packets_;  // set if the accepted stream's frames come as packets
  sail::ReceivedMessages received_;       // filters repeated messages of such a stream
  std::optional<uint32_t> sound_of_;      // stream whose sound was accepted
  bool peer_closed_ = false;
};

}  // namespace receiver
