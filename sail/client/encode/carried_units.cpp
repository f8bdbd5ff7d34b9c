#include "sail/client/encode/carried_units.h"

#include <algorithm>

namespace sail {

CarriedUnit::CarriedUnit(const AccessUnit& unit)
    : number_(unit.number),
      time_ns_(unit.time_ns),
      key_(unit.key),
      bytes_(kUnitFieldsBytes + unit.bytes.size()) {
  encode_unit_fields(std::span(bytes_).first<kUnitFieldsBytes>(), unit);
  std::ranges::copy(unit.bytes, bytes_.begin() + kUnitFieldsBytes);
}

std::span<const std::shared_ptr<const CarriedUnit>> UnitChain::after(uint64_t number) const {
  const std::span all(units);
  if (all.empty()) return {};
  const uint64_t first = all.front()->number();
  if (number != 0 && number <= end() && first <= number + 1) {
    return all.subspan(static_cast<size_t>(number + 1 - first));
  }
  return all.front()->key() ? all : all.first(0);
}

std::shared_ptr<const UnitChain> CarriedUnits::take(std::span<const uint8_t> block) {
  const auto read = decode_units(block);
  if (!read) return nullptr;
  for (const AccessUnit& unit : read->units) add(unit);
  // Pictures that are shown before a key picture, but decoded after it, depend on the key picture
  // before.
  const auto begins = [&](const auto& unit) {
    return unit->key() && unit->time_ns() <= read->head.shows_ns;
  };
  const auto key = std::find_if(units_.rbegin(), units_.rend(), begins);
  if (key != units_.rend()) {
    for (auto earlier = units_.rend() - key - 1; earlier > 0; --earlier) drop_first();
  }
  while (bytes_ > most_bytes_ || units_.size() > kMaxUnits) drop_first();
  auto chain = std::make_shared<UnitChain>();
  chain->head = read->head;
  chain->units.assign(units_.begin(), units_.end());
  return chain;
}

// A frame that is submitted again has units that are here already.
void CarriedUnits::add(const AccessUnit& unit) {
  if (unit.number <= newest_) return;
  if (unit.number != newest_ + 1) {
    while (!units_.empty()) drop_first();
  }
  newest_ = unit.number;
  units_.push_back(std::make_shared<const CarriedUnit>(unit));
  bytes_ += units_.back()->bytes().size();
}

void CarriedUnits::drop_first() {
  bytes_ -= units_.front()->bytes().size();
  units_.pop_front();
}

}  // namespace sail
