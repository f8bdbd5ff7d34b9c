// Puts a film's access units, which come in decode order, into frames, which are shown in the order
// of their times. Each frame's block has the units that a decoder needs for its picture and that no
// earlier block had. One thread at a
// time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "sail/core/wire/data/access_units.h"

namespace sail {

class UnitFrames {
 public:
  struct Depth {
    int reorder = 0;  // see UnitsHead
    int ahead = 0;
  };
  // The first unit's number is larger than those of all objects that were made earlier.
  explicit UnitFrames(Depth depth);

  // Begins again: the next unit must be a key picture, or is left out. Frames that are over at
  // wanted_ns are passed over, except the last one.
  void restart(int64_t wanted_ns);
  // Adds the next unit; its number is set here. shown: false for a picture that others only need.
  void add(AccessUnit unit, int64_t duration_ns, bool shown = true);
  // No unit follows.
  void end() { ended_ = true; }

  struct Frame {
    int64_t time_ns = 0;
    int64_t duration_ns = 0;
    std::vector<uint8_t> block;
  };
  // Empty: needs further units, or has ended.
  std::optional<Frame> next();
  // Memory of a block that is not needed any more, for another block.
  void reuse(std::vector<uint8_t> block) { spare_ = std::move(block); }

  // The time of the last frame; empty: none since restart().
  std::optional<int64_t> shown_ns() const { return shown_ns_; }
  // Units since the last call without which pictures cannot be decoded: they came before a key
  // picture, or the next one did not come within the limits of a block.
  uint64_t take_left_out();

 private:
  struct Waiting {
    int64_t time_ns;
    int64_t duration_ns;
  };

  bool ready() const;
  // Leaves out the units that no block has had, and all up to the next key picture.
  void give_up();
  void append(const AccessUnit& unit);
  void begin_block();

  const Depth depth_;
  uint64_t next_number_;
  std::vector<Waiting> waiting_;  // by time
  std::vector<uint8_t> block_;    // the next one: room for the head, units that no block has had
  std::vector<uint8_t> spare_;
  size_t unit_count_ = 0;
  int64_t wanted_ns_ = INT64_MIN;
  std::optional<int64_t> shown_ns_;
  bool begun_ = false;  // a key picture came
  bool ended_ = false;
  uint64_t left_out_ = 0;
};

}  // namespace sail
