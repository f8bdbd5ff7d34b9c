#include "tests/bench/link/sync_streams.h"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <map>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "tests/bench/film/cadence_error.h"
#include "tests/bench/wall/marked_picture.h"
#include "ui/client/wall_picture.h"

namespace bench {

sail::Result<std::unique_ptr<SyncStreams>> SyncStreams::open(const Setup& setup,
                                                             const BenchWall& wall) {
  const int step = std::min(setup.tile_size.width, setup.tile_size.height) / (2 * setup.streams);
  const int narrower = step * (setup.streams - 1);
  const sail::Size size{setup.wall_size.width - narrower, setup.wall_size.height - narrower};
  std::unique_ptr<SyncStreams> streams(new SyncStreams(setup, size));
  for (int i = 0; i < setup.streams; ++i) {
    auto one = StreamRun::open({.size = size,
                                .fps = setup.fps,
                                .x = i * step,
                                .y = i * step,
                                .group = setup.group ? "bench" : "",
                                .change = FrameMarker(size, static_cast<uint32_t>(i) + 1)},
                               wall, streams->picture_);
    if (!one) return one.error();
    streams->all_.push_back(*std::move(one));
  }
  return streams;
}

Played SyncStreams::played(const std::vector<uint64_t>& submitted, const Dropped& dropped_before) {
  Played played;
  for (size_t i = 0; i < all_.size(); ++i) {
    const Fates& fates = all_[i]->all_fates(submitted[i]);
    played.submitted += submitted[i];
    played.shown += fates.shown;
    played.skew_us.insert(played.skew_us.end(), fates.skew_us.begin(), fates.skew_us.end());
  }
  for (const Mixed& mixed : std::exchange(mixed_, {})) tell(mixed);
  // The library reports fates once a second.
  for (int i = 0; i < 40; ++i) {
    played.dropped = dropped_by_cause();
    uint64_t reported = 0;
    for (auto& [cause, count] : played.dropped) reported += count -= dropped_before.at(cause);
    if (reported >= played.submitted - played.shown) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  if (setup_.group) add_group_figures(played);
  if (setup_.refresh_hz > 0) add_cadence_errors(played);
  return played;
}

SyncStreams::Dropped SyncStreams::dropped_by_cause() const {
  Dropped dropped;
  for (const auto& one : all_) {
    const sail_stream_stats stats = one->stats();
    dropped["superseded"] += stats.frames_superseded;
    dropped["old_epoch"] += stats.frames_old_epoch;
    dropped["incomplete"] += stats.frames_incomplete;
    dropped["hidden"] += stats.frames_hidden;
    dropped["unsent"] += stats.frames_unsent;
  }
  return dropped;
}

uint64_t SyncStreams::swaps() const {
  uint64_t swaps = 0;
  for (const auto& one : all_) swaps += one->stats().frames_shown;
  return swaps;
}

// --- snapshots of the tiles ---------------------------------------------------------------------

const StreamRun* SyncStreams::run_of(uint32_t window) const {
  for (const auto& one : all_) {
    if (one->window() == window) return one.get();
  }
  return nullptr;
}

int64_t SyncStreams::present_ns(uint32_t window, uint64_t frame) const {
  const StreamRun* run = run_of(window);
  return run == nullptr ? 0 : run->present_ns(frame);
}

void SyncStreams::note_mixed(const ui::TilePictures& tiles, const std::string& how,
                             const std::string& when) {
  Mixed& mixed = mixed_.emplace_back(Mixed{.how = how,
                                           .when = when,
                                           .noted = std::time(nullptr),
                                           .at_ns = tiles.at_ns,
                                           .tiles = tiles.snapshot.pictures});
  for (sail::TilePicture& tile : mixed.tiles) tile.bgra.clear();
}

void SyncStreams::tell(const Mixed& mixed) const {
  const auto ms = [&mixed](int64_t at_ns) {
    return static_cast<double>(at_ns - mixed.at_ns) / 1e6;
  };
  std::map<uint32_t, std::map<uint64_t, std::string>> tiles_of;  // window, frame
  fmt::print(stderr, "mixed, noted at {:%H:%M:%S}, {}, {}: tiles were read",
             fmt::localtime(mixed.noted), mixed.how, mixed.when);
  for (const sail::TilePicture& tile : mixed.tiles) {
    fmt::print(stderr, " {} +{:.1f} ms", tile.tile, ms(tile.taken_ns));
    for (const auto& [window, frame] : tile.windows) tiles_of[window][frame] += " " + tile.tile;
  }
  fmt::print(stderr, "\n");
  for (const auto& [window, frames] : tiles_of) {
    const StreamRun* run = run_of(window);
    for (const auto& [frame, tiles] : frames) {
      fmt::print(stderr, "  window {} frame {} on{}", window, frame, tiles);
      const auto fate = run == nullptr ? std::nullopt : run->fate(frame);
      const int64_t present_ns = this->present_ns(window, frame);
      if (present_ns != 0) fmt::print(stderr, ", due at {:.1f} ms", ms(present_ns));
      if (fate && fate->shown != 0) {
        fmt::print(stderr, ", shown from {:.1f} to {:.1f} ms", ms(fate->first_swapped_ns),
                   ms(fate->last_swapped_ns));
      } else if (fate) {
        fmt::print(stderr, ", not on all of {}", fate->receivers);
      }
      fmt::print(stderr, "\n");
    }
  }
}

std::string SyncStreams::how_mixed(const sail::Snapshot& snapshot) {
  if (const std::string pixels = mixed_pixels(snapshot); !pixels.empty()) return pixels;
  if (!ui::agrees(snapshot)) return "two frames of a window";
  return in_step(snapshot) ? "" : "two presentation times";
}

std::string SyncStreams::mixed_pixels(const sail::Snapshot& snapshot) {
  std::map<uint32_t, uint32_t> frames;  // by picture
  std::string mixed;
  for (const sail::TilePicture& tile : snapshot.pictures) {
    for (const auto& [picture, frame] : marks_on(tile)) {
      if (picture == 0 || picture > all_.size()) continue;  // a colour of another picture
      ++marks_found_;
      const uint32_t first = frames.emplace(picture, frame).first->second;
      if (first == frame || !mixed.empty()) continue;
      mixed = fmt::format("pixels of frames {} and {} of picture {}", first, frame, picture);
    }
  }
  return mixed;
}

bool SyncStreams::in_step(const sail::Snapshot& snapshot) const {
  if (!setup_.group) return true;
  std::set<int64_t> instants;
  for (const sail::TilePicture& tile : snapshot.pictures) {
    for (const auto& [window, frame] : tile.windows) {
      const int64_t present_ns = this->present_ns(window, frame);
      if (present_ns != 0) instants.insert(present_ns);
    }
  }
  return instants.size() <= 1;
}

// --- figures ------------------------------------------------------------------------------------

void SyncStreams::add_cadence_errors(Played& played) const {
  for (const auto& one : all_) {
    std::vector<Seen> seen;
    for (const Fates::Swap& swap : one->fates().swaps) {
      seen.push_back({swap.present_ns, swap.last_ns});
    }
    const auto errors_us = cadence_errors_us(seen, 1e9 / setup_.refresh_hz);
    played.cadence_error_us.insert(played.cadence_error_us.end(), errors_us.begin(),
                                   errors_us.end());
  }
}

void SyncStreams::add_group_figures(Played& played) const {
  struct Swaps {
    size_t streams = 0;
    int64_t first_ns = INT64_MAX;
    int64_t last_ns = 0;
  };
  std::map<int64_t, Swaps> by_instant;
  for (const auto& one : all_) {
    for (const Fates::Swap& swap : one->fates().swaps) {
      Swaps& swaps = by_instant[swap.present_ns];
      ++swaps.streams;
      swaps.first_ns = std::min(swaps.first_ns, swap.first_ns);
      swaps.last_ns = std::max(swaps.last_ns, swap.last_ns);
    }
  }
  for (const auto& [present_ns, swaps] : by_instant) {
    if (swaps.streams < all_.size()) continue;
    played.group_skew_us.push_back(static_cast<double>(swaps.last_ns - swaps.first_ns) / 1e3);
    if (setup_.refresh_hz > 0) continue;
    const int64_t error_ns = swaps.first_ns - present_ns;
    played.cadence_error_us.push_back(static_cast<double>(std::abs(error_ns)) / 1e3);
  }
}

namespace {

constexpr int kEvery = 64;  // pixels from one mark to the next
constexpr int kSide = 8;    // side of a square: whole texel blocks at any block alignment
// Sampled positions in a square.
constexpr int kLooks[] = {0, kSide / 2, kSide - 1};
constexpr uint32_t kOpaque = 0xff000000;
constexpr uint32_t kColours = 0xffffff;

void fill(uint8_t* pixels, ptrdiff_t stride, uint32_t colour) {
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      uint8_t* pixel = pixels + y * stride + ptrdiff_t{x} * 4;
      for (int channel = 0; channel < 4; ++channel) {
        pixel[channel] = static_cast<uint8_t>(colour >> (8 * channel));
      }
    }
  }
}

uint32_t colour_at(const sail::TilePicture& tile, int x, int y) {
  const uint8_t* pixel = &tile.bgra[static_cast<size_t>(y * tile.size.width + x) * 4];
  return kOpaque | static_cast<uint32_t>(pixel[2]) << 16 | static_cast<uint32_t>(pixel[1]) << 8 |
         pixel[0];
}

bool is_square(const sail::TilePicture& tile, int x, int y, uint32_t colour) {
  for (const int dy : kLooks) {
    for (const int dx : kLooks) {
      if (colour_at(tile, x + dx, y + dy) != colour) return false;
    }
  }
  return true;
}

std::optional<Mark> mark_at(const sail::TilePicture& tile, int x, int y) {
  const uint32_t colour = colour_at(tile, x, y);
  if (!is_square(tile, x, y, colour) || !is_square(tile, x + kSide, y, colour ^ kColours)) {
    return std::nullopt;
  }
  return mark_of(&tile.bgra[static_cast<size_t>(y * tile.size.width + x) * 4]);
}

}  // namespace

