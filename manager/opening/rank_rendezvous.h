// Collects the ranks that will send parts of the same frames. Checks that they agree, and gives up
// if ranks stay away. Pure: time is an argument, and answers go to each rank's `reply`.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/core/rpc/rpc_peer.h"
#include "sail/core/wire/application_messages.h"

namespace manager {

struct JoiningRank {
  uint64_t application = 0;  // Peer id.
  std::string name;          // Name that the application gave.
  sail::OpenStream open;     // member `part` is set
  std::string codec;
  sail::RpcPeer::Reply reply;

  const sail::JoinParts& part() const { return *open.part; }
};

class RankRendezvous {
 public:
  // Returns all ranks, ordered by rank, when the last one has joined. Empty: ranks are still
  // missing, or this rank was refused and has its answer.
  std::optional<std::vector<JoiningRank>> join(JoiningRank rank, int64_t now_ns);
  // Returns and removes ranks that continue from an earlier session, with all ranks that joined
  // beside them. Missing ranks may have died meanwhile.
  std::vector<std::vector<JoiningRank>> take_continuing();
  void application_left(uint64_t application);
  // Advances time. Ranks that have waited too long get an error that names the missing ranks.
  void tick(int64_t now_ns);

 private:
  struct PendingJoin {
    std::map<int, JoiningRank> ranks;
    int64_t until_ns = 0;
    // The ranks do not fit together. Each gets this error when it joins, until all have got it.
    std::optional<sail::Error> refused;
    int refused_ranks = 0;
  };
  // Returns why the new rank does not fit the others, if so.
  static std::optional<sail::Error> mismatch(const PendingJoin& pending, const JoiningRank& rank);
  static std::optional<sail::Error> region_gap(const PendingJoin& pending);
  // Refuses the ranks after the timeout. Returns true if no other rank needs an answer.
  static bool give_up(const std::string& name, PendingJoin& pending, int64_t now_ns);
  // Refuses all ranks. Returns true if no other rank needs an answer.
  static bool refuse(PendingJoin& pending, const sail::Error& why);
  static std::vector<JoiningRank> ranks_of(PendingJoin& pending);

  std::map<std::string, PendingJoin> pending_;  // By the name of the join.
};

}  // namespace manager
