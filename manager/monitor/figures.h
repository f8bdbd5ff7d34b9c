// Statistics of streams and receivers, the health derived from them, and the labels and metrics
// that show them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "manager/monitor/wall_health.h"
#include "manager/peers/receiver_roster.h"
#include "manager/wall/window_stack.h"
#include "sail/core/loop/loop.h"
#include "sail/core/text/json.h"
#include "sail/core/wall/wall.h"
#include "sail/core/wire/overlay.h"
#include "sail/core/wire/stats.h"

namespace sail {
class ServicePeer;
}  // namespace sail

namespace manager {

class ChangeFeed;
class Desk;
class Peers;
class Webhooks;

// Returns labels for windows whose program is lost, whose source is silent, or that do not reach
// one of their receivers. Each label gives the reason.
std::vector<sail::OverlayLabel> trouble_labels(const sail::Wall& wall, const WindowStack& windows);

// Statistics labels on the wall: for a window at the top left of its visible part, for a receiver
// at the bottom left of its first tile. Times are steady ns; labels by people may show the time of
// day.
class FigureLabels {
 public:
  // Returns at most kMaxLabels labels. Call about once a second: rates are computed between calls.
  std::vector<sail::OverlayLabel> make(const sail::Wall& wall, const WindowStack& windows,
                                       const ReceiverRoster& receivers, int64_t now_ns);

 private:
  struct Count {
    uint64_t frames_shown = 0;
    int64_t at_ns = 0;
    double fps = 0;
  };
  double fps_of(const ReceiverEntry& receiver, int64_t now_ns);

  std::map<std::string, Count> counts_;  // By receiver name.
};

// The sums of all streams' counters since the manager started. Pure.
class StreamTotals {
 public:
  // before: the stream's previous report; null: none.
  void add(const sail::StreamStats* before, const sail::StreamStats& now);
  // Only the counters are valid.
  const sail::StreamStats& sums() const { return sums_; }

 private:
  sail::StreamStats sums_;
};

// Collects the statistics, and sends them once a second to clients that want them. Runs on the loop
// thread.
class Figures {
 public:
  // on_trouble: called when new statistics change the result of labels(false). The other arguments
  // must outlive this object.
  Figures(sail::Loop& loop, Desk& desk, Peers& peers, ChangeFeed& changes,
          std::function<Troubles()> troubles, std::function<void()> on_trouble);

  void record(uint32_t window, const sail::StreamStats& stats);
  void record(const sail::ServicePeer& receiver, const sail::ReceiverStats& stats);
  // Records the load of the peer's machine.
  void record(const sail::ServicePeer& peer, const sail::HostStats& stats);
  void peer_left(uint64_t peer) { hosts_.peer_left(peer); }
  // Sends also figures that have not changed, next time. Call for a new client.
  void publish_all();
  // Re-evaluates the health of all windows and of the wall. Call when it may have changed for
  // another reason than new statistics.
  void evaluate();
  sail::Json hosts() const;
  const WallHealth& health() const { return health_; }
  const StreamTotals& totals() const { return totals_; }
  // Returns the health of the whole wall, with the current figures of its windows.
  sail::Json why() const;
  // Returns the labels: those that people put on windows, and statistics. all false: instead of
  // statistics only troubles. Call it with `all` about once a second.
  std::vector<sail::OverlayLabel> labels(bool all);
  // Whether a label shows the time of day.
  bool shows_clock() const;

 private:
  Reports reports() const;
  void publish();
  // Returns new statistics in portions that each fit a control message. Skips closed windows and
  // unknown receivers.
  std::vector<sail::Json> take_new_statistics();

  Desk& desk_;
  Peers& peers_;
  ChangeFeed& changes_;
  const std::function<Troubles()> troubles_;
  const std::function<void()> on_trouble_;
  sail::HostLoadMeter own_load_;
  Hosts hosts_;
  WallHealth health_;
  StreamTotals totals_;
  FigureLabels labels_;
  std::set<uint32_t> windows_;       // Windows with reports since the last notification.
  std::set<std::string> receivers_;  // Receivers with reports since the last notification.
  int64_t last_check_ns_ = 0;        // Steady time of the last timer call.
  uint32_t second_ = 0;              // Number of timer calls.
  sail::Timer every_second_;
};

// The wall's metrics in the Prometheus text format 0.0.4
// (https://prometheus.io/docs/instrumenting/exposition_formats/). The number of series depends only
// on the wall's receivers: windows are summed up.
std::string metrics_text(const StreamTotals& streams, const Desk& desk, const Peers& peers,
                         const WallHealth& health);

// Metrics of the webhooks; empty if the wall has none.
std::string webhook_metrics_text(const Webhooks& webhooks);

// Metrics of the manager's process, under the names that Prometheus clients use. Reads /proc.
std::string process_metrics_text();

}  // namespace manager
