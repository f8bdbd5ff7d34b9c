// The refresh of one display, from instants at which it is known to have begun a picture, some of
// them told a little late. Pure; steady times.
#pragma once

#include <cstdint>
#include <vector>

#include "sail/wire/data_messages.h"
#include "sail/wire/stats.h"

namespace receiver {

// What is known of a tile's display. In steady time; of those that are only told, not when.
struct TileRefresh {
  sail::Refresh refresh{};
  sail::RefreshSource source = sail::RefreshSource::kTold;
  bool phase_known() const { return source != sail::RefreshSource::kTold; }
};

class RefreshMeter {
 public:
  // As the display's mode says, in whole Hz; 0: it does not.
  explicit RefreshMeter(int told_hz = 0);

  // Whether another instant is of use: the first ones soon after each other.
  bool due(int64_t now_ns) const;
  void add(int64_t begun_ns);
  TileRefresh refresh() const;

 private:
  struct Begun {
    int64_t at_ns = 0;
    double count = 0;  // refreshes since the first
  };
  double told_period_ns_;
  double period_ns_;
  std::vector<Begun> lately_;  // oldest first
};

}  // namespace receiver
