// The streams of scripts/bench sync: one over the other, each a little beside the one before, so
// that all are on all tiles.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "sail/client/session/snapshot.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "tests/bench/link/stream_run.h"
#include "tests/bench/pictures/moving_picture.h"
#include "tests/bench/wall/bench_wall.h"

namespace bench {

// What became of the frames of all streams.
struct Played {
  uint64_t submitted = 0;
  uint64_t shown = 0;
  std::vector<double> skew_us;
  // Of a group: from the first tile of any stream to the last one of all.
  std::vector<double> group_skew_us;
  // How far frames were from their places in the displays' steadiest pattern or, of a group on
  // displays without a refresh, the first tile from the instant that was asked for.
  std::vector<double> cadence_error_us;
  // Those of windows that no tile shows.
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

  // All play, each in a thread of its own, while that is done.
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
  // Frames that all tiles have shown, since the streams were opened. Any thread.
  uint64_t swaps() const;
  // The picture is mixed. When play_while() is over, it is told on standard error, with when the
  // frames in it were shown.
  void note_mixed(const sail::Snapshot& snapshot, const std::string& when);
  // Whether the windows of a group show frames that are to be seen at one instant.
  bool in_step(const sail::Snapshot& snapshot) const;
  // Whether all pixels of each stream are of one frame. Counts the marks that it found.
  bool pixels_agree(const sail::Snapshot& snapshot);
  uint64_t marks_found() const { return marks_found_; }

 private:
  SyncStreams(const Setup& setup, sail::Size size) : setup_(setup), picture_(size) {}
  using Dropped = std::map<std::string, uint64_t>;  // by cause
  Played played(const std::vector<uint64_t>& submitted, const Dropped& dropped_before);
  // Since the streams were opened, as far as the library has told it.
  Dropped dropped_by_cause() const;
  void add_cadence_errors(Played& played) const;
  void add_group_figures(Played& played) const;
  struct Mixed {
    std::string when;
    // Without their pixels.
    std::vector<sail::TilePicture> tiles;
  };
  void tell(const Mixed& mixed) const;
  const StreamRun* run_of(uint32_t window) const;
  // When the frame that the tile shows in that window is to be seen; 0: nobody knows.
  int64_t present_ns(uint32_t window, uint64_t frame) const;

  const Setup setup_;
  MovingPicture picture_;
  std::vector<std::unique_ptr<StreamRun>> all_;
  std::vector<Mixed> mixed_;
  uint64_t marks_found_ = 0;
};

}  // namespace bench
