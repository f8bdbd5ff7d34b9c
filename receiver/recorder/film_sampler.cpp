#include "receiver/recorder/film_sampler.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sail/core/time/clock.h"

namespace receiver {
namespace {

// A wall that shows nothing is recorded too, after this time.
constexpr int64_t kLongestBlackNs = 500'000'000;
constexpr int64_t kManagerTimeoutNs = 10'000'000'000;
constexpr int64_t kPollIntervalNs = 10'000'000;  // polling interval before the film begins

}  // namespace

FilmSampler::FilmSampler(FilmThread& film, double fps, double seconds)
    : film_(film),
      period_ns_(std::llround(1e9 / fps)),
      most_(std::llround(seconds * fps)),
      display_(make_null_window_system({.hz = fps})),
      made_ns_(sail::steady_now_ns()) {}

sail::Result<void> FilmSampler::open(const std::vector<sail::TileInfo>& tiles) {
  if (tiles.size() != 1) {
    return sail::fail(sail::ErrorCode::kInvalidParams,
                      "the manager must assign exactly one part of the wall to a recorder");
  }
  const sail::Size size = upright_size(tiles.front());
  if (auto opened = display_->open(tiles); !opened) return opened;
  changes_ = 2;
  if (opened_ns_ != 0) {
    if (size == size_) return {};
    return sail::fail(sail::ErrorCode::kConflict,
                      "the size of the recorded wall has changed: start a new recording");
  }
  size_ = size;
  opened_ns_ = sail::steady_now_ns();
  return film_.begin(size_);
}

// A presented picture becomes visible in the next frame of the film or in the one after it.
void FilmSampler::present(size_t tile, std::span<const sail::Rect> damage) {
  display_->present(tile, damage);
  changes_ = 2;
  if (opened_ns_ != 0) ++presented_;
}

void FilmSampler::begin_when_due(int64_t now_ns) {
  // The first presented picture is only the display's initial black.
  const bool due = presented_ > 1 || now_ns - opened_ns_ > kLongestBlackNs;
  if (opened_ns_ == 0 || !due) return;
  first_tick_ = tick(now_ns) + 1;
  film_.begins_at(first_tick_ * period_ns_);
}

Display::Request FilmSampler::pump() {
  const int64_t now_ns = sail::steady_now_ns();
  if (opened_ns_ == 0 && now_ns - made_ns_ > kManagerTimeoutNs) return Display::Request::kQuit;
  if (film_.failed()) return Display::Request::kQuit;
  if (first_tick_ == 0) begin_when_due(now_ns);
  if (first_tick_ == 0) return Display::Request::kNothing;
  const int64_t index = tick(now_ns) - first_tick_;
  const bool over = most_ != 0 && index >= most_;
  // The last picture is repeated until the end.
  if (const int64_t due = over ? most_ - 1 : index; due >= figures_.pictures) take(due);
  return over ? Display::Request::kQuit : Display::Request::kNothing;
}

void FilmSampler::take(int64_t index) {
  const bool changed = changes_ > 0 || film_.wants_picture();
  const bool taken =
      changed ? film_.add(index,
                          [this](uint8_t* pixels) {
                            const Canvas panel = display_->panel(0);
                            const size_t row = static_cast<size_t>(size_.width) * 4;
                            for (int y = 0; y < size_.height; ++y) {
                              std::memcpy(pixels + static_cast<size_t>(y) * row,
                                          panel.target.pixels + y * panel.target.stride, row);
                            }
                          })
              : film_.add_same(index);
  if (taken && changes_ > 0) --changes_;
  // Frame times that passed without a call count as skipped too.
  figures_.left_out += index - figures_.pictures + (taken ? 0 : 1);
  figures_.pictures = index + 1;
}

int64_t FilmSampler::pump_every_ns() const {
  if (first_tick_ == 0) return kPollIntervalNs;
  const int64_t now_ns = sail::steady_now_ns();
  return std::max<int64_t>((tick(now_ns) + 1) * period_ns_ - now_ns, 0);
}

}  // namespace receiver
