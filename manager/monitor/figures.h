// Statistics of streams and receivers, the health derived from them, and the labels that show them
// on the wall. Sent once a second to clients that want them. Runs on the loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "manager/monitor/figure_labels.h"
#include "manager/monitor/stream_totals.h"
#include "manager/monitor/wall_health.h"
#include "manager/peers/hosts.h"
#include "sail/core/loop/loop.h"
#include "sail/core/text/json.h"

namespace sail {
class ServicePeer;
}  // namespace sail

namespace manager {

class ChangeFeed;
class Desk;
class Peers;

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
  // Re-evaluates the health of all windows and of the wall. Call when it may have changed for
  // another reason than new statistics.
  void evaluate();
  sail::Json hosts() const;
  const WallHealth& health() const { return health_; }
  const StreamTotals& totals() const { return totals_; }
  // Returns the health of the whole wall, with the current figures of its windows.
  sail::Json why() const;
  // Returns the labels. all false: only for windows in trouble. Call about once a second.
  std::vector<sail::OverlayLabel> labels(bool all);

 private:
  Reports reports() const;
  void publish();
  // Returns new statistics in portions that each fit a control message. Skips what is gone.
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
  sail::Timer every_second_;
};

}  // namespace manager
