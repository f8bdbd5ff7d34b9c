// Reassembles the frames of one connection from packets that arrive in any order or get lost.
// Delivers the bytes in order, one frame after another. Pure; time arguments are steady.
//
// A symbol that arrives in order is delivered straight from its packet. Symbols after a gap are
// stored. A frame is given up if it is incomplete at its deadline and stalled because its next
// symbol is missing; delivery then continues with the next frame. The limits bound the memory: a
// symbol that does not fit counts as lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "codecs/fec/reed_solomon.h"
#include "receiver/intake/fec_decoder.h"
#include "receiver/intake/symbol_chunks.h"
#include "sail/core/wire/data/data_messages.h"
#include "sail/core/wire/data/packets.h"

namespace receiver {

class FrameReassembler {
 public:
  // A symbol counts as missing once this many packets or this much time have passed since a later
  // symbol of its frame arrived.
  static constexpr uint64_t kReorderedPackets = 16;
  static constexpr int64_t kReorderingNs = 2'000'000;
  // Interval for requesting a missing symbol again, because feedback can get lost. The sender knows
  // the round-trip time and does not retransmit sooner than useful.
  static constexpr int64_t kAskAgainNs = 5'000'000;
  // A frame is given up after this silence, even if no symbol is known to be missing.
  static constexpr int64_t kSilenceNs = 250'000'000;
  // Time from the first packet to the deadline, until a frame has set a deadline.
  static constexpr int64_t kFirstDeadlineNs = 100'000'000;

  // Receives the frames. An error ends the connection: nothing more is delivered.
  class Sink {
   public:
    virtual ~Sink() = default;
    // A packet belongs to a frame not seen before; `under_way` others are in progress.
    virtual std::optional<sail::DataError> frame_begins(size_t under_way) = 0;
    virtual std::optional<sail::DataError> frame_bytes(const sail::FrameName& name,
                                                       std::span<const uint8_t> bytes) = 0;
    // All bytes of the frame were delivered.
    virtual std::optional<sail::DataError> frame_complete(const sail::FrameName& name) = 0;
    // No more bytes of the frame will follow; maybe none were delivered.
    virtual std::optional<sail::DataError> frame_lost(const sail::FrameName& name) = 0;
  };

  struct Limits {
    size_t symbol_bytes = 0;
    uint32_t symbols = 0;    // per frame
    size_t frames = 0;       // frames in progress that the sink permits
    size_t store_bytes = 0;  // memory for stored symbols
  };
  // The sink must outlive this object.
  FrameReassembler(Sink& sink, const Limits& limits);
  ~FrameReassembler();

  // Adds a packet decoded with limits.symbol_bytes. Returns an error if it contradicts others.
  // type: kSource or kParity.
  std::optional<sail::DataError> on_packet(sail::PacketType type, const sail::FramePacket& packet,
                                           std::span<const uint8_t> bytes, int64_t now_ns);
  std::optional<sail::DataError> on_probe(const sail::Probe& probe, int64_t now_ns);
  // Gives up late frames. Must be called every few milliseconds while unfinished().
  std::optional<sail::DataError> on_time(int64_t now_ns);

  // Sets the deadline of the frame that is being delivered; call it from within frame_bytes().
  // Later frames get the same time until their own deadline is known.
  void set_deadline(int64_t deadline_ns);

  bool unfinished() const { return !active_.empty(); }
  // Lists missing symbols that were never requested, or not recently: at most `most` ranges, oldest
  // first. A range that ends at limits.symbols extends to the end of the frame.
  void name_missing(int64_t now_ns, size_t most, std::vector<sail::Missing>& missing);
  // Returns true if missing symbols were never requested.
  bool anything_new_missing(int64_t now_ns);

  struct Counters {
    uint64_t late = 0;               // packets of frames already given up
    uint64_t mended_fec = 0;         // symbols recovered by FEC
    uint64_t mended_retransmit = 0;  // symbols recovered by retransmission
    uint64_t no_room = 0;            // packets dropped for lack of memory
    uint64_t frames_lost = 0;
  };
  const Counters& counters() const { return counters_; }

 private:
  struct Incoming;
  // Returns null if the packet must be dropped.
  sail::DataResult<Incoming*> find(const sail::FrameName& name, int64_t now_ns);
  sail::DataResult<Incoming*> begin(size_t place, const sail::FrameName& name, int64_t now_ns);
  std::optional<sail::DataError> add_source(Incoming& frame, const sail::FramePacket& packet,
                                            std::span<const uint8_t> bytes, int64_t now_ns);
  std::optional<sail::DataError> added(Incoming& frame, FecDecoder::Added added, int64_t now_ns);
  std::optional<sail::DataError> deliver();
  void finish_first(bool whole);
  static uint32_t ask(const Incoming& frame, uint32_t from, uint32_t end, size_t most,
                      std::vector<sail::Missing>& missing);

  Sink& sink_;
  const Limits limits_;
  SymbolChunks chunks_;
  codecs::ErasureDecoder decoder_;
  std::vector<std::unique_ptr<Incoming>> active_;  // in the order in which they began
  std::vector<std::unique_ptr<Incoming>> spare_;
  sail::FrameName over_;                 // the last frame delivered or given up
  bool over_whole_ = false;              // that frame was delivered
  int64_t slack_ns_ = kFirstDeadlineNs;  // recent time from a frame's first packet to its deadline
  uint64_t packets_ = 0;
  Counters counters_;
};

}  // namespace receiver
