#include "sail/core/loop/loop.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "sail/core/loop/handle.h"

namespace sail {
namespace {

void ignore_sigpipe() {
  struct sigaction current {};
  sigaction(SIGPIPE, nullptr, &current);
  const bool is_default = (current.sa_flags & SA_SIGINFO) == 0 && current.sa_handler == SIG_DFL;
  if (!is_default) return;
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &ignore, nullptr);
}

}  // namespace

void require(int status, const char* what) {
  if (status >= 0) return;
  std::fprintf(stderr, "%s: %s\n", what, uv_strerror(status));
  std::abort();
}

void own_until_closed(std::shared_ptr<HandleBlock> block, uv_handle_t* handle) {
  handle->data = block.get();
  block->self_ = std::move(block);
}

void close_handle(uv_handle_t* handle) {
  if (uv_is_closing(handle)) return;
  uv_close(handle, [](uv_handle_t* closed) {
    const std::shared_ptr<HandleBlock> block = std::move(block_of<HandleBlock>(closed).self_);
    block->drop_callbacks();
  });
}

namespace {

void see_guests_off(Loop& loop) {
  loop.post([&loop] {
    if (loop.impl().guests_leave()) see_guests_off(loop);
  });
}

}  // namespace

void leave_loop(Loop& loop, std::shared_ptr<LoopGuest> guest) {
  const bool first = loop.impl().leaving.empty();
  loop.impl().leaving.push_back(std::move(guest));
  if (first) see_guests_off(loop);
}

// ---- Loop ----

TlsContext& Loop::Impl::tls_context() {
  if (!tls) tls = std::make_unique<TlsContext>();
  return *tls;
}

std::span<uint8_t> Loop::Impl::tls_room() {
  constexpr size_t kBytes = 256 << 10;
  tls_input.resize(kBytes);
  return tls_input;
}

bool Loop::Impl::guests_leave() {
  std::erase_if(leaving, [](const std::shared_ptr<LoopGuest>& guest) { return guest->leave(); });
  return !leaving.empty();
}

void Loop::Impl::run_tasks() {
  bool stop = false;
  {
    const std::lock_guard lock(mutex);
    running.swap(tasks);
    stop = std::exchange(stop_wanted, false);
  }
  for (std::function<void()>& task : running) {
    task();
    task = nullptr;  // destroy what the task owns before the next task runs
  }
  running.clear();
  if (stop) uv_stop(&uv);
}

Loop::Loop() : impl_(std::make_unique<Impl>()) {
  ignore_sigpipe();
  require(uv_loop_init(&impl_->uv), "cannot create an event loop");
  impl_->uv.data = this;
  require(uv_async_init(
              &impl_->uv, &impl_->wakeup,
              [](uv_async_t* async) { static_cast<Loop*>(async->loop->data)->impl().run_tasks(); }),
          "cannot create an event loop's wake-up");
}

Loop::~Loop() {
  // Destroying a task may destroy objects of this folder, and their destructors may post.
  const auto drop_tasks = [this] {
    std::vector<std::function<void()>> dropped;
    const std::lock_guard lock(impl_->mutex);
    impl_->closing = true;
    dropped.swap(impl_->tasks);
    return dropped;
  };
  while (!drop_tasks().empty()) {
  }
  uv_close(reinterpret_cast<uv_handle_t*>(&impl_->wakeup), nullptr);
  // Only guests are called in these iterations: our objects are gone (rule 4).
  while (impl_->guests_leave()) uv_run(&impl_->uv, UV_RUN_NOWAIT);
  while (uv_loop_close(&impl_->uv) == UV_EBUSY) {
    uv_walk(
        &impl_->uv, [](uv_handle_t* handle, void*) { close_handle(handle); }, nullptr);
    uv_run(&impl_->uv, UV_RUN_DEFAULT);
  }
}

void Loop::run() {
  uv_run(&impl_->uv, UV_RUN_DEFAULT);
  // A stop() that came while this run was ending must not end the next run.
  const std::lock_guard lock(impl_->mutex);
  impl_->stop_wanted = false;
}

void Loop::stop() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->stop_wanted = true;
  }
  uv_async_send(&impl_->wakeup);
}

void Loop::post(std::function<void()> task) {
  bool first = false;
  {
    const std::lock_guard lock(impl_->mutex);
    first = impl_->tasks.empty() && !impl_->closing;
    impl_->tasks.push_back(std::move(task));
  }
  if (first) uv_async_send(&impl_->wakeup);
}

// ---- Timer ----

struct Timer::Impl : HandleBlock {
  uv_timer_t timer{};
  std::function<void()> callback;
  uint64_t starts = 0;  // number of calls of start() and stop()

  void drop_callbacks() override { std::exchange(callback, nullptr); }
  void fire();
};

void Timer::Impl::fire() {
  // The callback may start, stop or destroy its timer. So it runs outside the block, and is put
  // back only if it did none of these.
  std::function<void()> current = std::exchange(callback, nullptr);
  const uint64_t starts_before = starts;
  const bool repeats = uv_timer_get_repeat(&timer) != 0;
  current();
  if (repeats && starts == starts_before) callback = std::move(current);
}

Timer::Timer(Loop& loop) : impl_(std::make_shared<Impl>()) {
  require(uv_timer_init(&loop.impl().uv, &impl_->timer), "cannot create a timer");
  own_until_closed(impl_, reinterpret_cast<uv_handle_t*>(&impl_->timer));
}

Timer::~Timer() {
  if (!impl_) return;
  stop();
  close_handle(reinterpret_cast<uv_handle_t*>(&impl_->timer));
}

Timer::Timer(Timer&&) noexcept = default;

void Timer::start(int64_t after_ms, int64_t repeat_ms, std::function<void()> callback) {
  ++impl_->starts;
  // Destroyed last: it may own the object that contains this timer.
  const std::function<void()> dropped = std::exchange(impl_->callback, std::move(callback));
  // libuv's cached time is as old as the loop's last wake-up.
  uv_update_time(impl_->timer.loop);
  // Fails only for a timer that ~Loop closed.
  uv_timer_start(
      &impl_->timer, [](uv_timer_t* timer) { block_of<Impl>(timer).fire(); },
      static_cast<uint64_t>(std::max<int64_t>(after_ms, 0)),
      static_cast<uint64_t>(std::max<int64_t>(repeat_ms, 0)));
}

void Timer::stop() {
  ++impl_->starts;
  const std::function<void()> dropped = std::exchange(impl_->callback, nullptr);  // destroyed last
  uv_timer_stop(&impl_->timer);
}

}  // namespace sail
