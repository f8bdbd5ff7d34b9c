// The only pixel block of a carried stream's frame: access units of a film, and which picture they
// are to show. See "Carried streams" in PROTOCOL.md. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sail/core/wire/data/data_messages.h"

namespace sail {

// What one call of a decoder takes: the coded form of one picture, with the parameter sets that it
// needs if it is a key picture.
struct AccessUnit {
  // Decode order. Each unit has the number after that of the unit before; after a gap,
  // decoding begins again at a key picture.
  uint64_t number = 0;
  int64_t time_ns = 0;    // film time of the picture
  bool key = false;       // decoding can begin here
  bool reference = true;  // other pictures may depend on it
  std::span<const uint8_t> bytes;
};

struct UnitsHead {
  int64_t shows_ns = 0;  // film time of the picture that the frame shows
  // At most how many pictures the decoder holds back because they are shown later.
  int reorder = 0;
  int ahead = 0;      // units beyond those, so that the decoder may work on several at a time
  bool last = false;  // no unit follows: the decoder gives out all pictures
};

constexpr size_t kUnitsHeadBytes = 16;
constexpr size_t kUnitFieldsBytes = 24;
constexpr int kMaxUnitReorder = 16;
constexpr int kMaxUnitsAhead = 3;
// Limit for one frame. Of more units after a key picture, the rest is not kept.
constexpr size_t kMaxUnits = 8192;

struct UnitsBlock {
  UnitsHead head;
  std::vector<AccessUnit> units;  // refer to the block's bytes
};

void encode_units_head(std::span<uint8_t, kUnitsHeadBytes> to, const UnitsHead& head);
// The fields before a unit's bytes.
void encode_unit_fields(std::span<uint8_t, kUnitFieldsBytes> to, const AccessUnit& unit);
// memory: used for the units.
DataResult<UnitsBlock> decode_units(std::span<const uint8_t> block,
                                    std::vector<AccessUnit> memory = {});

}  // namespace sail