void FrameMarker::operator()(sail_frame& frame, uint64_t number) {
  const ptrdiff_t stride = ptrdiff_t{size_.width} * 4;
  pixels_.resize(static_cast<size_t>(stride) * static_cast<size_t>(size_.height));
  const auto* from = static_cast<const uint8_t*>(frame.planes[0]);
  for (int y = 0; y < size_.height; ++y) {
    std::memcpy(&pixels_[static_cast<size_t>(y * stride)], from + y * frame.strides[0],
                static_cast<size_t>(stride));
  }
  frame.planes[0] = pixels_.data();
  frame.strides[0] = stride;
  const uint32_t colour =
      marked_colour({.picture = picture_, .frame = static_cast<uint32_t>(number % kMarkedFrames)});
  for (int y = 0; y + kSide <= size_.height; y += kEvery) {
    for (int x = 0; x + 2 * kSide <= size_.width; x += kEvery) {
      uint8_t* place = &pixels_[static_cast<size_t>(y * stride + ptrdiff_t{x} * 4)];
      fill(place, stride, colour);
      fill(place + ptrdiff_t{kSide} * 4, stride, colour ^ kColours);
    }
  }
}

std::set<std::pair<uint32_t, uint32_t>> marks_on(const sail::TilePicture& tile) {
  std::set<std::pair<uint32_t, uint32_t>> marks;
  for (int y = 0; y + kSide <= tile.size.height; ++y) {
    for (int x = 0; x + 2 * kSide <= tile.size.width; ++x) {
      const auto mark = mark_at(tile, x, y);
      if (!mark) continue;
      marks.emplace(mark->picture, mark->frame);
      x += 2 * kSide - 1;
    }
  }
  return marks;
}

}  // namespace bench
