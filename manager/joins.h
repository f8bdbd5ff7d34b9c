// Ranks that are to give parts of the same frames, while they come: who is there, whether they
// agree, and whom the others wait for. Pure: time is an argument, and replies are what is given.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sail/base/result.h"
#include "sail/net/rpc_peer.h"
#include "sail/wire/control_messages.h"

namespace manager {

struct JoiningRank {
  uint64_t application = 0;  // a peer
  std::string name;          // as it calls itself
  sail::OpenStream open;     // has a part
  std::string codec;
  sail::RpcPeer::Reply reply;

  const sail::JoinParts& part() const { return *open.part; }
};

class Joins {
 public:
  // Nothing: others are waited for, or it was refused, and has its answer. Otherwise all are there,
  // by rank.
  std::optional<std::vector<JoiningRank>> join(JoiningRank rank, int64_t now_ns);
  // Ranks that have gone on since a former session, with all that have joined beside them: those
  // that are missing may have died meanwhile.
  std::vector<std::vector<JoiningRank>> take_going_on();
  void application_left(uint64_t application);
  // Time passes: who has waited long enough is told for whom.
  void tick(int64_t now_ns);

 private:
  struct Coming {
    std::map<int, JoiningRank> ranks;
    int64_t until_ns = 0;
    // They cannot be one picture: all are told so, as they come, until all have been.
    std::optional<sail::Error> refused;
    int told = 0;
  };
  // What is wrong between the new one and those that are there.
  static std::optional<sail::Error> disagreement(const Coming& coming, const JoiningRank& rank);
  static std::optional<sail::Error> hole(const Coming& coming);
  // They have waited long enough. True: nobody else is to be told.
  static bool give_up(const std::string& name, Coming& coming, int64_t now_ns);
  // The same.
  static bool refuse(Coming& coming, const sail::Error& why);
  static std::vector<JoiningRank> ranks_of(Coming& coming);

  std::map<std::string, Coming> coming_;  // by their name
};

}  // namespace manager
