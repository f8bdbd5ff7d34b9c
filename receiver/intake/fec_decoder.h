// The source symbols of one frame in progress. Tracks which symbols arrived, stores those that
// cannot be delivered yet or that FEC decoding may need, and recovers missing symbols of an FEC
// block ("group") from repair symbols ("parity"). Pure.
//
// Checks packets of the frame for contradictions. The caller finds the frame that a packet belongs
// to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "codecs/fec/reed_solomon.h"
#include "receiver/intake/symbol_bitmap.h"
#include "receiver/intake/symbol_chunks.h"
#include "sail/core/wire/data/packets.h"

namespace receiver {

class FecDecoder {
 public:
  // Both must outlive this object. A frame has at most max_symbols source symbols.
  FecDecoder(SymbolChunks& chunks, codecs::ErasureDecoder& decoder, uint32_t max_symbols)
      : chunks_(chunks), decoder_(decoder), max_symbols_(max_symbols) {}
  ~FecDecoder() { clear(); }
  FecDecoder(const FecDecoder&) = delete;
  FecDecoder& operator=(const FecDecoder&) = delete;

  // Prepares for another frame.
  void clear();

  enum class Added {
    kNew,
    kHad,            // duplicate: changes nothing
    kNoRoom,         // no memory: the symbol counts as lost
    kContradiction,  // contradicts earlier packets or max_symbols
  };
  // Adds a source symbol. keep: stores a copy for next_bytes(). Otherwise the symbol must be
  // next(), and after kNew the caller delivers it and calls delivered().
  Added add_source(const sail::FramePacket& packet, std::span<const uint8_t> bytes, bool keep);
  Added add_parity(const sail::FramePacket& packet, std::span<const uint8_t> bytes);
  // The frame has at least (exactly) this many symbols. Returns false on a contradiction.
  bool add_known(uint32_t symbols);
  bool set_total(uint32_t symbols);

  // Returns the first symbol not delivered yet.
  uint32_t next() const { return next_; }
  // Returns the bytes of next() if stored; else empty.
  std::span<const uint8_t> next_bytes() const;
  void delivered();
  bool complete() const { return next_ == total_ && total_ != 0; }

  // Returns the number of symbols in the frame; 0: not known yet.
  uint32_t total() const { return total_; }
  // Returns the index of the last known symbol plus one.
  uint32_t known() const { return known_; }
  // Return the first symbol in [from, end) that is missing (has arrived), or `end`.
  uint32_t next_missing(uint32_t from, uint32_t end) const;
  uint32_t next_here(uint32_t from, uint32_t end) const;
  // Returns true if announced repair symbols of the symbol's FEC block are missing.
  bool awaits_parity(uint32_t symbol) const;
  // Returns the number of symbols recovered by FEC since the last call.
  uint32_t take_repaired() { return std::exchange(repaired_, 0); }

 private:
  struct Group {
    SymbolBitmap here;
    SymbolBitmap kept;                 // symbols that are stored in `sources`
    SymbolBitmap parity;               // repair symbols stored in `parities`, by index
    std::optional<uint8_t> announced;  // number of repair symbols, from its packets
    uint8_t size = 0;                  // source symbols in the FEC block; 0: not known
    SymbolChunks::Chunk sources;
    SymbolChunks::Chunk parities;
  };
  Group& group_of(uint32_t symbol);
  const Group* find_group(uint32_t symbol) const;
  bool set_tail(size_t bytes);
  bool fits(const sail::FramePacket& packet, uint32_t end);
  static bool announce(Group& group, uint8_t parity);
  bool copy(Group& group, uint32_t index, std::span<const uint8_t> bytes);
  void repair(Group& group, uint32_t first);
  void release(Group& group);
  uint8_t* slot(const SymbolChunks::Chunk& chunk, uint32_t index) const {
    return chunk.get() + index * chunks_.symbol_bytes();
  }

  SymbolChunks& chunks_;
  codecs::ErasureDecoder& decoder_;
  const uint32_t max_symbols_;
  std::vector<Group> groups_;
  uint32_t next_ = 0;
  uint32_t known_ = 0;
  uint32_t total_ = 0;
  size_t tail_bytes_ = 0;  // length of the frame's last symbol; 0: not known
  uint32_t repaired_ = 0;
};

}  // namespace receiver
