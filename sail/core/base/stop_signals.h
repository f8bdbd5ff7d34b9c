// SIGINT, SIGTERM and SIGHUP as a flag to poll. Create before any thread starts, so that all
// threads block the signals. One thread at a time polls. The destructor restores the mask.
#pragma once

#include <csignal>

namespace sail {

class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  // True once such a signal has arrived. Never blocks.
  bool arrived();

 private:
  sigset_t before_;  // the thread's signal mask before
  bool arrived_ = false;
};

}  // namespace sail
