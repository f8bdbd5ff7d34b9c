// A stream's session with one receiver. Opens the stream there, sends frames through a
// FrameTransport and reads the receiver's reports. After a loss it reconnects with increasing delay
// until close(). Runs on the loop thread.
//
// The session is dropped and reopened if the receiver breaks the protocol, is stuck, or reports
// nothing for a long time although it holds as many frames as it accepts. If the receiver is
// connected but has answered no packet on two connections in a row, frames are sent over TCP from
// then on.
//
// Pending writes refer to memory of this object and its frames. So the object must live until the
// last write has completed: see released().
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sail/client/transport/frame_transport.h"
#include "sail/client/transport/link_liveness.h"
#include "sail/client/transport/packet_silence.h"
#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/reconnect.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/time/wall_clock.h"
#include "sail/core/wire/data/data_messages.h"
#include "sail/core/wire/data/message_buffer.h"
#include "sail/core/wire/data/repeated_messages.h"

namespace sail {

class ReceiverConnection final : private TcpReader {
 public:
  // The connection's owner. Only on_gone may destroy the connection.
  class Host {
   public:
    virtual ~Host() = default;
    // Frames may be sent. Called again after each reconnection.
    virtual void on_accepted(ReceiverConnection& connection) = 0;
    // A sent frame is complete at the receiver.
    virtual void on_ready(ReceiverConnection& connection, const FrameReady& ready) = 0;
    // A sent frame was reported, so there may be room for another.
    virtual void on_report(ReceiverConnection& connection, const FrameReport& report) = 0;
    // The frame begun last has been sent completely, so there may be room for another.
    virtual void on_sent(ReceiverConnection& connection) = 0;
    // The connection failed. Unreported frames are lost; none may be sent until on_accepted.
    virtual void on_lost(ReceiverConnection& connection) = 0;
    // Called after close(), when no write is pending.
    virtual void on_gone(ReceiverConnection& connection) = 0;
  };

  // How long a receiver that holds as many frames as it accepts may report none. Longer than a
  // receiver waits for the decoder of a carried stream, which it starts again.
  static int64_t report_timeout_ms(codecs::CodecId codec);

  // host, clock and log must outlive this object. `stream` and `open` are sent to the receiver.
  // `number` identifies the connection within its host.
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
  // Returns true if frames do not get through: the receiver is not connected, or it is connected
  // again but failed more than once without a report.
  bool away() const {
    return trouble_.what != LinkTrouble::kNone && (!accepted() || failures_ > 1);
  }
  struct Trouble {
    LinkTrouble what = LinkTrouble::kNone;
    int64_t since_ns = 0;  // steady
    std::string text{};
  };
  const Trouble& trouble() const { return trouble_; }
  // Returns true if frames go over TCP because the receiver answers no packets.
  bool instead_of_udp() const { return instead_of_udp_; }
  // Maximum number of unreported frames, announced by the receiver; 0 before it accepts.
  int frames_in_flight() const { return frames_in_flight_; }
  // Returns true if nothing reaches the receiver's machine although the connection is not closed.
  // Poll while a frame waits. Over UDP the TCP connection may have no data in flight. Then the
  // last frame_show is sent again: the receiver ignores the message, its system acknowledges it.
  bool is_unreachable(int64_t now_ns);
  // Whether nothing was heard from its machine for a while, when is_unreachable() was last called.
  bool is_silent() const { return accepted() && silence_.silent(); }
  // Limits the number of unreported frames further.
  void set_limit(int frames) { limit_ = frames; }
  // See FrameTransport.
  bool held_back() const { return transport_->held_back(); }
  bool idle() const { return !transport_->sending() && unreported_count_ == 0; }
  // Time (steady) at which the oldest unreported frame was begun; empty if none is unreported.
  std::optional<int64_t> unreported_since_ns() const {
    return unreported_count_ == 0 ? std::nullopt : std::optional(unreported_[0].begun_ns);
  }

  // Returns true if the stream is accepted, no frame is being sent, and another may be begun.
  bool takes_frame() const;
  // Returns true while a begun frame has not been sent completely.
  bool sending() const { return accepted() && transport_->sending(); }
  // Begins to send a frame. Requires takes_frame() and that the frame covers the plan. Frame
  // numbers never decrease, and no frame is sent twice in one epoch. Blocks that the receiver
  // already has are left out.
  void begin(OutgoingFrame outgoing);
  // Sends the rows encoded by now. Returns the bytes handed to the network since the last call.
  size_t pump() { return transport_->pump(); }
  // Sends the presentation time of a frame. Only when accepted().
  void show(const FrameShow& show);

