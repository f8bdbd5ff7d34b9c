// SIGINT, SIGTERM and SIGHUP as a question. Made before any thread starts, so that no thread takes
// them; one thread asks.
#pragma once

namespace sail {

class StopSignals {
 public:
  StopSignals();
  // True from the first such signal on. Never waits.
  bool came();

 private:
  bool came_ = false;
};

}  // namespace sail
