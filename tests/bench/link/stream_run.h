// A stream of the moving picture to a wall, as an application shows it, and what became of its
// frames. One thread.
#pragma once

#include <sail/sail.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "tests/bench/pictures/moving_picture.h"
#include "tests/bench/pictures/planar_yuv.h"
#include "tests/bench/wall/bench_wall.h"

namespace bench {

struct StreamSetup {
  sail::Size size{3840, 2160};
  std::string codec = "dxt1";
  std::string transport = "tcp";
  int delay_ms = 0;  // 0: the library's choice
  double fps = 30;   // 0: as fast as they are taken
  bool still = false;
  bool yuv = false;  // 4:2:0
  int encode_threads = 0;
  int x = 0;  // of its window, wall pixels
  int y = 0;
  std::string group = {};  // that it is a member of; empty: none
  // Changes what is submitted of that picture, if there is any.
  std::function<void(sail_frame&, uint64_t number)> change = {};
};

// What the library told of frames.
struct Fates {
  uint64_t shown = 0;
  uint64_t dropped = 0;
  std::vector<double> latency_ms;
  std::vector<double> skew_us;
  struct Swap {
    int64_t present_ns = 0;  // when it was to be seen; of none of a group, when it was due here
    int64_t first_ns = 0;    // and was, by the first and the last tile
    int64_t last_ns = 0;
  };
  std::vector<Swap> swaps;  // of streams with a rate
};

// Nearest rank; 0 of none.
double percentile(std::vector<double> values, double share);

class StreamRun {
 public:
  // Opens the stream, each of its pixels one of the wall's. wall and picture outlive this.
  static sail::Result<std::unique_ptr<StreamRun>> open(const StreamSetup& setup,
                                                       const BenchWall& wall,
                                                       const MovingPicture& picture);

  // Submits frames for that time, paced by the setup; gives how many.
  uint64_t submit_for(
      double seconds, const std::function<void()>& after_each = [] {});
  // The same as long as `more` says so.
  uint64_t submit_while(
      const std::function<bool()>& more, const std::function<void()>& after_each = [] {});
  // Fates told since the last call, of frames submitted since forget().
  const Fates& fates();
  // Counts from the next frame on.
  void forget();
  // Waits for the fates of `submitted` frames, a second at most.
  const Fates& all_fates(uint64_t submitted);
  uint32_t window() const { return stream_.id(); }
  // Any thread. What the library told of the frame; nothing: it has not yet.
  std::optional<sail_frame_fate> fate(uint64_t frame) const;
  // Any thread. When a group's frame was to be seen; 0: unknown.
  int64_t present_ns(uint64_t frame) const;
  sail_stream_stats stats() const { return stream_.stats(); }

 private:
  StreamRun(const StreamSetup& setup, const MovingPicture& picture);
  // It has that instant, and is due then in any case.
  void submit(int64_t present_ns = 0, int64_t due_ns = 0);
  sail::Result<void> wait_for_timeline();
  // Waits until the group's next frame is to be handed over: when it is to be seen.
  int64_t wait_for_next();

  const StreamSetup setup_;
  const MovingPicture& picture_;
  std::optional<sail::Session> session_;
  sail::Stream stream_;
  std::optional<PlanarYuv> yuv_;
  uint64_t last_ = 0;  // frame submitted
  int64_t timeline_at_ns_ = 0;
  int64_t last_of_group_ = -1;                // its frame, counted from the timeline's beginning
  mutable std::mutex presents_mutex_;         // pictures are looked at while frames are submitted
  std::map<uint64_t, int64_t> presents_;      // by frame
  std::map<uint64_t, sail_frame_fate> told_;  // by frame
  uint64_t first_counted_ = 1;
  Fates fates_;
};

}  // namespace bench
