// How far a conversion is: a bar in place on a terminal, plain lines elsewhere, on standard error.
#pragma once

#include <chrono>
#include <string>

#include "sail/media/film_converter.h"

namespace ui {

// "412/1200 frames  34%  88.2 fps  ETA 0:09"; without what nobody knows. Pure.
std::string progress_text(const sail::ConvertProgress& progress, double seconds);

class ConvertProgressDisplay {
 public:
  // quiet: nothing at all.
  explicit ConvertProgressDisplay(bool quiet);
  ~ConvertProgressDisplay() { clear(); }
  ConvertProgressDisplay(const ConvertProgressDisplay&) = delete;
  ConvertProgressDisplay& operator=(const ConvertProgressDisplay&) = delete;

  // As often as one likes; draws a few times a second, or writes a line every few seconds.
  void update(const sail::ConvertProgress& progress);
  // Before anything else is written there.
  void clear();
  double seconds() const;

 private:
  using Clock = std::chrono::steady_clock;

  const bool quiet_;
  const bool in_place_;
  const bool color_;
  const Clock::time_point began_ = Clock::now();
  Clock::time_point drawn_at_ = began_;
  bool drawn_ = false;
};

}  // namespace ui
