#include "sail/client/transport/parity_group.h"

#include <algorithm>
#include <cstring>

#include "sail/core/wire/data/packets.h"

namespace sail {

void ParityGroup::set(uint32_t place, std::span<const std::span<const uint8_t>> parts,
                      size_t symbol_bytes) {
  copies_.resize(kGroupSymbols * symbol_bytes);
  const std::span<uint8_t> copy = std::span(copies_).subspan(place * symbol_bytes, symbol_bytes);
  size_t filled = 0;
  for (const auto part : parts) {
    std::memcpy(copy.data() + filled, part.data(), part.size());
    filled += part.size();
  }
  std::fill(copy.begin() + static_cast<ptrdiff_t>(filled), copy.end(), uint8_t{0});
}

void ParityGroup::encode(uint32_t sources, uint32_t parities, size_t symbol_bytes,
                         size_t tail_bytes) {
  sources_ = sources;
  tail_bytes_ = tail_bytes;
  parity_bytes_ = sources == 1 ? tail_bytes : symbol_bytes;
  parities_.resize(size_t{kMaxGroupParity} * symbol_bytes);
  source_places_.clear();
  parity_places_.clear();
  for (uint32_t i = 0; i < sources; ++i) {
    source_places_.push_back(copies_.data() + i * symbol_bytes);
  }
  for (uint32_t i = 0; i < parities; ++i) {
    parity_places_.push_back(parities_.data() + i * parity_bytes_);
  }
  encoder_.encode(parity_bytes_, source_places_, parity_places_);
}

}  // namespace sail
