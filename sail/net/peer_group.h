// What the peers of one server share, so that none can take it from the others: time of the loop
// (FairTurns), memory for what is sent to them and not read, and places for strangers, which are
// those that nobody has admitted yet.
//
// A stranger has a place of its own until its time is over or others need it (FairPlaces): however
// many come and say nothing, who says hello at once is let in. A few strangers at a time have
// longer, since they make a proof of a password. Thread: the loop's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "sail/base/result.h"
#include "sail/net/fair_places.h"
#include "sail/net/fair_turns.h"
#include "sail/net/loop.h"
#include "sail/wire/limits.h"

namespace sail {

class PeerGroup {
 public:
  class Member : public FairTurns::Member {
   public:
    // Bytes sent to it that it has not read. Any time until it left.
    virtual size_t unsent_bytes() const = 0;
    // To end at once, without a word to the peer. It has left already.
    virtual void turn_away(const Error& why) = 0;

   private:
    friend class PeerGroup;
    uint64_t id_ = 0;
    size_t unsent_known_ = 0;
  };

  struct Options {
    int64_t hello_ms = kHelloTimeoutMs;  // for a stranger to be admitted
    int64_t password_ms = 30'000;        // the same, after give_time()
    size_t max_patience = 16;            // strangers who have that at a time
    size_t max_strangers = kMaxStrangers;
    size_t max_unsent_bytes = kMaxUnsentOfAll;
  };

  explicit PeerGroup(Loop& loop) : PeerGroup(loop, Options()) {}
  PeerGroup(Loop& loop, const Options& options);
  PeerGroup(const PeerGroup&) = delete;
  PeerGroup& operator=(const PeerGroup&) = delete;

  Loop& loop() { return loop_; }
  // A stranger from there, which may turn another one away. It leaves before it ends.
  void enter(Member& member, const std::string& host);
  // The stranger from there has password_ms from now on. When too many have, one of them has no
  // more than the others again: as strangers make room for another.
  void give_time(const Member& member, const std::string& host);
  // No stranger any more.
  void admit(const Member& member);
  // Nothing happens when it has left.
  void leave(Member& member);
  // The process has no descriptors left: half of the strangers are turned away.
  void make_room();
  // Something was sent to it. When too much is unsent to all together, whoever has most of it is
  // turned away.
  void sent_to(Member& member);
  void ask_turn(std::shared_ptr<Member> member) { turns_->ask(std::move(member)); }

 private:
  void turn_away(Member& member, const Error& why);
  void turn_away_the_late();
  // Until the next stranger is late.
  void wait_for_the_late();
  void set_end(uint64_t id, int64_t end_ns);
  void know_unsent(Member& member);
  void turn_away_the_deaf();
  void give_memory_back();

  Loop& loop_;
  const Options options_;
  std::shared_ptr<FairTurns> turns_;
  uint64_t next_id_ = 1;
  std::map<uint64_t, Member*> members_;
  FairPlaces strangers_;
  FairPlaces patience_;
  struct Stay {
    int64_t since_ns = 0;
    int64_t end_ns = 0;  // it is late then
  };
  std::map<uint64_t, Stay> stays_;               // of strangers, by id
  std::set<std::pair<int64_t, uint64_t>> ends_;  // end_ns and id of each
  Timer late_;
  size_t unsent_bytes_ = 0;  // of all, as far as known
  size_t most_unsent_ = 0;   // since memory was given back
  Timer give_back_;
};

}  // namespace sail
