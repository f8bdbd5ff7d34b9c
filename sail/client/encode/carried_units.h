// The access units of a carried stream since its last key picture, for receivers that lack some of
// them: those that join late, come back, or lost something.
//
// Each unit is copied once, into memory that frames share. Once the memory suffices for the units
// of the frames in flight, no frame allocates any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sail/core/base/shared_pool.h"
#include "sail/core/wire/data/access_units.h"

namespace sail {

// Memory of neighbouring units.
struct UnitPiece {
  std::vector<uint8_t> bytes;
  size_t used = 0;
  uint64_t newest = 0;  // number of the last unit
};
using UnitPieces = SharedPool<UnitPiece>;

struct CarriedUnit {
  uint64_t number = 0;
  int64_t time_ns = 0;
  bool key = false;
  std::span<const uint8_t> bytes;  // with the unit's fields, as it is sent
};

// What a frame needs: all units from a key picture on. A copy shares the units' memory.
struct UnitChain {
  UnitsHead head;
  std::vector<CarriedUnit> units;       // in decode order, without gaps
  std::vector<UnitPieces::Ref> memory;  // memory of the units

  // The number of the last unit; 0: there is none.
  uint64_t end() const { return units.empty() ? 0 : units.back().number; }
  // Returns the units for a receiver that has all up to this number (0: none). Empty also if such a
  // receiver could not decode them, because the key picture is not kept any more.
  std::span<const CarriedUnit> after(uint64_t number) const;
  void clear();
};

// One thread at a time; others may read copies of its chain meanwhile. Must outlive these copies.
class CarriedUnits {
 public:
  // most_bytes: limit of a chain with its head. Beyond it, the oldest units are dropped.
  explicit CarriedUnits(size_t most_bytes) : most_bytes_(most_bytes) {}

  // Adds a frame's new units. The chain is valid until the next call. Null: the block is invalid.
  // Must be called for each frame, also for one that is not sent: later ones depend on its units.
  const UnitChain* take(std::span<const uint8_t> block);

 private:
  void add(const AccessUnit& unit);
  // Returns memory that no unit has yet.
  std::span<uint8_t> space(size_t bytes);
  // How many of the first units no receiver needs any more.
  size_t passed_over(int64_t shows_ns) const;
  size_t too_many() const;
  void drop_first(size_t count);

  const size_t most_bytes_;
  size_t bytes_ = kUnitsHeadBytes;
  UnitPieces pieces_;  // before the chain, which refers to them
  UnitChain chain_;
  std::vector<AccessUnit> read_;
  uint64_t newest_ = 0;
};

}  // namespace sail
