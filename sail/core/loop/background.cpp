#include <utility>

#include "sail/core/loop/handle.h"

namespace sail {
namespace {

struct Task {
  uv_work_t request{};
  std::function<void()> work;
  std::function<void()> done;
  std::shared_ptr<Task> self;  // the reference held for libuv until the task is done
};

void run(uv_work_t* request) {
  static_cast<Task*>(request->data)->work();
}

void finish(uv_work_t* request, int) {
  auto* task = static_cast<Task*>(request->data);
  const std::shared_ptr<Task> self = std::move(task->self);
  task->work = nullptr;
  const std::function<void()> done = std::exchange(task->done, nullptr);
  auto* loop = static_cast<Loop*>(request->loop->data);
  if (done && !loop->impl().closing) done();
}

}  // namespace

std::shared_ptr<void> in_background(Loop& loop, std::function<void()> work,
                                    std::function<void()> done) {
  auto task = std::make_shared<Task>();
  task->request.data = task.get();
  task->work = std::move(work);
  task->done = std::move(done);
  task->self = task;
  require(uv_queue_work(&loop.impl().uv, &task->request, run, finish),
          "cannot queue work for another thread");
  return {task.get(), [task](void*) {
            const std::function<void()> dropped = std::exchange(task->done, nullptr);
          }};
}

}  // namespace sail
