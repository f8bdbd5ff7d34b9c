// A display in memory of which every picture of a film is taken: what its panel shows at each of
// the film's instants, as a display of that rate would show it.
//
// Thread: as Presenter.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "receiver/presenter.h"
#include "receiver/recorder/film_thread.h"

namespace receiver {

class FilmSampler final : public Presenter {
 public:
  // The film begins with the first picture of the wall, or soon without one, and ends after so many
  // seconds; 0: never. film outlives this.
  FilmSampler(FilmThread& film, double fps, double seconds);

  sail::Result<void> open(const std::vector<sail::TileInfo>& tiles) override;
  Canvas canvas(size_t tile) override { return display_->canvas(tile); }
  void present(size_t tile, std::span<const sail::Rect> damage) override;
  Canvas panel(size_t tile) override { return display_->panel(tile); }
  // kQuit: the film is over, or nobody says what is to be recorded.
  Display::Wish pump() override;
  int64_t pump_every_ns() const override;

  struct Figures {
    int64_t pictures = 0;  // that the film has; their indices are below
    int64_t left_out = 0;  // of these, since writing was behind
  };
  const Figures& figures() const { return figures_; }

 private:
  void begin_when_due(int64_t now_ns);
  void take(int64_t index);
  int64_t tick(int64_t now_ns) const { return now_ns / period_ns_; }

  FilmThread& film_;
  const int64_t period_ns_;
  const int64_t most_;  // pictures; 0: any number
  std::unique_ptr<Presenter> display_;
  sail::Size size_;
  const int64_t made_ns_;
  int64_t opened_ns_ = 0;   // 0: not yet
  int presented_ = 0;       // pictures, before the film began
  int64_t first_tick_ = 0;  // of the film; 0: it has not begun
  int changes_ = 0;         // pictures that may differ from the one before
  Figures figures_;
};

}  // namespace receiver
