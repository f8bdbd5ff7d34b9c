// The receiver's statistics, which it sends to the manager with each heartbeat. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "receiver/display/refresh_meter.h"
#include "receiver/intake/stream_frames.h"
#include "receiver/jobs.h"
#include "sail/core/wire/receiver_messages.h"
#include "sail/core/wire/stats.h"

namespace receiver {

class Statistics {
 public:
  void swapped(const Swapped& swapped);
  // Sets the known refresh of the displays, in the order of the tiles. Returns the refresh that all
  // displays have in common, in wall time.
  sail::Refresh set_refreshes(const std::vector<sail::TileInfo>& tiles,
                              const std::vector<TileRefresh>& refreshes, int64_t now_ns,
                              const std::function<int64_t(int64_t steady_ns)>& to_wall_ns);
  void forget_refreshes() { refreshes_.clear(); }
  // Returns the statistics of frames, painting and decoding since the last call; other members are
  // 0. longest_decode_ns: of one thread, since the last call.
  sail::ReceiverStats take(const StreamFrames::Counters& counters, int64_t longest_decode_ns,
                           int64_t now_ns);

 private:
  int64_t render_ns_ = 0;
  std::vector<sail::RefreshStats> refreshes_;  // tiles with a known refresh only
  // Since the last call of take().
  int64_t paint_ns_ = 0;
  uint64_t swaps_ = 0;
  // Values at that call.
  int64_t taken_ns_ = 0;
  uint64_t frames_decoded_ = 0;
  int64_t decode_ns_ = 0;
};

}  // namespace receiver
