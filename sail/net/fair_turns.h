// Who is handled when, where many want something of one loop: the time of the loop is shared.
//
// Receivers come before applications, and these before the others. Among equals everybody has a
// turn after the other, and nobody has more than a share of the time: who asks for more waits, even
// while the loop has nothing else to do, since the wall's programs may need the processor. Between
// turns the loop looks after all else. Thread: the loop's.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>

#include "sail/net/loop.h"

namespace sail {

enum class PeerRank : uint8_t { kReceiver, kApplication, kOther };

// A share of time that is had in the long run; what is saved up, at most the burst, may be had at
// once. Pure.
class TimeShare {
 public:
  TimeShare(double share, int64_t burst_ns) : share_(share), burst_ns_(burst_ns) {}
  void spend(int64_t spent_ns, int64_t now_ns);
  // How long there is nothing to spend; 0: there is something.
  int64_t wait_ns(int64_t now_ns) const;

 private:
  int64_t debt_ns(int64_t now_ns) const;

  double share_;
  int64_t burst_ns_;
  int64_t debt_ns_ = 0;  // at
  int64_t at_ns_ = 0;
};

class FairTurns : public std::enable_shared_from_this<FairTurns> {
 public:
  static constexpr double kShareOfOne = 0.25;
  static constexpr double kShareOfOthers = 0.5;  // of all that are kOther together
  static constexpr int64_t kBurstNs = 500'000'000;

  class Member {
   public:
    virtual ~Member() = default;
    // Does one thing; whether there is another to do.
    virtual bool take_turn() = 0;

   private:
    friend class FairTurns;
    TimeShare share_{kShareOfOne, kBurstNs};
    bool waits_ = false;
  };

  // To be held by a shared_ptr: a turn may end it.
  explicit FairTurns(Loop& loop) : loop_(loop), pause_(loop) {}

  // The member has something to do: its turn comes from the loop.
  void ask(std::shared_ptr<Member> member, PeerRank rank);

 private:
  struct Rank {
    std::deque<std::shared_ptr<Member>> waiting;
    TimeShare share;
  };

  void run_soon();
  void run();
  // The first that may have its turn now; null: nobody. Otherwise how long until somebody may goes
  // into wait_ns if that is shorter.
  std::shared_ptr<Member> take_next(Rank& rank, int64_t now_ns, int64_t& wait_ns);

  Loop& loop_;
  // No bounds but those of the members for the first two.
  std::array<Rank, 3> ranks_{Rank{{}, {1, kBurstNs}}, Rank{{}, {1, kBurstNs}},
                             Rank{{}, {kShareOfOthers, kBurstNs}}};
  bool soon_ = false;
  Timer pause_;
};

}  // namespace sail
