// Puts frames into packets and sends them: first the symbols that the receiver has requested again,
// then the frame's source symbols in order, and after each FEC block its repair symbols. Runs on
// the loop thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "sail/client/transport/kept_frame.h"
#include "sail/client/transport/packet_batch.h"
#include "sail/client/transport/packet_link.h"
#include "sail/client/transport/packet_pacer.h"
#include "sail/client/transport/repair_symbols.h"
#include "sail/core/wire/data/packets.h"

namespace sail {

constexpr double kNewestFrameWeight = 0.125;  // weight of the newest frame in means

class FramePackets {
 public:
  // Returns the number of repair symbols for an FEC block of this many source symbols.
  using ParityFor = std::function<int(int sources)>;
  // Frames passed to this object must outlive it, or be taken back by end() and forget_repeats().
  FramePackets(PacketLink& link, size_t symbol_bytes, bool sealed, ParityFor parity_for);

  // Packets of a newly accepted connection.
  void start();

  // --- the frame being sent
  KeptFrame* frame() const { return frame_; }  // null: none
  void begin(KeptFrame& frame);
  // The frame was sent, or need not be sent any more.
  void end();
  void abort() { frame_ = nullptr; }
  // Returns true if all packets of the frame have been sent.
  bool all_sent() const { return frame_->all_sent && !ends_group(cursor_); }

  // --- symbols to send again
  // The receiver requests the symbols again that find no room here.
  bool takes_repeat() const { return repeats_.size() < kMaxRepeats; }
  void repeat(KeptFrame& frame, uint32_t symbol) { repeats_.push_back({&frame, symbol}); }
  void forget_repeats(const KeptFrame& frame);

  // --- packets
  bool anything_to_send() const;
  struct Sent {
    double bytes = 0;
    bool any = false;
    bool all = false;  // false: the socket's buffer is full
  };
  // Sends packets of about `grant` bytes.
  Sent send(double grant);
  // Returns the next probe, about the frame begun last.
  const Probe& probe() const { return probe_; }

  // What the pacer must know, for the path of these packets. interval_ns: over which the frame is
  // spread.
  struct Path {
    int64_t interval_ns = 1;
    int64_t round_trip_ns = 0;
    double limit_bytes_per_s = 0;
  };
  PacketPacer::Need need(const Path& path, int64_t now_ns, int64_t wall_now_ns) const;
  // Time over which the packets of a frame are spread.
  static int64_t spread_ns(int64_t interval_ns);

  // --- sizes on the wire
  double bytes_left() const;  // expected bytes
  double bytes_per_frame() const;

 private:
  static constexpr size_t kMaxRepeats = 2048;
  // Position in the frame being sent.
  struct Cursor {
    uint32_t symbol = 0;        // next source symbol
    uint32_t group_parity = 0;  // number of repair symbols of the current FEC block
    uint32_t parity = 0;        // next repair symbol, once the source symbols have been sent
  };
  struct Item {
    KeptFrame* frame = nullptr;
    FramePacket packet;
    bool is_parity = false;
    Cursor after;  // cursor after this packet; unused if retransmitted
  };
  struct Repeat {
    KeptFrame* frame = nullptr;
    uint32_t symbol = 0;
  };

  // Fills the batch. Does not mark packets as sent: see commit().
  void fill(double grant);
  double add_repeat(const Repeat& repeat);
  // Adds the frame's next packet. Returns its bytes; 0: nothing is ready.
  double add_next(Cursor& cursor);
  double add_symbol(Cursor& cursor);
  double add_parity(Cursor& cursor);
  uint32_t choose_parity(uint32_t first_symbol) const;
  bool ends_group(const Cursor& cursor) const;
  // The first `packets` of the batch were sent: updates the state. Returns their bytes.
  double commit(size_t packets);
  double packet_bytes() const { return static_cast<double>(symbol_bytes_ + head_bytes_); }
  double bytes_on_wire(size_t bytes) const;

  PacketLink& link_;
  const size_t symbol_bytes_;
  const size_t head_bytes_;  // packet size without the symbol
  const ParityFor parity_for_;
  KeptFrame* frame_ = nullptr;
  Cursor cursor_;
  double sent_bytes_ = 0;        // on the wire, of the frame being sent
  double mean_frame_bytes_ = 0;  // on the wire
  Probe probe_;
  ParityGroup group_;  // the FEC block being sent
  std::vector<Repeat> repeats_;
  PacketBatch batch_;
  std::vector<Item> items_;  // packets of the batch
  size_t batch_repeats_ = 0;
};

}  // namespace sail
