#include "sail/client/encode/carried_units.h"

#include <algorithm>
#include <utility>

namespace sail {
namespace {

constexpr size_t kPieceBytes = size_t{256} << 10;

}  // namespace

std::span<const CarriedUnit> UnitChain::after(uint64_t number) const {
  const std::span all(units);
  if (all.empty()) return {};
  const uint64_t first = all.front().number;
  if (number != 0 && number <= end() && first <= number + 1) {
    return all.subspan(static_cast<size_t>(number + 1 - first));
  }
  return all.front().key ? all : all.first(0);
}

void UnitChain::clear() {
  units.clear();
  memory.clear();
}

const UnitChain* CarriedUnits::take(std::span<const uint8_t> block) {
  auto read = decode_units(block, std::move(read_));
  if (!read) return nullptr;
  for (const AccessUnit& unit : read->units) add(unit);
  read_ = std::move(read->units);
  chain_.head = read->head;
  drop_first(passed_over(chain_.head.shows_ns));
  drop_first(too_many());
  return &chain_;
}

// A frame that is submitted again has units that are here already.
void CarriedUnits::add(const AccessUnit& unit) {
  if (unit.number <= newest_) return;
  if (unit.number != newest_ + 1) drop_first(chain_.units.size());
  newest_ = unit.number;
  const auto to = space(kUnitFieldsBytes + unit.bytes.size());
  encode_unit_fields(to.first<kUnitFieldsBytes>(), unit);
  std::ranges::copy(unit.bytes, to.begin() + kUnitFieldsBytes);
  chain_.memory.back()->newest = unit.number;
  chain_.units.push_back({unit.number, unit.time_ns, unit.key, to});
  bytes_ += to.size();
}

std::span<uint8_t> CarriedUnits::space(size_t bytes) {
  const auto left = [](const UnitPiece& piece) { return piece.bytes.size() - piece.used; };
  if (chain_.memory.empty() || left(*chain_.memory.back()) < bytes) {
    UnitPieces::Ref piece = pieces_.take();
    if (!piece) {
      pieces_.grow();
      piece = pieces_.take();
    }
    piece->used = 0;
    if (piece->bytes.size() < bytes) piece->bytes.resize(std::max(bytes, kPieceBytes));
    chain_.memory.push_back(std::move(piece));
  }
  UnitPiece& piece = *chain_.memory.back();
  return std::span(piece.bytes).subspan(std::exchange(piece.used, piece.used + bytes), bytes);
}

// Pictures that are shown before a key picture, but decoded after it, depend on the key picture
// before.
size_t CarriedUnits::passed_over(int64_t shows_ns) const {
  const auto& units = chain_.units;
  const auto begins = [&](const CarriedUnit& unit) { return unit.key && unit.time_ns <= shows_ns; };
  const auto key = std::find_if(units.rbegin(), units.rend(), begins);
  return key == units.rend() ? 0 : static_cast<size_t>(units.rend() - key - 1);
}

size_t CarriedUnits::too_many() const {
  size_t count = chain_.units.size() - std::min(chain_.units.size(), kMaxUnits);
  size_t left = bytes_;
  for (size_t i = 0; i < count; ++i) left -= chain_.units[i].bytes.size();
  while (left > most_bytes_) left -= chain_.units[count++].bytes.size();
  return count;
}

void CarriedUnits::drop_first(size_t count) {
  if (count == 0) return;
  auto& units = chain_.units;
  const auto kept = units.begin() + static_cast<ptrdiff_t>(count);
  std::for_each(units.begin(), kept, [&](const CarriedUnit& unit) { bytes_ -= unit.bytes.size(); });
  units.erase(units.begin(), kept);
  const uint64_t first = units.empty() ? newest_ + 1 : units.front().number;
  std::erase_if(chain_.memory, [&](const auto& piece) { return piece->newest < first; });
}

}  // namespace sail
