#include "sail/media/storage/reading/loop_thread.h"

#include <future>

#include "sail/core/base/environment.h"

namespace sail {

LoopThread::LoopThread()
    : thread_([this] {
        name_this_thread("film loop");
        loop_.run();
      }) {}

LoopThread::~LoopThread() {
  loop_.stop();
  thread_.join();
}

void LoopThread::run(const std::function<void()>& task) {
  std::promise<void> done;
  loop_.post([&] {
    task();
    done.set_value();
  });
  done.get_future().wait();
}

}  // namespace sail
