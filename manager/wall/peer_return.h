// How long layouts wait for peers that are expected back: after another manager's end, after this
// process has stalled, and while the network to this machine may be down. Pure: time is an
// argument.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sail/core/wire/application_messages.h"

namespace manager {

class PeerReturn {
 public:
  // How long to wait for peers of an earlier session. They retry twice a second.
  static constexpr int64_t kReturnNs = 900'000'000;
  // Layouts are held back for this long after a peer times out, so that all peers that were cut off
  // with it are detected first. They notice the loss within 1 s and reconnect within another 0.5 s.
  static constexpr int64_t kSilenceNs = 2'500'000'000;
  // Once the first receiver is back, silent applications have this long to return: on an overloaded
  // machine they come seconds after the receivers, and a closed window would lose its last changes.
  static constexpr int64_t kLateNs = 10'000'000'000;
  // A manager that stalls this long has lost its peers.
  static constexpr int64_t kStallNs = 3'000'000'000;
  // A manager without receivers keeps the windows of silent applications for this long.
  static constexpr int64_t kLongestAloneNs = 600'000'000'000;

  // Waits for peers from now on.
  void wait(int64_t now_ns) { until_ns_ = now_ns + kReturnNs; }
  // Whether layouts are held back because peers of an earlier session are expected back.
  bool waits(int64_t now_ns) const { return now_ns < until_ns_; }
  bool has_waited() const { return until_ns_ != 0; }
  // Whether the last wait is long over: peers that return now were cut off again.
  bool may_wait_again(int64_t now_ns) const { return now_ns - until_ns_ >= kStallNs; }

  // Returns whether this process has stalled since the last tick.
  bool stalled(int64_t now_ns);
  void tick(int64_t now_ns) { ticked_ns_ = now_ns; }

  // A peer has timed out instead of closing its connection.
  void peer_fell_silent(int64_t now_ns);
  // The last receiver has left.
  void receivers_are_gone(int64_t now_ns) { alone_since_ns_ = now_ns; }
  // The first receiver has connected: applications that were cut off with it may come later.
  void receivers_are_back(int64_t now_ns) {
    if (alone_since_ns_ != 0) back_until_ns_ = now_ns + kLateNs;
  }
  // Whether this machine itself may be cut off. Messages sent to applications now would arrive when
  // the network is back, and end their streams.
  bool may_be_isolated(int64_t now_ns, bool any_receiver) const {
    return now_ns < still_until_ns_ ||
           (alone_since_ns_ != 0 && !any_receiver && now_ns - alone_since_ns_ < kStallNs);
  }

  // Whether an application that fell silent may still return. Without receivers the cable of this
  // machine may be the cause.
  bool may_return(int64_t now_ns, bool any_receiver) const {
    return now_ns < std::max(still_until_ns_, back_until_ns_) ||
           (alone_since_ns_ != 0 && !any_receiver && now_ns - alone_since_ns_ < kLongestAloneNs);
  }

  // These streams are expected back. `all`: there are no others.
  void expect(const std::vector<uint32_t>& streams, bool all);
  // The stream is back with these routes; it counts as expected, and as returned.
  void resume(const sail::Routes& routes);
  // Returns the routes with which the stream came back; null: it did not.
  const sail::Routes* resumed(uint32_t stream) const;
  // Ends the wait if all streams, and all receivers that they send to, are back.
  void end_when_all_are_back(int64_t now_ns,
                             const std::function<bool(const std::string& receiver)>& is_here);
  // A layout begins: forgets the expected and the returned streams.
  void forget();

 private:
  int64_t ticked_ns_ = 0;       // Last tick; 0: none.
  int64_t alone_since_ns_ = 0;  // When the last receiver left; 0: never.
  int64_t back_until_ns_ = 0;   // End of the wait after the first one returned; 0: none did.
  int64_t until_ns_ = 0;        // End of the wait for returning peers; 0: none so far.
  int64_t still_until_ns_ = 0;  // Layouts wait until then after a peer's timeout; 0: none so far.
  std::set<uint32_t> expected_;
  bool expects_all_ = false;  // expected_ is known to be complete.
  std::map<uint32_t, sail::Routes> resumed_;
};

}  // namespace manager
