// Lets SIGINT and SIGTERM end a receiver like quit().
#pragma once

#include <pthread.h>

#include <csignal>
#include <thread>

#include "receiver/receiver.h"

namespace receiver {

// Blocks the signals that end the program, in this thread and all threads started later; also
// SIGUSR1, which stops the signal thread itself.
inline sigset_t block_end_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

// Calls quit() when a signal arrives. The signals must be blocked in all threads.
class SignalThread {
 public:
  SignalThread(const sigset_t& signals, Receiver& receiver)
      : thread_([signals, &receiver] {
          int signal = 0;
          sigwait(&signals, &signal);
          receiver.quit();
        }) {}
  ~SignalThread() {
    pthread_kill(thread_.native_handle(), SIGUSR1);
    thread_.join();
  }
  SignalThread(const SignalThread&) = delete;
  SignalThread& operator=(const SignalThread&) = delete;

 private:
  std::thread thread_;
};

}  // namespace receiver
