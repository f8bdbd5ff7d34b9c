// The part of the state that is the same for all new clients. It is made for the first client and
// shared with all others that join at the same revision. Pure.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "sail/core/address/address.h"
#include "sail/core/socket/tcp.h"

namespace manager {

class SharedState {
 public:
  struct Text {
    sail::SharedText state;               // The end of the state's JSON text.
    std::vector<sail::SharedText> lines;  // Notifications that follow the state.
  };
  // Statistics change without a revision, so the text is used for this long.
  static constexpr int64_t kStatisticsNs = 100'000'000;

  // Returns the text for a peer with these ends, which `make` makes if there is none. Valid until
  // the next call. now_ns: steady.
  const Text& at(uint64_t revision, const sail::Ends& to, int64_t now_ns,
                 const std::function<Text()>& make);

 private:
  uint64_t revision_ = 0;
  int64_t made_ns_ = 0;                             // Time of the oldest text.
  std::vector<std::pair<sail::Ends, Text>> texts_;  // For peers that reach other hosts alike.
};

}  // namespace manager
