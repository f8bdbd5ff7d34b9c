#include <sys/timerfd.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "sail/base/clock.h"
#include "sail/net/handle.h"

namespace sail {

struct FineTimer::Impl : std::enable_shared_from_this<FineTimer::Impl> {
  int descriptor = -1;
  std::function<void()> callback;
  std::unique_ptr<ReadWatch> watch;

  ~Impl() {
    watch.reset();
    if (descriptor >= 0) close(descriptor);
  }
};

FineTimer::FineTimer(Loop& loop, std::function<void()> callback) : impl_(std::make_shared<Impl>()) {
  impl_->callback = std::move(callback);
  impl_->descriptor = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  require(impl_->descriptor < 0 ? -errno : 0, "cannot make a timer");
  impl_->watch = std::make_unique<ReadWatch>(loop, impl_->descriptor, [plain = impl_.get()] {
    uint64_t expirations = 0;
    if (read(plain->descriptor, &expirations, sizeof expirations) != sizeof expirations) return;
    const auto keep = plain->shared_from_this();  // the callback may destroy the timer
    plain->callback();
  });
}

FineTimer::~FineTimer() = default;

void FineTimer::start_at(int64_t steady_ns) {
  itimerspec when{};
  const int64_t at = steady_ns > 0 ? steady_ns : 1;  // zero would stop it
  when.it_value = {.tv_sec = at / kSecondNs, .tv_nsec = at % kSecondNs};
  require(timerfd_settime(impl_->descriptor, TFD_TIMER_ABSTIME, &when, nullptr) < 0 ? -errno : 0,
          "cannot set a timer");
}

void FineTimer::stop() {
  const itimerspec never{};
  timerfd_settime(impl_->descriptor, 0, &never, nullptr);
}

}  // namespace sail
