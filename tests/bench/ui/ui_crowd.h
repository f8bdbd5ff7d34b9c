// Many UI clients of one manager, which all follow its state while some of them change it.
// The clients live on a loop in a thread of their own; the functions are for one other thread.
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
  // Connects them all and waits until each knows the state.
  static sail::Result<std::unique_ptr<UiCrowd>> join(const sail::Address& manager, size_t clients);
  ~UiCrowd();
  UiCrowd(const UiCrowd&) = delete;
  UiCrowd& operator=(const UiCrowd&) = delete;

  // From now on the clients move these windows in turn, so many times a second all together, each
  // to a place where it was not before.
  void begin_changes(std::vector<uint32_t> windows, double per_second);
  void end_changes();

  struct Figures {
    std::vector<double> command_to_state_ms;  // until the last client knew of the change
    uint64_t commands = 0;
    uint64_t refused = 0;  // errors of any kind
    uint64_t unseen = 0;   // changes that did not reach all clients in time
    uint64_t bytes = 0;    // of "changed" notifications, at one client
    uint64_t missed = 0;   // times that a client found a gap
    uint64_t lost = 0;     // clients whose session ended
  };
  // Since begin_changes().
  Figures figures();
  // How many clients know exactly these windows in this order, and nothing else, at this revision
  // or later.
  size_t clients_that_know(const sail::Json& state);

 private:
  struct Impl;
  UiCrowd();
  std::unique_ptr<Impl> impl_;
};

}  // namespace bench
