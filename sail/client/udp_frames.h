// Frames as packets over UDP beside the connection of their stream: paced, and mended by parity and
// by sending again what the receiver asks for. Thread: the loop's.
//
// A frame builds on the newest one that the receiver is known to have whole, so that a lost one
// costs no other.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sail/base/log.h"
#include "sail/base/wall_clock.h"
#include "sail/client/frame_carrier.h"
#include "sail/client/frame_messages.h"
#include "sail/client/outgoing_symbols.h"
#include "sail/client/packet_batch.h"
#include "sail/client/packet_link.h"
#include "sail/client/packet_pacer.h"
#include "sail/client/packet_silence.h"
#include "sail/client/parity_group.h"
#include "sail/net/loop.h"
#include "sail/net/tcp.h"
#include "sail/wire/limits.h"
#include "sail/wire/packets.h"
#include "sail/wire/repeated_messages.h"

namespace sail {

class UdpFrames final : public FrameCarrier {
 public:
  struct Handlers {
    // The frame begun last has gone, another may be begun.
    std::function<void()> on_sent;
    // The receiver said so by packets, too, and may have done on the connection. Anybody can send
    // packets.
    std::function<void(const MessageBuffer::Message&)> on_message;
  };
  // loop, clock and log outlive this.
  UdpFrames(Loop& loop, const WallClock& clock, const Log& log, uint32_t stream, const Address& to,
            size_t symbol_bytes, bool sealed, Handlers handlers);

  Result<void> start(TcpConnection& tcp, const StreamAccept& accept,
                     int64_t round_trip_ns) override;
  void stop() override;
  bool gone() const override { return true; }  // the system has copied what it was given
  bool sending() const override { return sending_ != nullptr; }
  bool takes_frame() const override;
  bool held_back() const override { return sending_ != nullptr && held_back_; }
  void begin(OutgoingFrame outgoing) override;
  size_t pump() override;
  void say(std::span<const uint8_t> message) override;
  void reported(const FrameReport& report) override;
  bool answered() const override { return silence_.answered(); }
  std::optional<std::string> stuck(int64_t now_ns) override;
  std::optional<Way> way() const override;
  LinkStats stats(int64_t now_ns) override { return link_.stats(now_ns); }

 private:
  // A frame that the receiver is not known to have, or to have no use for.
  struct Kept {
    FrameName name;          // of no frame: free
    FrameMessages messages;  // empty when it is too late to send any of it
    OutgoingSymbols symbols;
    HeldBlocks held;           // once it is whole there
    int64_t submitted_ns = 0;  // wall time
    int64_t deadline_ns = 0;   // wall time; then the receiver gives it up. 0: never
    uint32_t sent = 0;         // symbols, the first so many
    bool all_sent = false;
    uint32_t repeated = 0;          // symbols, sent again so far
    std::vector<uint32_t> sent_us;  // of each symbol, when it was sent last
    std::vector<uint8_t> parities;  // of each group, how many packets
  };
  // Where the frame being sent stands.
  struct Cursor {
    uint32_t symbol = 0;        // next
    uint32_t group_parity = 0;  // packets that the group under way has
    uint32_t parity = 0;        // next, once its symbols have gone
  };
  struct Item {
    Kept* frame = nullptr;
    FramePacket packet;
    bool is_parity = false;
    Cursor after;  // unless it is a repetition
  };
  // A packet of messages.
  struct HeardPacket {
    std::array<uint8_t, RepeatedMessages::kMaxBytes> text;
    size_t bytes = 0;
  };
  struct Repeat {
    Kept* frame = nullptr;
    uint32_t symbol = 0;
  };

  Kept* find(const FrameName& name);
  void add_rows();
  // Lets go of a frame for good.
  void drop(Kept& frame);
  // Drops the frame's bytes only, which are not to be sent any more.
  void drop_messages(Kept& frame);
  void finish_sending();
  bool in_time(const Kept& frame) const;

  // --- the timer
  void on_timer();
  void arm();
  bool anything_to_send() const;
  bool keeps_frames() const;
  int64_t probe_at_ns() const;
  void probe_when_due(int64_t now_ns);
  void say_again_when_due(int64_t now_ns);
  void give_up_late();

  // --- packets
  PacketPacer::Need need(int64_t now_ns) const;
  double bytes_on_wire(size_t bytes) const;
  // Sends what may go now.
  void send_due();
  // Into the batch, without effect on what is sent later.
  void fill(double grant);
  double add_repeat(const Repeat& repeat);
  // 0: nothing is ready.
  double add_next(Cursor& cursor);
  double add_symbol(Kept& frame, Cursor& cursor);
  double add_parity(Kept& frame, Cursor& cursor);
  uint32_t choose_parity(const Kept& frame, uint32_t first_symbol) const;
  bool ends_group(const Kept& frame, const Cursor& cursor) const;
  // The first so many of the batch have gone. Their bytes.
  double commit(size_t packets);

  // --- feedback
  void on_messages(std::span<const uint8_t> messages);
  void hear();
  void on_feedback(const Feedback& feedback);
  void forget_base();
  void is_whole(Kept& frame);
  void ask_again(const Missing& missing);

  const WallClock& clock_;
  const uint32_t stream_;
  const size_t symbol_bytes_;
  const bool sealed_;
  const size_t head_bytes_;  // of a packet, beside its symbol
  const Handlers handlers_;
  PacketLink link_;
  FineTimer timer_;
  PacketPacer pacer_;
  ParityGroup group_;  // that is being sent

  std::array<Kept, kMaxFramesInFlight> kept_;
  Kept* sending_ = nullptr;
  Cursor cursor_;
  bool held_back_ = false;       // by the limit of the link
  double sending_bytes_ = 0;     // on the wire, of the frame being sent
  int64_t interval_ns_ = 1;      // that it is spread over
  double mean_frame_bytes_ = 0;  // on the wire
  bool sent_untold_ = false;     // on_sent is to be called
  Probe newest_;                 // what there is to be told of the frame begun last

  RepeatedMessages said_;
  // That on_message is to be called with. What comes when it is full comes again.
  std::array<HeardPacket, 24> heard_;
  size_t heard_packets_ = 0;

  uint64_t base_ = 0;  // frame that the receiver has whole, on which others can build; 0: none
  HeldBlocks base_held_;
  FrameName floor_;  // what frames before it have is not all in those that follow: no base

  std::vector<Repeat> repeats_;
  PacketBatch batch_;
  std::vector<Item> items_;  // of the batch
  size_t batch_repeats_ = 0;

  int64_t sent_at_ns_ = 0;  // steady: any packet
  PacketSilence silence_;
  int64_t sending_ns_ = 0;   // from submission to the last packet, lately
  uint64_t bytes_told_ = 0;  // by pump()
};

}  // namespace sail
