// The streams of scripts/bench sync: overlapping with small offsets, so that all are on all tiles.
#pragma once

#include <sail/sail.h>

#include <atomic>
#include <cstdint>
#include <ctime>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sail/client/session/snapshot.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "tests/bench/link/stream_run.h"
#include "tests/bench/pictures/moving_picture.h"
#include "tests/bench/wall/bench_wall.h"
#include "ui/client/wall_picture.h"

namespace bench {

// Fates of the frames of all streams.
struct Played {
  uint64_t submitted = 0;
  uint64_t shown = 0;
  std::vector<double> skew_us;
  // For a group: from the first tile of any stream to the last tile of all.
  std::vector<double> group_skew_us;
  // Deviation of frames from the displays' most regular pattern. For a group on displays without a
  // refresh: deviation of the first tile from the presentation time.
  std::vector<double> cadence_error_us;
  // Frames of windows that no tile shows.
  uint64_t hidden() const { return dropped.at("hidden"); }
  uint64_t lost() const { return submitted - shown - hidden(); }
  std::map<std::string, uint64_t> dropped;  // by cause
};

class SyncStreams {
 public:
  struct Setup {
    sail::Size wall_size;
    sail::Size tile_size;
    int streams = 1;
    bool group = false;
    double fps = 30;
    double refresh_hz = 0;
  };
  static sail::Result<std::unique_ptr<SyncStreams>> open(const Setup& setup, const BenchWall& wall);

  // Plays all streams, each in its own thread, until `work` is done.
  template <typename Work>
  sail::Result<Played> play_while(const Work& work) {
    std::atomic<bool> done{false};
    std::vector<uint64_t> submitted(all_.size());
    std::vector<std::thread> threads;
    const auto dropped_before = dropped_by_cause();
    for (size_t i = 0; i < all_.size(); ++i) {
      all_[i]->forget();
      threads.emplace_back([&, i] { submitted[i] = all_[i]->submit_while([&] { return !done; }); });
    }
    const sail::Result<void> result = work();
    done = true;
    for (std::thread& thread : threads) thread.join();
    if (!result) return result.error();
    return played(submitted, dropped_before);
  }
  size_t count() const { return all_.size(); }
  // Frames that all tiles have shown since the streams were opened. Any thread.
  uint64_t swaps() const;
  // Records a mixed snapshot. After play_while() it is printed on standard error, with the time of
  // day, as in logs, and the times at which tiles were read and frames shown, from its instant on.
  void note_mixed(const ui::TilePictures& tiles, const std::string& how, const std::string& when);
  // Returns how the tiles differ: by the pixels, by the frames' names, or by presentation times in
  // a group; "": they do not. Counts the marks found.
  std::string how_mixed(const sail::Snapshot& snapshot);
  uint64_t marks_found() const { return marks_found_; }

 private:
  SyncStreams(const Setup& setup, sail::Size size) : setup_(setup), picture_(size) {}
  using Dropped = std::map<std::string, uint64_t>;  // by cause
  Played played(const std::vector<uint64_t>& submitted, const Dropped& dropped_before);
  // Since the streams were opened, as far as the library has reported.
  Dropped dropped_by_cause() const;
  void add_cadence_errors(Played& played) const;
  void add_group_figures(Played& played) const;
  // Returns true if the windows of a group show frames of one presentation time.
  bool in_step(const sail::Snapshot& snapshot) const;
  // Returns the first picture with pixels of two frames; "": none.
  std::string mixed_pixels(const sail::Snapshot& snapshot);
  struct Mixed {
    std::string how;
    std::string when;
    std::time_t noted = 0;  // as soon as all pictures were there
    int64_t at_ns = 0;      // the instant asked for, wall time
    // Without their pixels.
    std::vector<sail::TilePicture> tiles;
  };
  void tell(const Mixed& mixed) const;
  const StreamRun* run_of(uint32_t window) const;
  // Presentation time of the frame that a tile shows in this window; 0: unknown.
  int64_t present_ns(uint32_t window, uint64_t frame) const;

  const Setup setup_;
  MovingPicture picture_;
  std::vector<std::unique_ptr<StreamRun>> all_;
  std::vector<Mixed> mixed_;
  uint64_t marks_found_ = 0;
};

// Marks in pictures that identify picture and frame by pixels alone, if these are shown 1:1 and
// only DXT1 has coded them: two adjacent squares, one of the mark's colour and one of the
// complementary colour.
//
// Copies BGRA frames and adds marks, dense enough that any part of 80×72 pixels has a whole mark.
class FrameMarker {
 public:
  FrameMarker(sail::Size size, uint32_t picture) : size_(size), picture_(picture) {}
  // The frame is valid until the next call.
  void operator()(sail_frame& frame, uint64_t number);

 private:
  sail::Size size_;
  uint32_t picture_;  // 1 to kMostMarked
  std::vector<uint8_t> pixels_;
};

// Pairs of picture and frame (modulo kMarkedFrames, marked_picture.h) that the tile shows.
std::set<std::pair<uint32_t, uint32_t>> marks_on(const sail::TilePicture& tile);

}  // namespace bench
