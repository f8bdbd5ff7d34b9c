// A stream's session with one receiver: opens it, has a FrameCarrier send frames, reads reports,
// and after a loss tries again with growing pauses until close(). Thread: the loop's.
//
// A receiver that breaks the protocol, is stuck, or reports nothing for long while it has all the
// frames it takes, loses this connection and nothing else. One that is connected and has answered
// no packet at all, twice in a row, is sent its frames over TCP from then on.
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
#include "sail/base/wall_clock.h"
#include "sail/client/frame_carrier.h"
#include "sail/client/link_silence.h"
#include "sail/client/packet_silence.h"
#include "sail/net/loop.h"
#include "sail/net/tcp.h"
#include "sail/wire/data_messages.h"
#include "sail/wire/message_buffer.h"
#include "sail/wire/repeated_messages.h"

namespace sail {

class ReceiverConnection final : private TcpReader {
 public:
  // Who the connection belongs to. on_gone may destroy the connection, the others may not.
  class Host {
   public:
    virtual ~Host() = default;
    // Frames may be sent. Comes again after a loss.
    virtual void on_accepted(ReceiverConnection& connection) = 0;
    // One of the frames sent is there.
    virtual void on_ready(ReceiverConnection& connection, const FrameReady& ready) = 0;
    // One of the frames sent was reported: there may be room for another.
    virtual void on_report(ReceiverConnection& connection, const FrameReport& report) = 0;
    // The frame begun last has gone: there may be room for another.
    virtual void on_sent(ReceiverConnection& connection) = 0;
    // It could not be made, or frames sent and not reported are lost; none may be sent until
    // on_accepted.
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
  // Frames do not get through: it is not there, or is there again after it failed more than once.
  bool away() const {
    return trouble_.what != LinkTrouble::kNone && (!accepted() || failures_ > 1);
  }
  struct Trouble {
    LinkTrouble what = LinkTrouble::kNone;
    int64_t since_ns = 0;  // steady
    std::string text{};
  };
  const Trouble& trouble() const { return trouble_; }
  // Its frames go over TCP since it answers no packet.
  bool instead_of_udp() const { return instead_of_udp_; }
  // Frames that the receiver takes before it has reported any; 0 before it accepted.
  int frames_in_flight() const { return frames_in_flight_; }
  // Nothing gets to its machine, though nobody has lost the connection. To be asked again and again
  // while a frame waits.
  bool cut_off(int64_t now_ns);
  // No more than so many are sent before one is reported, even when it takes more.
  void set_limit(int frames) { limit_ = frames; }
  // See FrameCarrier.
  bool held_back() const { return carrier_->held_back(); }
  bool idle() const { return !carrier_->sending() && unreported_count_ == 0; }
  // When the oldest frame was begun that it has not reported.
  std::optional<int64_t> owes_since_ns() const {
    return unreported_count_ == 0 ? std::nullopt : std::optional(unreported_[0].begun_ns);
  }

  // Accepted, no frame under way, and another may be sent.
  bool takes_frame() const;
  // A frame was begun and has not gone whole.
  bool sending() const { return accepted() && carrier_->sending(); }
  // Begins a frame; only when takes_frame() and the frame has what the plan says. Frames never go
  // back, and no frame is sent twice by one epoch. Blocks that the receiver has got already are
  // left out.
  void begin(OutgoingFrame outgoing);
  // Goes on with the rows that are encoded by now. Bytes handed to the network since the last call.
  size_t pump() { return carrier_->pump(); }
  // When to show a frame; only when accepted().
  void show(const FrameShow& show);

  // See FrameCarrier.
  std::optional<FrameCarrier::Way> way() const { return carrier_->way(); }
  LinkStats stats(int64_t now_ns);

  // Gives up a receiver that is stuck; to be called a few times a second. delay_ns: from a frame's
  // submission, before which it is not reported.
  void check(int64_t now_ns, int64_t delay_ns);
  // No further callbacks but on_gone (not from inside, and not when gone() already).
  void close();
  bool closed() const { return state_ == State::kClosed; }
  bool gone() const { return state_ == State::kClosed && carrier_->gone(); }

 private:
  enum class State { kPause, kConnecting, kOpening, kAccepted, kClosed };

  std::span<uint8_t> read_buffer() override { return messages_.space(); }
  void on_read(size_t bytes) override;
  void on_closed(const Error& error) override { lose(LinkTrouble::kClosed, error.message); }

  void connect();
  void on_connected(Result<std::unique_ptr<TcpConnection>> connection);
  // An error ends the connection.
  std::optional<DataError> on_message(const MessageBuffer::Message& message);
  std::optional<DataError> on_accept(std::span<const uint8_t> body);
  std::optional<DataError> on_ready(std::span<const uint8_t> body);
  // Came as a packet. What is no message about a frame that is under way is passed over.
  void on_said(const MessageBuffer::Message& message);
  // Whether it came in the other way already.
  bool heard(const MessageBuffer::Message& message);
  std::optional<DataError> on_report(std::span<const uint8_t> body);
  std::optional<size_t> place_of(const FrameName& name) const;
  // The error of a message about a frame that is not under way; over UDP none, since frames are
  // given up.
  std::optional<DataError> none_due(const char* what, const FrameName& name) const;
  void note_trouble(LinkTrouble what, const std::string& why);
  void end_trouble();
  // kNone: nothing is wrong.
  void lose(LinkTrouble what, const std::string& why);
  void refuse(const DataError& error, LinkTrouble what = LinkTrouble::kClosed);
  // Of what comes too late or not at all.
  void time_out(LinkTrouble what, const std::string& why) {
    refuse({CloseReason::kTimeout, why}, what);
  }
  void look_whether_answered(int64_t now_ns);
  void make_carrier();
  // Sends a last message when that needs no waiting, and closes.
  void drop_connection(CloseReason reason, const std::string& text);
  void take_report(size_t index, const FrameReport& report);
  // Over UDP the receiver knows nothing of a frame of which no packet came, and will not report it.
  void give_up_unknown(int64_t begun_before_ns);
  // What reports may be due of; at least 1.
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
  LinkSilence silence_;
  Timer timer_;  // the pause before the next try, or the patience for the accept
  int64_t pause_ms_;
  Trouble trouble_;
  int failures_ = 0;  // since it reported last
  MessageBuffer messages_;
  HeardMessages heard_;
  int frames_in_flight_ = 0;

  int limit_ = kMaxFramesInFlight;
  std::unique_ptr<FrameCarrier> carrier_;
  struct Unreported {
    FrameName name;
    int64_t begun_ns = 0;  // steady
  };
  std::array<Unreported, kMaxFramesInFlight> unreported_;  // oldest first
  size_t unreported_count_ = 0;
  int64_t asked_at_ns_ = 0;    // steady: what is waited for at present was asked for
  int64_t round_trip_ns_ = 0;  // of connecting
  int64_t room_at_ns_ = 0;     // steady: for check()
};

}  // namespace sail
