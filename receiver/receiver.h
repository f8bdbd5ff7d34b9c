// A display node: shows its tiles as the manager and the applications have it. Several may live in
// one process, each with its own display.
#pragma once

#include <memory>

#include "receiver/display.h"
#include "receiver/intake.h"
#include "receiver/jobs.h"
#include "sail/base/log.h"
#include "sail/base/mailbox.h"
#include "sail/base/result.h"

namespace receiver {

class Stage;

class Receiver {
 public:
  Receiver(ReceiverOptions options, std::unique_ptr<Display> display, const sail::Log& log);

  // Shows until quit(), or until a person closes a window. The calling thread paints and is the
  // display's. Errors: the manager refused the hello, or the display failed. Once.
  sail::Result<void> run();
  // Any thread.
  void quit();

 private:
  class LoopThread;
  void put(Job job, Intake& intake);
  // What came while waiting at most that long. False: the receiver ends, with result_.
  bool take_jobs(Stage& stage, int64_t wait_ns);
  bool take(Stage& stage, Job job);

  sail::FrameTrace trace_;
  const ReceiverOptions options_;
  const sail::Log log_;
  std::unique_ptr<Display> display_;
  sail::Mailbox<Job> jobs_;
  sail::Result<void> result_;
};

}  // namespace receiver
