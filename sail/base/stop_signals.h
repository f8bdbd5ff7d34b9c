// SIGINT, SIGTERM and SIGHUP as a question. Made before any thread starts, so that no thread takes
// them; one thread at a time asks. When it goes, signals do again what they did before.
#pragma once

#include <csignal>

namespace sail {

class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  // True from the first such signal on. Never waits.
  bool came();

 private:
  sigset_t before_;  // the thread's mask
  bool came_ = false;
};

}  // namespace sail
