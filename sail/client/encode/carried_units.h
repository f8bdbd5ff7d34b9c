// The access units of a carried stream since its last key picture, for receivers that lack some of
// them: those that join late, come back, or lost something. One thread at a time; what take()
// returns is immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sail/core/wire/data/access_units.h"

namespace sail {

// A unit with its fields, as it is sent.
class CarriedUnit {
 public:
  explicit CarriedUnit(const AccessUnit& unit);

  uint64_t number() const { return number_; }
  int64_t time_ns() const { return time_ns_; }
  bool key() const { return key_; }
  std::span<const uint8_t> bytes() const { return bytes_; }

 private:
  uint64_t number_;
  int64_t time_ns_;
  bool key_;
  std::vector<uint8_t> bytes_;
};

// What a frame needs: all units from a key picture on.
struct UnitChain {
  UnitsHead head;
  std::vector<std::shared_ptr<const CarriedUnit>> units;  // in decode order, without gaps

  // The number of the last unit; 0: there is none.
  uint64_t end() const { return units.empty() ? 0 : units.back()->number(); }
  // Returns the units for a receiver that has all up to this number (0: none). Empty also if such a
  // receiver could not decode them, because the key picture is not kept any more.
  std::span<const std::shared_ptr<const CarriedUnit>> after(uint64_t number) const;
};

class CarriedUnits {
 public:
  // most_bytes: of a chain with its head. What exceeds it is dropped, oldest first.
  explicit CarriedUnits(size_t most_bytes) : most_bytes_(most_bytes) {}

  // Adds a frame's new units. Null: the block is invalid. Must be called for each frame, also for
  // one that is not sent: later ones depend on its units.
  std::shared_ptr<const UnitChain> take(std::span<const uint8_t> block);

 private:
  void add(const AccessUnit& unit);
  void drop_first();

  const size_t most_bytes_;
  size_t bytes_ = kUnitsHeadBytes;
  std::deque<std::shared_ptr<const CarriedUnit>> units_;
  uint64_t newest_ = 0;
};

}  // namespace sail
