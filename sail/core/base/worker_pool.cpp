#include "sail/core/base/worker_pool.h"

#include <algorithm>

#include "sail/core/base/environment.h"

namespace sail {

// Lives on the stack of the thread that called for_each.
struct WorkerPool::Batch {
  const std::function<void(size_t)>& body;
  size_t count;
  size_t started = 0;
  size_t done = 0;
};

WorkerPool::WorkerPool(int threads) {
  threads_.reserve(static_cast<size_t>(threads));
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  work_available_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

int WorkerPool::default_threads() {
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  return std::clamp(cores - 1, 0, 15);
}

bool WorkerPool::run_one(Batch& batch, std::unique_lock<std::mutex>& lock) {
  if (batch.started == batch.count) return false;
  const size_t item = batch.started++;
  if (batch.started == batch.count) std::erase(batches_, &batch);
  lock.unlock();
  batch.body(item);
  lock.lock();
  if (++batch.done == batch.count) item_done_.notify_all();
  return true;
}

void WorkerPool::for_each(size_t count, const std::function<void(size_t)>& body) {
  if (count == 0) return;
  Batch batch{body, count};
  std::unique_lock lock(mutex_);
  if (count > 1 && !threads_.empty()) {
    batches_.push_back(&batch);
    if (count == 2) {
      work_available_.notify_one();
    } else {
      work_available_.notify_all();
    }
  }
  while (run_one(batch, lock)) {
  }
  item_done_.wait(lock, [&] { return batch.done == batch.count; });
}

void WorkerPool::work() {
  name_this_thread("worker");
  std::unique_lock lock(mutex_);
  for (;;) {
    work_available_.wait(lock, [this] { return stopping_ || !batches_.empty(); });
    if (stopping_) return;
    run_one(*batches_.front(), lock);
  }
}

}  // namespace sail
