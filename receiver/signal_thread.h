// SIGINT and SIGTERM end a receiver as quit() does.
#pragma once

#include <pthread.h>

#include <csignal>
#include <thread>

#include "receiver/receiver.h"

namespace receiver {

// Takes the signals that end the program from this thread and all that it starts from now on; and
// SIGUSR1, by which the signal thread itself is ended.
inline sigset_t block_end_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

// Ends the receiver when one of the signals comes. They must be blocked in all threads.
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
