// A frame's messages cut into symbols of equal length, where they stand in memory. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sail {

class OutgoingSymbols {
 public:
  using Part = std::span<const uint8_t>;

  void clear();
  // All parts that there are by now: those of the last call, and more behind them. They outlive
  // their use here. whole: no more will come.
  void set_parts(std::span<const Part> parts, size_t symbol_bytes, bool whole);

  // Symbols that can be had by now; the last one of a frame may be shorter than the others.
  uint32_t count() const { return count_; }
  bool is_last(uint32_t symbol) const { return whole_ && symbol + 1 == count_; }
  size_t bytes_of(uint32_t symbol) const;
  // Adds the symbol's bytes to the list.
  void gather(uint32_t symbol, std::vector<Part>& list) const;

 private:
  std::span<const Part> parts_;
  std::vector<size_t> ends_;  // of the parts, in the frame
  size_t symbol_bytes_ = 1;
  uint32_t count_ = 0;
  bool whole_ = false;
};

}  // namespace sail
