// A stream of the moving picture to a wall, submitted like an application's, with the fates of its
// frames and the regularity of its packets. Single-threaded.
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
#include "tests/bench/wall/bench_wall.h"

namespace bench {

struct StreamSetup {
  sail::Size size{3840, 2160};
  std::string codec = "dxt1";
  std::string transport = "tcp";
  int delay_ms = 0;  // 0: the library's choice
  double fps = 30;   // 0: as fast as frames are accepted
  bool still = false;
  bool yuv = false;  // 4:2:0
  int encode_threads = 0;
  int x = 0;  // position of its window, wall pixels
  int y = 0;
  std::string group = {};  // group that it joins; empty: none
  // Modifies a frame before it is submitted, if set.
  std::function<void(sail_frame&, uint64_t number)> change = {};
};

// Fates of frames as reported by the library.
struct Fates {
  uint64_t shown = 0;
  uint64_t dropped = 0;
  std::vector<double> latency_ms;
  std::vector<double> skew_us;
  struct Swap {
    int64_t present_ns = 0;  // presentation time; without a group, when it was due here
    int64_t first_ns = 0;    // actual times, of the first and the last tile
    int64_t last_ns = 0;
  };
  std::vector<Swap> swaps;  // only for streams with a rate
};

// By nearest rank; 0 for no values.
double percentile(std::vector<double> values, double share);

class StreamRun {
 public:
  // Opens the stream at scale 1:1 on the wall. Wall and picture must outlive it.
  static sail::Result<std::unique_ptr<StreamRun>> open(const StreamSetup& setup,
                                                       const BenchWall& wall,
                                                       const MovingPicture& picture);

  // Submits frames for this time, paced by the setup. Returns their number.
  uint64_t submit_for(
      double seconds, const std::function<void()>& after_each = [] {});
  // The same while `more` returns true.
  uint64_t submit_while(
      const std::function<bool()>& more, const std::function<void()>& after_each = [] {});
  // Fates reported since the last call, for frames submitted since forget().
  const Fates& fates();
  // Starts counting with the next frame.
  void forget();
  // Waits for the fates of `submitted` frames, a second at most.
  const Fates& all_fates(uint64_t submitted);
  uint32_t window() const { return stream_.id(); }
  // Any thread. The reported fate of the frame; empty optional: none yet.
  std::optional<sail_frame_fate> fate(uint64_t frame) const;
  // Any thread. Presentation time of a group's frame; 0: unknown.
  int64_t present_ns(uint64_t frame) const;
  sail_stream_stats stats() const { return stream_.stats(); }

 private:
  StreamRun(const StreamSetup& setup, const MovingPicture& picture);
  // Submits a frame with this presentation time; due_ns is when it is due in any case.
  void submit(int64_t present_ns = 0, int64_t due_ns = 0);
  sail::Result<void> wait_for_timeline();
  // Waits until the group's next frame must be submitted. Returns its presentation time.
  int64_t wait_for_next();

  const StreamSetup setup_;
  const MovingPicture& picture_;
  std::optional<sail::Session> session_;
  sail::Stream stream_;
  std::optional<PlanarYuv> yuv_;
  uint64_t last_ = 0;  // number of the last submitted frame
  int64_t timeline_at_ns_ = 0;
  int64_t last_of_group_ = -1;         // last frame of the group, counted from the timeline's start
  mutable std::mutex presents_mutex_;  // another thread reads while frames are submitted
  std::map<uint64_t, int64_t> presents_;      // by frame
  std::map<uint64_t, sail_frame_fate> told_;  // by frame
  uint64_t first_counted_ = 1;
  Fates fates_;
};

// --- regularity of packets: statistics of bytes by millisecond

// Bytes of each whole bin of this many ms, from the first to the last ms with data.
std::vector<uint64_t> bins(const std::map<int64_t, uint64_t>& bytes_by_ms, int bin_ms);
// The last `ms` milliseconds in which the stream was being sent, without the probes after it.
std::map<int64_t, uint64_t> last_busy(const std::map<int64_t, uint64_t>& bytes_by_ms, int64_t ms);
// The fullest bin divided by the mean of all; 0 if there are none.
double peak_to_mean(const std::vector<uint64_t>& bins);

}  // namespace bench
