// Shows the progress of a conversion on standard error: a bar on a terminal, else plain lines.
#pragma once

#include <chrono>
#include <string>

#include "sail/media/film/film_converter.h"

namespace ui {

// "412/1200 frames  34%  88.2 fps  ETA 0:09"; unknown parts are left out. Pure.
std::string progress_text(const sail::ConvertProgress& progress, double seconds);

class ConvertProgressDisplay {
 public:
  // quiet: prints nothing.
  explicit ConvertProgressDisplay(bool quiet);
  ~ConvertProgressDisplay() { clear(); }
  ConvertProgressDisplay(const ConvertProgressDisplay&) = delete;
  ConvertProgressDisplay& operator=(const ConvertProgressDisplay&) = delete;

  // May be called at any rate. Redraws the bar a few times a second, or prints a line every few
  // seconds.
  void update(const sail::ConvertProgress& progress);
  // Call before other output to standard error.
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