  // The transport as packets; null: not accepted, or over TCP.
  UdpFrames* packets() const { return accepted() ? transport_->packets() : nullptr; }
  // Whether the receiver's address is one of this host. Only while connected.
  bool on_this_host() const;
  // This host's address on the way to the receiver. Only when accepted().
  std::string here() const { return tcp_->local_address().host; }
  // Tells the receiver to join or leave a multicast group. Only when accepted().
  void send(const MulticastJoin& join) { tcp_->write_copy(encode(stream_, join)); }

  // See FrameTransport.
  std::optional<FrameTransport::PathDelays> path_delays() const {
    return transport_->path_delays();
  }
  LinkStats stats(int64_t now_ns);

  // Drops the connection if the receiver is stuck. Call a few times a second. delay_ns: time from
  // submission during which no report is expected.
  void check(int64_t now_ns, int64_t delay_ns);
  // Closes the connection. The only callback afterwards is on_gone (not called from inside close(),
  // and not if released() is already true).
  void close();
  bool closed() const { return state_ == State::kClosed; }
  bool released() const { return state_ == State::kClosed && transport_->released(); }

 private:
  enum class State { kPause, kConnecting, kOpening, kAccepted, kClosed };

  std::span<uint8_t> read_buffer() override { return messages_.space(); }
  void on_read(size_t bytes) override;
  void on_closed(const Error& error) override { lose(LinkTrouble::kClosed, error.message); }

  void connect();
  void on_connected(Result<std::unique_ptr<TcpConnection>> connection);
  // Returns an error to end the connection.
  std::optional<DataError> on_message(const MessageBuffer::Message& message);
  std::optional<DataError> on_accept(std::span<const uint8_t> body);
  std::optional<DataError> on_ready(std::span<const uint8_t> body);
  // Handles a message from a packet. Ignores messages that are not about a frame in flight.
  void on_repeated_message(const MessageBuffer::Message& message);
  // Returns true if the message has already arrived on the other path (TCP or UDP).
  bool is_repeated(const MessageBuffer::Message& message);
  std::optional<DataError> on_report(std::span<const uint8_t> body);
  std::optional<DataError> on_multicast(std::span<const uint8_t> body);
  std::optional<DataError> on_memory(std::span<const uint8_t> body);
  std::optional<size_t> place_of(const FrameName& name) const;
  // Returns the error for a message about a frame that is not in flight. No error over UDP, where
  // frames are given up.
  std::optional<DataError> none_due(const char* what, const FrameName& name) const;
  void note_trouble(LinkTrouble what, const std::string& why);
  void end_trouble();
  // kNone: nothing is wrong.
  void lose(LinkTrouble what, const std::string& why);
  void refuse(const DataError& error, LinkTrouble what = LinkTrouble::kClosed);
  // Drops the connection because an answer is late or missing.
  void time_out(LinkTrouble what, const std::string& why) {
    refuse({CloseReason::kTimeout, why}, what);
  }
  void check_answered(int64_t now_ns);
  void make_carrier();
  // Sends a close message if this is possible without waiting, and closes the connection.
  void drop_connection(CloseReason reason, const std::string& text);
  void take_report(size_t index, const FrameReport& report);
  // A receiver does not report a frame of which it got no UDP packet. Reports such frames as lost.
  void give_up_unknown(int64_t begun_before_ns);
  // Maximum number of unreported frames; at least 1.
  int limit() const;

  Loop& loop_;
  Host& host_;
  const WallClock& clock_;
  const Log& log_;
  const uint32_t number_;
  const std::string receiver_;
  const Address address_;
  const uint32_t stream_;
  StreamOpen open_;
  PacketTries packet_tries_;
  bool instead_of_udp_ = false;

  State state_ = State::kPause;
  std::shared_ptr<void> connecting_;
  std::unique_ptr<TcpConnection> tcp_;
  LinkLiveness silence_;
  Timer timer_;  // reconnect delay, or timeout for the accept message
  ReconnectPause pause_;
  Trouble trouble_;
  int failures_ = 0;  // since the receiver's last report
  MessageBuffer messages_;
  ReceivedMessages received_;
  int frames_in_flight_ = 0;

  int limit_ = kMaxFramesInFlight;
  std::unique_ptr<FrameTransport> transport_;
  struct Unreported {
    FrameName name;
    int64_t begun_ns = 0;  // steady
  };
  std::array<Unreported, kMaxFramesInFlight> unreported_;  // oldest first
  size_t unreported_count_ = 0;
  // Steady time of the current connect or open request.
  int64_t requested_at_ns_ = 0;
  int64_t round_trip_ns_ = 0;  // measured while connecting
  // Steady time at which the receiver last had room; used by check().
  int64_t room_at_ns_ = 0;
  std::optional<FrameShow> last_show_;  // last report over this connection
};

}  // namespace sail
