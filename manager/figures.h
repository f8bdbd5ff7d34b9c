// What is measured: the figures of streams and receivers, whether all is well by them, and the
// labels that show them on the wall. Told to the clients that want them once a second. Thread: the
// loop's.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "manager/figure_labels.h"
#include "manager/hosts.h"
#include "manager/stream_totals.h"
#include "manager/wall_health.h"
#include "sail/net/loop.h"
#include "sail/wire/json.h"

namespace sail {
class ServicePeer;
}  // namespace sail

namespace manager {

class ChangeFeed;
class Desk;
class Peers;

class Figures {
 public:
  // on_trouble: labels(false) are others now because of figures. The others outlive this.
  Figures(sail::Loop& loop, Desk& desk, Peers& peers, ChangeFeed& changes,
          std::function<Troubles()> troubles, std::function<void()> on_trouble);

  void record(uint32_t window, const sail::StreamStats& stats);
  void record(const sail::ServicePeer& receiver, const sail::ReceiverStats& stats);
  // Of the machine that the peer runs on.
  void record(const sail::ServicePeer& peer, const sail::HostStats& stats);
  void peer_left(uint64_t peer) { hosts_.peer_left(peer); }
  // Judges all windows and the wall: to be called when that may have changed, but for figures.
  void look();
  sail::Json hosts() const;
  const WallHealth& health() const { return health_; }
  const StreamTotals& totals() const { return totals_; }
  // The whole wall's health, with what the figures say of its windows at present.
  sail::Json why() const;
  // To be called every second or so; not all: only those of windows in trouble.
  std::vector<sail::OverlayLabel> labels(bool all);

 private:
  Reports reports() const;
  void tell();
  // In portions, of which each fits a control message. What is gone by now is left out.
  std::vector<sail::Json> take_news();

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
  std::set<uint32_t> windows_;       // that reported since the clients were told last
  std::set<std::string> receivers_;  // likewise
  int64_t looked_ns_ = 0;            // steady; when the timer came last
  sail::Timer every_second_;
};

}  // namespace manager
