#include "receiver/intake/fec_decoder.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace receiver {

using sail::FramePacket;
using sail::kGroupSymbols;

void FecDecoder::clear() {
  for (Group& group : groups_) release(group);
  groups_.clear();
  next_ = known_ = total_ = 0;
  tail_bytes_ = 0;
}

void FecDecoder::release(Group& group) {
  chunks_.recycle(std::move(group.sources));
  chunks_.recycle(std::move(group.parities));
}

FecDecoder::Group& FecDecoder::group_of(uint32_t symbol) {
  const size_t index = symbol / kGroupSymbols;
  if (index >= groups_.size()) groups_.resize(index + 1);
  return groups_[index];
}

const FecDecoder::Group* FecDecoder::find_group(uint32_t symbol) const {
  const size_t index = symbol / kGroupSymbols;
  return index < groups_.size() ? &groups_[index] : nullptr;
}

// --- fields of packets --------------------------------------------------------------------------

bool FecDecoder::add_known(uint32_t symbols) {
  if (symbols > (total_ != 0 ? total_ : max_symbols_)) return false;
  known_ = std::max(known_, symbols);
  return true;
}

bool FecDecoder::set_total(uint32_t symbols) {
  if (total_ != 0) return symbols == total_;
  if (symbols == 0 || symbols < known_ || symbols > max_symbols_) return false;
  total_ = known_ = symbols;
  return true;
}

bool FecDecoder::set_tail(size_t bytes) {
  if (tail_bytes_ == 0) tail_bytes_ = bytes;
  return tail_bytes_ == bytes;
}

// Checks that the frame has symbols up to `end`, and more symbols unless this packet carries the
// last symbol.
bool FecDecoder::fits(const FramePacket& packet, uint32_t end) {
  if (packet.last) return set_total(end);
  return add_known(end) && end != total_;
}

// Every packet announces the repair symbols of its FEC block; if there are none, no copies are
// stored.
bool FecDecoder::announce(Group& group, uint8_t parity) {
  if (!group.announced) group.announced = parity;
  return group.announced == parity;
}

FecDecoder::Added FecDecoder::add_source(const FramePacket& packet, std::span<const uint8_t> bytes,
                                         bool keep) {
  if (!fits(packet, packet.symbol + 1) || (packet.last && !set_tail(bytes.size()))) {
    return Added::kContradiction;
  }
  if (packet.symbol < next_) return Added::kHad;
  Group& group = group_of(packet.symbol);
  if (!announce(group, packet.parity)) return Added::kContradiction;
  const uint32_t index = packet.symbol % kGroupSymbols;
  if (group.here[index]) return Added::kHad;
  const bool copied = (keep || packet.parity > 0) && copy(group, index, bytes);
  if (keep && !copied) return Added::kNoRoom;
  group.here.set(index);
  if (copied) repair(group, packet.symbol - index);
  return Added::kNew;
}

bool FecDecoder::copy(Group& group, uint32_t index, std::span<const uint8_t> bytes) {
  if (!group.sources) group.sources = chunks_.take();
  if (!group.sources) return false;
  uint8_t* place = slot(group.sources, index);
  std::memcpy(place, bytes.data(), bytes.size());
  // FEC treats a short symbol as padded with zeros.
  std::memset(place + bytes.size(), 0, chunks_.symbol_bytes() - bytes.size());
  group.kept.set(index);
  return true;
}

FecDecoder::Added FecDecoder::add_parity(const FramePacket& packet,
                                         std::span<const uint8_t> bytes) {
  const bool tail_fits =
      packet.last ? set_tail(packet.tail_bytes)
                  : packet.sources == kGroupSymbols && packet.tail_bytes == chunks_.symbol_bytes();
  if (!tail_fits || !fits(packet, packet.symbol + packet.sources)) return Added::kContradiction;
  if (packet.symbol + packet.sources <= next_) return Added::kHad;
  Group& group = group_of(packet.symbol);
  if (!announce(group, packet.parity)) return Added::kContradiction;
  group.size = packet.sources;
  if (group.parity[packet.index] || group.here.count() == group.size) return Added::kHad;
  if (!group.parities) group.parities = chunks_.take();
  if (!group.parities) return Added::kNoRoom;
  std::memcpy(slot(group.parities, packet.index), bytes.data(), bytes.size());
  group.parity.set(packet.index);
  repair(group, packet.symbol);
  return Added::kNew;
}

