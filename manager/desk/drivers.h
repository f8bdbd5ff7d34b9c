// The drivers of windows that take input, at most one person for each window. The first person who
// sends input becomes the driver, but other people may still send input: applications may be for
// several people. A person who takes the window with the verb "drive" drives it alone. Runs on the
// loop thread.
#pragma once

#include <cstdint>
#include <map>

#include "sail/core/auth/wall_key.h"
#include "sail/core/base/result.h"
#include "sail/core/wire/input.h"

namespace sail {
class ServicePeer;
}  // namespace sail

namespace manager {

class Desk;
class Peers;
struct Window;

class Drivers {
 public:
  struct Times {
    int64_t idle_ms = 0;    // A driver who sends no input for this long stops driving.
    int64_t return_ms = 0;  // Time for a driver to reconnect.
  };
  // desk and peers must outlive this object.
  Drivers(Desk& desk, Peers& peers, Times times) : desk_(desk), peers_(peers), times_(times) {}

  // Input of this type is to be sent to the window: the person drives it, unless another one does.
  // kConflict: another person has taken the window. Releases of keys, buttons and touches, and
  // pointers that leave, are admitted from everybody, so that nothing stays pressed.
  sail::Result<void> admit(sail::ServicePeer& peer, const Window& window, sail::InputType type);
  // `to` alone drives the window from now on. kUnauthorized: another person has taken the window,
  // and `by` has no higher right.
  sail::Result<void> give(sail::ServicePeer& by, const Window& window, sail::ServicePeer& to);
  // Nobody drives the window any more. Errors: see give().
  sail::Result<void> release(sail::ServicePeer& by, const Window& window);
  void client_left(uint64_t client);
  // Advances time. Call about every Director::kTickMs.
  void tick();

 private:
  struct Seen {
    int64_t input_ns = 0;  // Last input, steady.
    sail::Right right = sail::Right::kNone;
    int64_t left_ns = 0;  // The driver's connection has ended, steady; 0: it has not.
  };
  // Whether `by` may end or replace the window's driver.
  sail::Result<void> check(sail::ServicePeer& by, const Window& window) const;
  void set(const Window& window, sail::ServicePeer& to, bool asked);
  void end(uint32_t window);
  // The driver's connection has ended. Looks for another connection of the same person.
  void look_for(const Window& window, Seen& seen);

  Desk& desk_;
  Peers& peers_;
  const Times times_;
  std::map<uint32_t, Seen> seen_;  // By driven window.
};

}  // namespace manager
