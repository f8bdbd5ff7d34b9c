// Puts the frames of one connection together from packets that come in any order, or not at all,
// and delivers their bytes in order, one frame after another. Pure: the time is an argument,
// steady.
//
// A symbol that comes in order is delivered out of its packet; what comes behind a gap waits. A
// frame that is not whole at its deadline and does not go on, since its next symbol is missing, is
// given up whole, and the next one follows. Memory is bounded by the limits: symbols for which
// there is no room are as if they had not come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "codecs/reed_solomon.h"
#include "receiver/frame_symbols.h"
#include "receiver/symbol_chunks.h"
#include "sail/wire/data_messages.h"
#include "sail/wire/packets.h"

namespace receiver {

class FrameReassembler {
 public:
  // Symbols are missing when so many packets have come since a later one of their frame, or so much
  // time has passed.
  static constexpr uint64_t kReorderedPackets = 16;
  static constexpr int64_t kReorderingNs = 2'000'000;
  // How soon a symbol is named as missing again: feedback gets lost, too. SAIL knows the round trip
  // and sends it no sooner than that makes sense.
  static constexpr int64_t kAskAgainNs = 5'000'000;
  // After so long a frame is over of which nothing comes and nothing is known to be missing.
  static constexpr int64_t kSilenceNs = 250'000'000;
  // Deadline after the first packet, as long as no frame has told one.
  static constexpr int64_t kFirstDeadlineNs = 100'000'000;

  // Where the frames go. An error ends the connection: nothing more is delivered.
  class Sink {
   public:
    virtual ~Sink() = default;
    // A packet names a frame of which nothing was known, while so many others are under way.
    virtual std::optional<sail::DataError> frame_begins(size_t under_way) = 0;
    virtual std::optional<sail::DataError> frame_bytes(const sail::FrameName& name,
                                                       std::span<const uint8_t> bytes) = 0;
    // Those were all.
    virtual std::optional<sail::DataError> frame_complete(const sail::FrameName& name) = 0;
    // There will be no more, whether any came or not.
    virtual std::optional<sail::DataError> frame_lost(const sail::FrameName& name) = 0;
  };

  struct Limits {
    size_t symbol_bytes = 0;
    uint32_t symbols = 0;    // of a frame
    size_t frames = 0;       // that the sink lets be under way
    size_t store_bytes = 0;  // of symbols that wait
  };
  // The sink must outlive this.
  FrameReassembler(Sink& sink, const Limits& limits);
  ~FrameReassembler();

  // A packet decoded with limits.symbol_bytes. An error when it contradicts others.
  std::optional<sail::DataError> on_source(const sail::FramePacket& packet,
                                           std::span<const uint8_t> bytes, int64_t now_ns);
  std::optional<sail::DataError> on_parity(const sail::FramePacket& packet,
                                           std::span<const uint8_t> bytes, int64_t now_ns);
  std::optional<sail::DataError> on_probe(const sail::Probe& probe, int64_t now_ns);
  // Time passes: gives up what is late. To be called every few milliseconds while unfinished().
  std::optional<sail::DataError> on_time(int64_t now_ns);

  // The deadline of the frame that is being delivered, to be told from within frame_bytes(). Later
  // frames whose own is not known get as much time.
  void set_deadline(int64_t deadline_ns);

  bool unfinished() const { return !active_.empty(); }
  // Missing symbols that have not been named yet, or long ago; in ranges, as many as `most`, oldest
  // first. A range that ends at limits.symbols goes to the frame's end, wherever that is.
  void name_missing(int64_t now_ns, size_t most, std::vector<sail::Missing>& missing);
  // Whether there are some that were never named.
  bool anything_new_missing(int64_t now_ns);

  struct Counters {
    uint64_t late = 0;               // packets whose frame had been given up
    uint64_t mended_fec = 0;         // symbols
    uint64_t mended_retransmit = 0;  // symbols
    uint64_t no_room = 0;            // packets
    uint64_t frames_lost = 0;
  };
  const Counters& counters() const { return counters_; }

 private:
  struct Incoming;
  // Null: the packet is to be dropped.
  sail::DataResult<Incoming*> find(const sail::FrameName& name, int64_t now_ns);
  sail::DataResult<Incoming*> begin(size_t place, const sail::FrameName& name, int64_t now_ns);
  std::optional<sail::DataError> added(Incoming& frame, FrameSymbols::Added added, int64_t now_ns);
  std::optional<sail::DataError> deliver();
  void finish_first(bool whole);
  static uint32_t ask(const Incoming& frame, uint32_t from, uint32_t end, size_t most,
                      std::vector<sail::Missing>& missing);

  Sink& sink_;
  const Limits limits_;
  SymbolChunks chunks_;
  codecs::ErasureDecoder decoder_;
  std::vector<std::unique_ptr<Incoming>> active_;  // in the order in which they were begun
  std::vector<std::unique_ptr<Incoming>> spare_;
  sail::FrameName over_;                 // the last frame that was delivered or given up
  bool over_whole_ = false;              // it was delivered
  int64_t slack_ns_ = kFirstDeadlineNs;  // from a frame's first packet to its deadline, lately
  uint64_t packets_ = 0;
  Counters counters_;
};

}  // namespace receiver
