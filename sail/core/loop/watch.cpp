#include <csignal>
#include <memory>
#include <utility>

#include "sail/core/loop/handle.h"
#include "sail/core/loop/loop.h"

namespace sail {

// ---- SignalWatch ----

struct SignalWatch::Impl : HandleBlock {
  uv_signal_t signal{};
  std::function<void()> callback;  // kept until the handle is closed: it may be running

  void drop_callbacks() override { std::exchange(callback, nullptr); }
};

SignalWatch::SignalWatch(Loop& loop, int signal, std::function<void()> callback)
    : impl_(std::make_shared<Impl>()) {
  impl_->callback = std::move(callback);
  require(uv_signal_init(&loop.impl().uv, &impl_->signal), "cannot watch signals");
  own_until_closed(impl_, reinterpret_cast<uv_handle_t*>(&impl_->signal));
  const auto on_signal = [](uv_signal_t* handle, int) { block_of<Impl>(handle).callback(); };
  require(uv_signal_start(&impl_->signal, on_signal, signal), "cannot watch a signal");
}

SignalWatch::~SignalWatch() {
  close_handle(reinterpret_cast<uv_handle_t*>(&impl_->signal));
}

void run_until_signal(Loop& loop, const std::function<void()>& end) {
  const SignalWatch on_interrupt(loop, SIGINT, end);
  const SignalWatch on_terminate(loop, SIGTERM, end);
  loop.run();
}

// ---- ReadWatch ----

struct ReadWatch::Impl : HandleBlock {
  union {
    uv_handle_t handle;
    uv_poll_t poll;
    uv_idle_t always;  // for files that cannot be polled; they are always readable
  };
  std::function<void()> callback;  // kept until the handle is closed: it may be running

  Impl() : always{} {}
  void drop_callbacks() override { std::exchange(callback, nullptr); }
};

ReadWatch::ReadWatch(Loop& loop, int descriptor, std::function<void()> callback)
    : impl_(std::make_shared<Impl>()) {
  impl_->callback = std::move(callback);
  uv_loop_t* uv = &loop.impl().uv;
  const int status = uv_poll_init(uv, &impl_->poll, descriptor);
  if (status == UV_EPERM) {
    require(uv_idle_init(uv, &impl_->always), "cannot watch a file");
    own_until_closed(impl_, &impl_->handle);
    uv_idle_start(&impl_->always, [](uv_idle_t* idle) { block_of<Impl>(idle).callback(); });
    return;
  }
  require(status, "cannot watch a descriptor");
  own_until_closed(impl_, &impl_->handle);
  // Also called for errors and hang-ups; the next read then reports them.
  const auto on_event = [](uv_poll_t* poll, int, int) { block_of<Impl>(poll).callback(); };
  require(uv_poll_start(&impl_->poll, UV_READABLE, on_event), "cannot watch a descriptor");
}

ReadWatch::~ReadWatch() {
  close_handle(&impl_->handle);
}

// ---- SocketWatch ----

struct SocketWatch::Impl : HandleBlock {
  uv_poll_t poll{};
  Callback callback;  // kept until the handle is closed: it may be running

  uv_handle_t* handle() { return reinterpret_cast<uv_handle_t*>(&poll); }
  void drop_callbacks() override { std::exchange(callback, nullptr); }
};

SocketWatch::SocketWatch(Loop& loop, int descriptor, Callback callback)
    : impl_(std::make_shared<Impl>()) {
  impl_->callback = std::move(callback);
  require(uv_poll_init(&loop.impl().uv, &impl_->poll, descriptor), "cannot watch a socket");
  own_until_closed(impl_, impl_->handle());
}

SocketWatch::~SocketWatch() {
  close_handle(impl_->handle());
}

void SocketWatch::want(bool readable, bool writable) {
  if (!readable && !writable) {
    uv_poll_stop(&impl_->poll);
    return;
  }
  const auto on_event = [](uv_poll_t* poll, int status, int events) {
    const bool wrong = status != 0;
    block_of<Impl>(poll).callback(wrong || (events & UV_READABLE) != 0,
                                  wrong || (events & UV_WRITABLE) != 0);
  };
  const int events = (readable ? UV_READABLE : 0) | (writable ? UV_WRITABLE : 0);
  require(uv_poll_start(&impl_->poll, events, on_event), "cannot watch a socket");
}

}  // namespace sail
