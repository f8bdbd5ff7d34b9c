// Estimates the refresh period and phase of one display from times at which a refresh was observed,
// some of them slightly late. Pure; times are steady.
#pragma once

#include <cstdint>
#include <vector>

#include "sail/core/wire/data/data_messages.h"
#include "sail/core/wire/stats.h"

namespace receiver {

// The known refresh of a tile's display, in steady time. With source kTold the phase is unknown.
struct TileRefresh {
  sail::Refresh refresh{};
  sail::RefreshSource source = sail::RefreshSource::kDisplayMode;
  bool phase_known() const { return source != sail::RefreshSource::kDisplayMode; }
};

class RefreshMeter {
 public:
  // reported_hz: refresh rate of the display mode, in whole Hz; 0: unknown.
  explicit RefreshMeter(int reported_hz = 0);

  // Returns true if another observation is useful. The first ones are taken in quick succession.
  bool due(int64_t now_ns) const;
  void add(int64_t begun_ns);
  TileRefresh refresh() const;

 private:
  struct Begun {
    int64_t at_ns = 0;
    double count = 0;  // number of refreshes since the first observation
  };
  double reported_period_ns_;
  double period_ns_;
  std::vector<Begun> lately_;  // oldest first
};

}  // namespace receiver