// --- FEC decoding -------------------------------------------------------------------------------

void FecDecoder::repair(Group& group, uint32_t first) {
  const uint32_t missing = group.size - std::min<uint32_t>(group.here.count(), group.size);
  if (missing == 0) chunks_.recycle(std::move(group.parities));
  // Recovery needs copies; symbols delivered while memory was short have none.
  if (missing == 0 || group.parity.count() < missing || group.here != group.kept) return;
  if (!group.sources) group.sources = chunks_.take();
  if (!group.sources) return;

  std::array<const uint8_t*, kGroupSymbols> sources{};
  std::array<uint8_t*, kGroupSymbols> places{};
  std::array<codecs::ErasureDecoder::Parity, sail::kMaxGroupParity> parities{};
  size_t place_count = 0;
  for (uint32_t i = 0; i < group.size; ++i) {
    if (group.here[i]) {
      sources[i] = slot(group.sources, i);
    } else {
      places[place_count++] = slot(group.sources, i);
    }
  }
  size_t parity_count = 0;
  for (uint32_t i = group.parity.next_set(0, sail::kMaxGroupParity); i < sail::kMaxGroupParity;
       i = group.parity.next_set(i + 1, sail::kMaxGroupParity)) {
    parities[parity_count++] = {.index = static_cast<int>(i), .bytes = slot(group.parities, i)};
  }
  const bool only_tail = group.size == 1 && first + 1 == total_;
  if (!decoder_.decode(
          only_tail ? tail_bytes_ : chunks_.symbol_bytes(), std::span(sources).first(group.size),
          std::span(parities).first(parity_count), std::span(places).first(place_count))) {
    return;
  }
  for (uint32_t i = 0; i < group.size; ++i) {
    group.here.set(i);
    group.kept.set(i);
  }
  repaired_ += missing;
  chunks_.recycle(std::move(group.parities));
}

// --- delivering ---------------------------------------------------------------------------------

std::span<const uint8_t> FecDecoder::next_bytes() const {
  const Group* group = find_group(next_);
  const uint32_t index = next_ % kGroupSymbols;
  if (group == nullptr || !group->kept[index]) return {};
  return {slot(group->sources, index), next_ + 1 == total_ ? tail_bytes_ : chunks_.symbol_bytes()};
}

void FecDecoder::delivered() {
  ++next_;
  if (next_ % kGroupSymbols == 0 || next_ == total_) release(group_of(next_ - 1));
}

// --- missing symbols ----------------------------------------------------------------------------

uint32_t FecDecoder::next_missing(uint32_t from, uint32_t end) const {
  while (from < end) {
    const Group* group = find_group(from);
    if (group == nullptr) return from;
    const uint32_t first = from - from % kGroupSymbols;
    const uint32_t found = first + group->here.next_clear(from - first, kGroupSymbols);
    if (found < first + kGroupSymbols) return std::min(found, end);
    from = found;
  }
  return end;
}

uint32_t FecDecoder::next_here(uint32_t from, uint32_t end) const {
  while (from < end) {
    const Group* group = find_group(from);
    if (group == nullptr) return end;
    const uint32_t first = from - from % kGroupSymbols;
    const uint32_t found = first + group->here.next_set(from - first, kGroupSymbols);
    if (found < first + kGroupSymbols) return std::min(found, end);
    from = found;
  }
  return end;
}

bool FecDecoder::awaits_parity(uint32_t symbol) const {
  const Group* group = find_group(symbol);
  return group != nullptr && group->announced.value_or(0) > group->parity.count();
}

}  // namespace receiver
