// Worker threads for codec work (ARCHITECTURE.md, "Threads, and the doors between them").
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
  // threads ≥ 0; with 0, for_each does all work on the calling thread.
  explicit WorkerPool(int threads);
  // Joins the threads. No for_each() may be running or start.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  int threads() const { return static_cast<int>(threads_.size()); }

  // Runs body(0) … body(count − 1) once each on the workers and the calling thread; returns when
  // all are done. Items start in ascending order. Any thread; calls may overlap.
  void for_each(size_t count, const std::function<void(size_t)>& body);

  // One per core including the calling thread, at most 16: beyond that, memory is the limit.
  static int default_threads();

 private:
  struct Batch;
  void work();
  // Runs the next item of the batch; false if no item is left to start.
  bool run_one(Batch& batch, std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable work_available_;
  std::condition_variable item_done_;
  std::deque<Batch*> batches_;  // batches with items left to start
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace sail
