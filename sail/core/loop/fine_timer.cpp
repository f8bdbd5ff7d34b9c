#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "sail/core/loop/handle.h"
#include "sail/core/time/clock.h"

namespace sail {

struct FineTimer::Impl : std::enable_shared_from_this<FineTimer::Impl> {
  Impl(Loop& its_loop, std::function<void()> its_callback)
      : loop(its_loop), callback(std::move(its_callback)), coarse(its_loop) {
    open();
  }
  ~Impl() {
    watch.reset();
    if (descriptor >= 0) close(descriptor);
  }

  void open();
  void call() {
    const auto keep = shared_from_this();  // the callback may destroy the timer
    callback();
  }

  Loop& loop;
  const std::function<void()> callback;
  int descriptor = -1;
  std::unique_ptr<ReadWatch> watch;
  Timer coarse;  // used while there is no descriptor
};

// Without a descriptor, the timer falls back to millisecond resolution.
void FineTimer::Impl::open() {
  descriptor = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  if (descriptor < 0) return;
  watch = std::make_unique<ReadWatch>(loop, descriptor, [this] {
    uint64_t expirations = 0;
    if (read(descriptor, &expirations, sizeof expirations) == sizeof expirations) call();
  });
}

FineTimer::FineTimer(Loop& loop, std::function<void()> callback)
    : impl_(std::make_shared<Impl>(loop, std::move(callback))) {}

FineTimer::~FineTimer() = default;

void FineTimer::start_at(int64_t steady_ns) {
  impl_->coarse.stop();
  if (impl_->descriptor < 0) impl_->open();
  if (impl_->descriptor < 0) {
    const int64_t left_ns = std::max<int64_t>(steady_ns - steady_now_ns(), 0);
    impl_->coarse.start((left_ns + kMillisecondNs - 1) / kMillisecondNs, 0,
                        [plain = impl_.get()] { plain->call(); });
    return;
  }
  itimerspec when{};
  const int64_t at = steady_ns > 0 ? steady_ns : 1;  // zero would disarm the timer
  when.it_value = {.tv_sec = at / kSecondNs, .tv_nsec = at % kSecondNs};
  require(timerfd_settime(impl_->descriptor, TFD_TIMER_ABSTIME, &when, nullptr) < 0 ? -errno : 0,
          "cannot set a timer");
}

void FineTimer::stop() {
  impl_->coarse.stop();
  const itimerspec never{};
  if (impl_->descriptor >= 0) timerfd_settime(impl_->descriptor, 0, &never, nullptr);
}

}  // namespace sail
