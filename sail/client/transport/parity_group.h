// Encodes the repair symbols of one FEC block. Keeps copies of the source symbols as they are sent,
// until the block is complete. Memory is allocated with the first block. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codecs/fec/reed_solomon.h"

namespace sail {

class ParityGroup {
 public:
  // Copies a source symbol to its position. Only the last may be shorter. May be set twice.
  void set(uint32_t place, std::span<const std::span<const uint8_t>> parts, size_t symbol_bytes);
  // Encodes repair symbols. Source symbols [0, sources) must be set; the last has tail_bytes.
  void encode(uint32_t sources, uint32_t parities, size_t symbol_bytes, size_t tail_bytes);
  // Valid after encode(), until the next encode().
  std::span<const uint8_t> parity(uint32_t index) const {
    return {parities_.data() + index * parity_bytes_, parity_bytes_};
  }
  uint32_t sources() const { return sources_; }
  size_t tail_bytes() const { return tail_bytes_; }

 private:
  codecs::ErasureEncoder encoder_;
  std::vector<uint8_t> copies_;
  std::vector<uint8_t> parities_;
  std::vector<const uint8_t*> source_places_;
  std::vector<uint8_t*> parity_places_;
  size_t parity_bytes_ = 0;
  uint32_t sources_ = 0;
  size_t tail_bytes_ = 0;
};

}  // namespace sail
