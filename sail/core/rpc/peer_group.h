// Resources shared by the peers of one server, limited so that no peer can exhaust them: loop time
// (FairScheduler), memory for unsent data, and places for strangers (peers that are not admitted
// yet).
//
// A stranger keeps its place until its timeout, or until others need it (ConnectionQuota). So a
// peer that sends its hello at once is let in, however many silent ones connect. A few strangers at
// a time have a longer timeout, because they derive a key from a password. Thread: the loop's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/fair_shares.h"
#include "sail/core/text/limits.h"

namespace sail {

class PeerGroup {
 public:
  class Member : public FairScheduler::Member {
   public:
    // The memory of what was sent and the peer has not read. Called at any time until leave().
    virtual size_t unsent_memory() const = 0;
    // The member must end at once without a message to the peer. leave() was called already.
    virtual void evict(const Error& why) = 0;

   private:
    friend class PeerGroup;
    uint64_t id_ = 0;
    size_t unsent_counted_ = 0;
  };

  struct Options {
    int64_t hello_ms = kHelloTimeoutMs;  // timeout for a stranger's admission
    int64_t password_ms = 30'000;        // timeout after extend_timeout()
    size_t max_extended = 16;            // strangers with the longer timeout at a time
    size_t max_unauthenticated = kMaxUnauthenticated;
    size_t max_unsent_bytes = kMaxUnsentOfAll;
  };

  explicit PeerGroup(Loop& loop) : PeerGroup(loop, Options()) {}
  PeerGroup(Loop& loop, const Options& options);
  PeerGroup(const PeerGroup&) = delete;
  PeerGroup& operator=(const PeerGroup&) = delete;

  Loop& loop() { return loop_; }
  // Adds a stranger from `host`, which may evict another one. The member must call leave() before
  // it is destroyed.
  void enter(Member& member, const std::string& host);
  // Extends the stranger's timeout to password_ms from now on. If too many strangers have the
  // longer timeout, one of them gets the ordinary timeout again, chosen as in ConnectionQuota.
  void extend_timeout(const Member& member, const std::string& host);
  // Call when the member is no longer a stranger.
  void admit(const Member& member);
  // Does nothing if it has left.
  void leave(Member& member);
  // The process ran out of descriptors: evicts half of the strangers.
  void make_room();
  // Call after data was sent to the member. If too much data is unsent in total, evicts the member
  // with the most.
  void sent_to(Member& member);
  void request_turn(std::shared_ptr<Member> member) { turns_->ask(std::move(member)); }

 private:
  void evict(Member& member, const Error& why);
  void evict_expired();
  // Starts the timer for the next stranger's timeout.
  void start_expiry_timer();
  void set_deadline(uint64_t id, int64_t end_ns);
  void update_unsent(Member& member);
  void drop_slow_readers();
  void return_memory();

  Loop& loop_;
  const Options options_;
  std::shared_ptr<FairScheduler> turns_;
  uint64_t next_id_ = 1;
  std::map<uint64_t, Member*> members_;
  ConnectionQuota unauthenticated_quota_;
  ConnectionQuota extended_quota_;
  struct Deadline {
    int64_t since_ns = 0;
    int64_t end_ns = 0;  // when its timeout expires
  };
  std::map<uint64_t, Deadline> deadlines_;              // deadlines of strangers, by id
  std::set<std::pair<int64_t, uint64_t>> by_deadline_;  // end_ns and id of each
  Timer expiry_;
  size_t unsent_bytes_ = 0;  // total of all members, as last measured
  size_t most_unsent_ = 0;   // maximum since memory was last returned
  Timer return_timer_;
};

}  // namespace sail
