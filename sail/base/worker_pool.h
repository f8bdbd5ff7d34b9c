// Threads for codec work: one of the four doors between threads (ARCHITECTURE.md, "Threads").
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace sail {

class WorkerPool {
 public:
  // threads ≥ 0; with none, for_each does all the work in the calling thread.
  explicit WorkerPool(int threads);
  // Waits for calls under way; no for_each may start any more.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  int threads() const { return static_cast<int>(threads_.size()); }

  // Runs body(0) … body(count − 1), each once, on the workers and the calling thread, and returns
  // when all are done. Items start in the order of their numbers. Any thread; calls may overlap.
  void for_each(size_t count, const std::function<void(size_t)>& body);

  // One thread a core, the calling thread counted in, at most 16: past that the memory is the
  // limit.
  static int default_threads();

 private:
  struct Batch;
  void work();
  // Takes the next item of the batch and runs it; false when none was left to start.
  bool run_one(Batch& batch, std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable work_available_;
  std::condition_variable item_done_;
  std::deque<Batch*> batches_;  // those with items left to start
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace sail
