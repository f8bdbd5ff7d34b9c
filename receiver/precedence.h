// What is to be seen at an instant goes before whatever else this machine does; what takes long
// does not. Of one thread.
#pragma once

#include "sail/base/result.h"

namespace receiver {

class Precedence {
 public:
  // Asks for it, and has it. From then on the calling thread, and none that it starts later, runs
  // as soon as it has something to do, before all ordinary ones (SCHED_RR, sched(7)).
  // kUnauthorized: this user may not (RLIMIT_RTPRIO), and the others do nothing.
  sail::Result<void> ask();
  // As any other thread, until it is taken again; both when it is so already, too.
  void leave();
  void take();

 private:
  bool may_ = false;
  bool has_ = false;
};

}  // namespace receiver
