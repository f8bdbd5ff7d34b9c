#include "sail/core/base/stop_signals.h"

#include <ctime>
#include <initializer_list>

namespace sail {
namespace {

sigset_t stop_set() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  return signals;
}

}  // namespace

StopSignals::StopSignals() {
  const sigset_t signals = stop_set();
  pthread_sigmask(SIG_BLOCK, &signals, &before_);
}

StopSignals::~StopSignals() {
  // Drops repeated signals: they were meant for the work that has ended.
  const sigset_t signals = stop_set();
  const timespec at_once{};
  while (sigtimedwait(&signals, nullptr, &at_once) > 0) continue;
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

bool StopSignals::arrived() {
  const sigset_t signals = stop_set();
  const timespec at_once{};
  if (!arrived_ && sigtimedwait(&signals, nullptr, &at_once) > 0) arrived_ = true;
  return arrived_;
}

}  // namespace sail
