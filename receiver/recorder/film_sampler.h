// A display in memory that records the wall: takes a picture at each frame time of the film, as a
// display with the film's frame rate would show it.
//
// Thread: as WindowSystem.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "receiver/display/window_system.h"
#include "receiver/recorder/film_thread.h"

namespace receiver {

class FilmSampler final : public WindowSystem {
 public:
  // The film begins with the first picture of the wall, or after a short wait without one. It ends
  // after `seconds`; 0: no limit. `film` must outlive this object.
  FilmSampler(FilmThread& film, double fps, double seconds);

  sail::Result<void> open(const std::vector<sail::TileInfo>& tiles) override;
  Canvas canvas(size_t tile) override { return display_->canvas(tile); }
  void present(size_t tile, std::span<const sail::Rect> damage) override;
  Canvas panel(size_t tile) override { return display_->panel(tile); }
  // Returns kQuit if the film has ended, or if the manager did not answer in time.
  Display::Request pump() override;
  int64_t pump_every_ns() const override;

  struct Figures {
    int64_t pictures = 0;  // frames of the film so far, including skipped ones
    int64_t left_out = 0;  // frames skipped because writing was too slow
  };
  const Figures& figures() const { return figures_; }

 private:
  void begin_when_due(int64_t now_ns);
  void take(int64_t index);
  int64_t tick(int64_t now_ns) const { return now_ns / period_ns_; }

  FilmThread& film_;
  const int64_t period_ns_;
  const int64_t most_;  // limit of frames; 0: none
  std::unique_ptr<WindowSystem> display_;
  sail::Size size_;
  const int64_t made_ns_;
  int64_t opened_ns_ = 0;   // 0: not opened yet
  int presented_ = 0;       // pictures presented before the film began
  int64_t first_tick_ = 0;  // first frame time; 0: not begun
  int changes_ = 0;         // number of next frames that may differ from their predecessors
  Figures figures_;
};

}  // namespace receiver
