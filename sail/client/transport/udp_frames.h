// Sends frames as UDP packets beside the stream's TCP connection. Packets are paced. Losses are
// repaired by FEC and by retransmission on request. Runs on the loop thread.
//
// A frame builds on the newest frame that the receiver is known to have completely, so a lost frame
// does not affect others.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sail/client/transport/frame_messages.h"
#include "sail/client/transport/frame_transport.h"
#include "sail/client/transport/outgoing_symbols.h"
#include "sail/client/transport/packet_batch.h"
#include "sail/client/transport/packet_link.h"
#include "sail/client/transport/packet_pacer.h"
#include "sail/client/transport/packet_silence.h"
#include "sail/client/transport/parity_group.h"
#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/text/limits.h"
#include "sail/core/time/wall_clock.h"
#include "sail/core/wire/data/packets.h"
#include "sail/core/wire/data/repeated_messages.h"

namespace sail {

class UdpFrames final : public FrameTransport {
 public:
  struct Handlers {
    // The frame begun last has been sent; another may be begun.
    std::function<void()> on_sent;
    // The receiver sent this message in a packet; it may also arrive on the connection. Packets may
    // be forged, so the message is not trusted.
    std::function<void(const MessageBuffer::Message&)> on_message;
  };
  // loop, clock and log must outlive this object.
  UdpFrames(Loop& loop, const WallClock& clock, const Log& log, uint32_t stream, const Address& to,
            size_t symbol_bytes, bool sealed, Handlers handlers);

  Result<void> start(TcpConnection& tcp, const StreamAccept& accept,
                     int64_t round_trip_ns) override;
  void stop() override;
  bool gone() const override { return true; }  // the kernel has copied what was sent
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
  // A frame kept for retransmission, until the receiver has it or no longer needs it.
  struct Kept {
    FrameName name;          // default: free
    FrameMessages messages;  // empty once it is too late to send any of it
    OutgoingSymbols symbols;
    HeldBlocks held;           // blocks that the receiver has once this frame is complete
    int64_t submitted_ns = 0;  // wall time
    int64_t deadline_ns = 0;   // wall time at which the receiver drops the frame; 0: never
    uint32_t sent = 0;         // number of source symbols sent, from the first
    bool all_sent = false;
    uint32_t repeated = 0;          // number of retransmitted symbols
    std::vector<uint32_t> sent_us;  // time of the last transmission, by symbol
    std::vector<uint8_t> parities;  // number of repair symbols, by FEC block
  };
  // Position in the frame being sent.
  struct Cursor {
    uint32_t symbol = 0;        // next source symbol
    uint32_t group_parity = 0;  // number of repair symbols of the current FEC block
    uint32_t parity = 0;        // next repair symbol, once the source symbols have been sent
  };
  struct Item {
    Kept* frame = nullptr;
    FramePacket packet;
    bool is_parity = false;
    Cursor after;  // cursor after this packet; unused if retransmitted
  };
  // One packet with messages.
  struct ReceivedPacket {
    std::array<uint8_t, RepeatedMessages::kMaxBytes> text;
    size_t bytes = 0;
  };
  struct Repeat {
    Kept* frame = nullptr;
    uint32_t symbol = 0;
  };

  Kept* find(const FrameName& name);
  void add_rows();
  // Releases a frame and its slot.
  void drop(Kept& frame);
  // Releases only the frame's bytes, which will not be sent any more.
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
  void resend_when_due(int64_t now_ns);
  void give_up_late();

  // --- packets
  PacketPacer::Need need(int64_t now_ns) const;
  double bytes_on_wire(size_t bytes) const;
  // Sends what may be sent now.
  void send_due();
  // Fills the batch without changing the state of what is sent.
  void fill(double grant);
  double add_repeat(const Repeat& repeat);
  // Adds the current frame's next packet. Returns its bytes; 0: nothing is ready.
  double add_next(Cursor& cursor);
  double add_symbol(Kept& frame, Cursor& cursor);
  double add_parity(Kept& frame, Cursor& cursor);
  uint32_t choose_parity(const Kept& frame, uint32_t first_symbol) const;
  bool ends_group(const Kept& frame, const Cursor& cursor) const;
  // The first `packets` of the batch were sent: updates the state. Returns their bytes.
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
  const size_t head_bytes_;  // packet size without the symbol
  const Handlers handlers_;
  PacketLink link_;
  FineTimer timer_;
  PacketPacer pacer_;
  ParityGroup group_;  // the FEC block being sent

  std::array<Kept, kMaxFramesInFlight> kept_;
  Kept* sending_ = nullptr;
  Cursor cursor_;
  bool held_back_ = false;       // by the link's limit
  double sending_bytes_ = 0;     // on the wire, of the frame being sent
  int64_t interval_ns_ = 1;      // interval over which the frame is spread
  double mean_frame_bytes_ = 0;  // on the wire
  bool sent_untold_ = false;     // on_sent is still to be called
  Probe newest_;                 // next probe, about the frame begun last

  RepeatedMessages said_;
  // Packets for on_message. When full, packets are dropped; the peer repeats them.
  std::array<ReceivedPacket, 24> heard_;
  size_t heard_packets_ = 0;

  // Newest frame that the receiver has completely and that others may build on; 0: none.
  uint64_t base_ = 0;
  HeldBlocks base_held_;
  // Frames before this one cannot serve as base: later frames do not repeat all of their blocks.
  FrameName floor_;

  std::vector<Repeat> repeats_;
  PacketBatch batch_;
  std::vector<Item> items_;  // packets of the batch
  size_t batch_repeats_ = 0;

  int64_t sent_at_ns_ = 0;  // steady time of the last packet
  PacketSilence silence_;
  int64_t sending_ns_ = 0;   // recent time from submission to the last packet
  uint64_t bytes_told_ = 0;  // returned by pump() so far
};

}  // namespace sail
