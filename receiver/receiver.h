// A display node: shows its tiles as directed by the manager and the applications. One process may
// contain several, each with its own display.
#pragma once

#include <memory>

#include "receiver/display/display.h"
#include "receiver/jobs.h"
#include "receiver/receiver_controller.h"
#include "sail/core/base/log.h"
#include "sail/core/base/mailbox.h"
#include "sail/core/base/result.h"

namespace receiver {

class RenderThread;

class Receiver {
 public:
  Receiver(ReceiverOptions options, std::unique_ptr<Display> display, const sail::Log& log);

  // Runs until quit(), or until a user closes a window. The calling thread paints; all calls to the
  // display are made on it. Returns an error if the manager refused the connection or the display
  // failed. Call once.
  sail::Result<void> run();
  // May be called on any thread.
  void quit();

 private:
  class LoopThread;
  void put(Job job, ReceiverController& intake);
  // Waits at most wait_ns for jobs and executes them. Returns false if the receiver ends (result_).
  bool take_jobs(RenderThread& render_thread, int64_t wait_ns);
  bool take(RenderThread& render_thread, Job job);

  sail::FrameTrace trace_;
  const ReceiverOptions options_;
  const sail::Log log_;
  std::unique_ptr<Display> display_;
  sail::Mailbox<Job> jobs_;
  sail::Result<void> result_;
};

}  // namespace receiver
