// Fair shares of one server for many peers: time on its loop (FairScheduler) and places for
// connections (ConnectionQuota).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>

#include "sail/core/loop/loop.h"

namespace sail {

enum class PeerRank : uint8_t { kReceiver, kApplication, kOther };

// Token bucket for processor time: a long-term share, with unused time saved up to a burst. Pure.
class TimeShare {
 public:
  TimeShare(double share, int64_t burst_ns) : share_(share), burst_ns_(burst_ns) {}
  void spend(int64_t spent_ns, int64_t now_ns);
  // Time until there is a budget again; 0: there is one now.
  int64_t wait_ns(int64_t now_ns) const;

 private:
  int64_t debt_ns(int64_t now_ns) const;

  double share_;
  int64_t burst_ns_;
  int64_t debt_ns_ = 0;  // debt at the time at_ns_
  int64_t at_ns_ = 0;
};

// Receivers have priority over applications, and these over all others. Within a rank, members take
// turns. Each member gets at most a share of the time and must wait beyond that, even if the loop
// is idle, since the wall's programs may need the processor. Between rounds the loop handles its
// other events. Thread: the loop's.
class FairScheduler : public std::enable_shared_from_this<FairScheduler> {
 public:
  static constexpr double kShareOfOne = 0.25;
  static constexpr double kShareOfOthers = 0.5;  // all kOther members together
  static constexpr int64_t kBurstNs = 500'000'000;

  class Member {
   public:
    virtual ~Member() = default;
    // Does one unit of work. Returns true if there is more.
    virtual bool take_turn() = 0;
    // Scheduling rank; a turn may change it.
    virtual PeerRank rank() const = 0;

   private:
    friend class FairScheduler;
    TimeShare share_{kShareOfOne, kBurstNs};
    bool waits_ = false;
  };

  // Must be held by a shared_ptr, because a turn may destroy it.
  explicit FairScheduler(Loop& loop) : loop_(loop), pause_(loop) {}

  // Queues a member that has work. Its turns run from the event loop.
  void ask(std::shared_ptr<Member> member);

 private:
  struct Rank {
    std::deque<std::shared_ptr<Member>> waiting;
    TimeShare share;
  };

  Rank& rank_of(const Member& member) { return ranks_[static_cast<size_t>(member.rank())]; }
  void run_soon();
  void run();
  // Removes and returns the first member that may run now; null if none may. Then wait_ns is
  // reduced to the time until a member may run.
  std::shared_ptr<Member> take_next(Rank& rank, int64_t now_ns, int64_t& wait_ns);

  Loop& loop_;
  // The first two ranks are limited only by their members' shares.
  std::array<Rank, 3> ranks_{Rank{{}, {1, kBurstNs}}, Rank{{}, {1, kBurstNs}},
                             Rank{{}, {kShareOfOthers, kBurstNs}}};
  bool soon_ = false;
  Timer pause_;
};

// Connection quota, shared fairly among networks. When all places are taken, the oldest entry of
// the network with the most entries must leave. So one network can crowd out only itself, and idle
// connections do not block new ones. Pure.
class ConnectionQuota {
 public:
  explicit ConnectionQuota(size_t places) : places_(places) {}

  size_t taken() const { return all_.size(); }
  bool full() const { return taken() >= places_; }
  // id: not present yet. network: from network_of(). Entries beyond the quota are accepted.
  void enter(uint64_t id, const std::string& network);
  // Does nothing if the id is not present.
  void leave(uint64_t id);
  // Returns the id that must leave. There must be at least one entry.
  uint64_t next_to_go() const;

 private:
  struct Place {
    uint64_t entry;  // sequence number: lower numbers entered earlier
    std::string network;
  };

  const size_t places_;
  uint64_t entries_ = 0;
  std::map<uint64_t, Place> all_;                                 // by id
  std::map<std::string, std::map<uint64_t, uint64_t>> networks_;  // by network: ids by entry number
};

}  // namespace sail
