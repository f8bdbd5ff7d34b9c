#include "receiver/receiver.h"

#include <sys/prctl.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <thread>
#include <type_traits>
#include <utility>

#include "receiver/frame/frame.h"
#include "receiver/render_thread.h"
#include "sail/core/base/environment.h"
#include "sail/core/time/clock.h"

namespace receiver {
namespace {

// More than the frames in flight of many streams. If the main thread hangs, old swaps are lost.
constexpr size_t kMaxJobs = 4096;
constexpr int64_t kLongestWaitNs = 1'000'000'000;

ReceiverOptions with_trace(ReceiverOptions options, sail::FrameTrace& trace) {
  options.trace = &trace;
  return options;
}

}  // namespace

// Runs the event loop on its own thread, on which the intake is created and destroyed.
class Receiver::LoopThread {
 public:
  explicit LoopThread(Receiver& receiver)
      : thread_([this, &receiver] {
          sail::name_this_thread("receiver-loop");
          ReceiverController intake(
              loop_, receiver.options_, [&](Job job) { receiver.put(std::move(job), intake); },
              receiver.log_);
          controller_ = &intake;
          loop_.run();
        }) {}
  ~LoopThread() {
    post([this](ReceiverController& intake) {
      intake.shut_down();
      loop_.stop();
    });
    thread_.join();
  }
  LoopThread(const LoopThread&) = delete;
  LoopThread& operator=(const LoopThread&) = delete;

  void post(std::function<void(ReceiverController&)> task) {
    loop_.post([this, task = std::move(task)] { task(*controller_); });
  }

 private:
  sail::Loop loop_;
  ReceiverController* controller_ = nullptr;  // used only on the loop thread
  std::thread thread_;
};

Receiver::Receiver(ReceiverOptions options, std::unique_ptr<Display> display, const sail::Log& log)
    : trace_(kTraceLanes),
      options_(with_trace(std::move(options), trace_)),
      log_(log),
      display_(std::move(display)),
      jobs_(kMaxJobs) {}

void Receiver::quit() {
  jobs_.push(Stop{});
}

// Loop thread. If the queue overflows, only swaps are dropped, never other jobs.
void Receiver::put(Job job, ReceiverController& intake) {
  auto dropped = jobs_.push(std::move(job));
  while (dropped) {
    if (Swap* swap = std::get_if<Swap>(&*dropped)) {
      intake.on_lost(std::move(*swap));
      return;
    }
    dropped = jobs_.push(*std::move(dropped));
  }
}

sail::Result<void> Receiver::run() {
  LoopThread loop(*this);
  // A posted task must be copyable, but these contents are not.
  RenderThread render_thread(
      *display_,
      {.on_swapped =
           [&](Swapped swapped) {
             auto news = std::make_shared<Swapped>(std::move(swapped));
             loop.post([news](ReceiverController& intake) { intake.on_swapped(std::move(*news)); });
           },
       .on_snapshot =
           [&](SnapshotTaken taken) {
             auto news = std::make_shared<SnapshotTaken>(std::move(taken));
             loop.post(
                 [news](ReceiverController& intake) { intake.on_snapshot(std::move(*news)); });
           },
       .trace = &trace_});
  // The default timer slack wakes this thread up to 50 µs late, differently on each node.
  prctl(PR_SET_TIMERSLACK, 1UL);
  // Otherwise a decoder, or any other program, may occupy the CPU at a presentation time.
  if (const auto first = render_thread.use_realtime_priority(); !first) {
    log_.info("frames may be shown late when this node is busy: {}", first.error().message);
  }
  int64_t pump_at_ns = 0;
  int64_t refreshes_at_ns = 0;
  for (;;) {
    int64_t now_ns = sail::steady_now_ns();
    if (now_ns >= refreshes_at_ns) {
      render_thread.set_refreshes(display_->refreshes());
      loop.post([refreshes = display_->refreshes(),
                 display = display_->stats()](ReceiverController& intake) {
        intake.on_refreshes(refreshes);
        intake.on_display(display);
      });
      refreshes_at_ns = now_ns + kLongestWaitNs;
    }
    if (now_ns >= pump_at_ns) {
      const Display::Request request = display_->pump();
      if (request == Display::Request::kQuit) return {};
      if (request == Display::Request::kRepaint) render_thread.repaint();
      pump_at_ns = now_ns + std::min(display_->pump_every_ns(), kLongestWaitNs);
    }
    const int64_t until_ns = std::min(render_thread.act(), pump_at_ns);
    now_ns = sail::steady_now_ns();
    if (!take_jobs(render_thread, std::clamp<int64_t>(until_ns - now_ns, 0, kLongestWaitNs))) {
      return result_;
    }
  }
}

bool Receiver::take_jobs(RenderThread& render_thread, int64_t wait_ns) {
  auto job = jobs_.pop(std::chrono::nanoseconds(wait_ns));
  while (job) {
    if (!take(render_thread, *std::move(job))) return false;
    job = jobs_.pop();
  }
  return true;
}

bool Receiver::take(RenderThread& render_thread, Job job) {
  if (auto* stop = std::get_if<Stop>(&job)) {
    if (stop->error) result_ = *std::move(stop->error);
    return false;
  }
  if (auto* tiles = std::get_if<SetTiles>(&job)) {
    result_ = render_thread.set_tiles(std::move(*tiles));
    if (result_) log_.info("the tiles are painted");
    return result_.has_value();
  }
  if (auto* swap = std::get_if<Swap>(&job)) render_thread.add(std::move(*swap));
  if (auto* snapshot = std::get_if<TakeSnapshot>(&job)) render_thread.add(*snapshot);
  if (auto* overlay = std::get_if<ShowOverlay>(&job)) render_thread.add(*overlay);
  return true;
}

}  // namespace receiver
