// The symbols of one frame under way: which have come, copies of those that cannot be delivered
// yet or that parity may need, and the mending of groups by parity. Pure.
//
// What packets say is checked against what others of the frame said; which frame they belong to is
// the caller's business.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "codecs/reed_solomon.h"
#include "receiver/symbol_bits.h"
#include "receiver/symbol_chunks.h"
#include "sail/wire/packets.h"

namespace receiver {

class FrameSymbols {
 public:
  // Both outlive this. A frame has at most max_symbols.
  FrameSymbols(SymbolChunks& chunks, codecs::ErasureDecoder& decoder, uint32_t max_symbols)
      : chunks_(chunks), decoder_(decoder), max_symbols_(max_symbols) {}
  ~FrameSymbols() { clear(); }
  FrameSymbols(const FrameSymbols&) = delete;
  FrameSymbols& operator=(const FrameSymbols&) = delete;

  // For another frame.
  void clear();

  enum class Added {
    kNew,
    kHad,            // it changes nothing
    kNoRoom,         // as if it had not come
    kContradiction,  // to what was said before, or to max_symbols
  };
  // `keep`: the bytes are copied for next_bytes(). Otherwise the symbol is next(), and the caller
  // delivers it and calls delivered() when this has said kNew.
  Added add_source(const sail::FramePacket& packet, std::span<const uint8_t> bytes, bool keep);
  Added add_parity(const sail::FramePacket& packet, std::span<const uint8_t> bytes);
  // The frame has at least so many, or exactly. False: a contradiction.
  bool add_known(uint32_t symbols);
  bool set_total(uint32_t symbols);

  // The first symbol that was not delivered.
  uint32_t next() const { return next_; }
  // The bytes of next() when they are here; else empty.
  std::span<const uint8_t> next_bytes() const;
  void delivered();
  bool complete() const { return next_ == total_ && total_ != 0; }

  // How many the frame has; 0: not known yet.
  uint32_t total() const { return total_; }
  // The last one known of, and one.
  uint32_t known() const { return known_; }
  // The first one in [from, end) that is (not) here, or `end`.
  uint32_t next_missing(uint32_t from, uint32_t end) const;
  uint32_t next_here(uint32_t from, uint32_t end) const;
  // Parity of the symbol's group was announced and is not all here.
  bool awaits_parity(uint32_t symbol) const;
  // Symbols got from parity since the last time it was asked for.
  uint32_t take_mended() { return std::exchange(mended_, 0); }

 private:
  struct Group {
    SymbolBits here;
    SymbolBits kept;                   // and in `sources`
    SymbolBits parity;                 // in `parities`, by index
    std::optional<uint8_t> announced;  // parity packets that it has, as all its packets say
    uint8_t size = 0;                  // symbols; 0: not known
    SymbolChunks::Chunk sources;
    SymbolChunks::Chunk parities;
  };
  Group& group_of(uint32_t symbol);
  const Group* find_group(uint32_t symbol) const;
  bool set_tail(size_t bytes);
  bool fits(const sail::FramePacket& packet, uint32_t end);
  static bool announce(Group& group, uint8_t parity);
  bool copy(Group& group, uint32_t index, std::span<const uint8_t> bytes);
  void mend(Group& group, uint32_t first);
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
  size_t tail_bytes_ = 0;  // of the frame's last symbol; 0: not known
  uint32_t mended_ = 0;
};

}  // namespace receiver
