// Cuts a frame's messages into symbols of equal length without copying them. Pure.
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
  // Sets all parts available so far: the parts of the last call, then new ones. Their memory must
  // stay valid while the symbols are in use. whole: no more parts will follow.
  void set_parts(std::span<const Part> parts, size_t symbol_bytes, bool whole);

  // Number of symbols available so far. The frame's last symbol may be shorter.
  uint32_t count() const { return count_; }
  bool is_last(uint32_t symbol) const { return whole_ && symbol + 1 == count_; }
  size_t bytes_of(uint32_t symbol) const;
  // Appends the symbol's bytes to the list.
  void gather(uint32_t symbol, std::vector<Part>& list) const;

 private:
  std::span<const Part> parts_;
  std::vector<size_t> ends_;  // end offset of each part in the frame
  size_t symbol_bytes_ = 1;
  uint32_t count_ = 0;
  bool whole_ = false;
};

}  // namespace sail
