// Many UI clients of one manager, all following its state while some of them change it. The clients
// run on a loop in a separate thread; call the functions from one other thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/core/socket/tcp.h"
#include "sail/core/text/json.h"

namespace bench {

class UiCrowd {
 public:
  // Connects all clients and waits until each knows the state.
  static sail::Result<std::unique_ptr<UiCrowd>> join(const sail::Address& manager, size_t clients);
  ~UiCrowd();
  UiCrowd(const UiCrowd&) = delete;
  UiCrowd& operator=(const UiCrowd&) = delete;

  // Starts moving these windows in turn, at this total rate, each time to a new place.
  void begin_changes(std::vector<uint32_t> windows, double per_second);
  void end_changes();

  struct Figures {
    std::vector<double> command_to_state_ms;  // until the last client knew the change
    uint64_t commands = 0;
    uint64_t refused = 0;  // errors of any kind
    uint64_t unseen = 0;   // changes that did not reach all clients in time
    uint64_t bytes = 0;    // size of "changed" notifications, at one client
    uint64_t missed = 0;   // gaps found by clients
    uint64_t lost = 0;     // clients whose session ended
  };
  // Since begin_changes().
  Figures figures();
  // Number of clients that know exactly these windows in this order, and nothing else, at this
  // revision or later.
  size_t clients_that_know(const sail::Json& state);

 private:
  struct Impl;
  UiCrowd();
  std::unique_ptr<Impl> impl_;
};

}  // namespace bench
