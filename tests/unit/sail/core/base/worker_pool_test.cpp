#include "sail/core/base/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <thread>
#include <vector>

namespace sail {
namespace {

// Counts the runs of each item.
std::vector<int> run(WorkerPool& pool, size_t count) {
  std::vector<std::atomic<int>> times(count);
  pool.for_each(count, [&](size_t item) { ++times[item]; });
  return {times.begin(), times.end()};
}

class WorkerPoolTest : public testing::TestWithParam<int> {};

TEST_P(WorkerPoolTest, RunsEachItemOnce) {
  WorkerPool pool(GetParam());
  EXPECT_EQ(pool.threads(), GetParam());
  for (const size_t count : {0u, 1u, 2u, 3u, 17u, 1000u}) {
    EXPECT_EQ(run(pool, count), std::vector<int>(count, 1)) << count;
  }
}

TEST_P(WorkerPoolTest, CallsOverlap) {
  WorkerPool pool(GetParam());
  std::vector<std::thread> callers;
  std::atomic<int> right = 0;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&] {
      for (size_t count = 1; count <= 100; ++count) {
        right += run(pool, count) == std::vector<int>(count, 1) ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : callers) thread.join();
  EXPECT_EQ(right, 400);
}

TEST_P(WorkerPoolTest, TheCallSeesWhatItsItemsWrote) {
  WorkerPool pool(GetParam());
  for (int round = 0; round < 50; ++round) {
    std::vector<size_t> squares(100);  // not atomic: for_each orders the writes before it returns
    pool.for_each(squares.size(), [&](size_t item) { squares[item] = item * item; });
    for (size_t i = 0; i < squares.size(); ++i) ASSERT_EQ(squares[i], i * i);
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, WorkerPoolTest, testing::Values(0, 1, 3));

TEST(WorkerPool, WithoutThreadsTheCallerDoesTheWorkInOrder) {
  WorkerPool pool(0);
  const auto caller = std::this_thread::get_id();
  std::vector<size_t> order;
  pool.for_each(5, [&](size_t item) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    order.push_back(item);
  });
  EXPECT_EQ(order, (std::vector<size_t>{0, 1, 2, 3, 4}));
}

// Each item waits until all run at once: hangs with fewer than two workers beside the caller.
TEST(WorkerPool, ItemsRunOnTheWorkersAndTheCaller) {
  WorkerPool pool(2);
  std::latch all_run(3);
  pool.for_each(3, [&](size_t) { all_run.arrive_and_wait(); });
}

// A long call of one thread does not delay the call of another.
TEST(WorkerPool, ACallIsNotHeldUpByAnother) {
  WorkerPool pool(1);
  std::latch started(2);
  std::latch may_end(1);
  std::thread other([&] {
    pool.for_each(2, [&](size_t) {
      started.count_down();
      may_end.wait();
    });
  });
  started.wait();  // now the worker and the other caller are blocked
  EXPECT_EQ(run(pool, 10), std::vector<int>(10, 1));
  may_end.count_down();
  other.join();
}

TEST(WorkerPool, DefaultLeavesACoreForTheCaller) {
  EXPECT_GE(WorkerPool::default_threads(), 0);
  EXPECT_LE(WorkerPool::default_threads(), 15);
}

}  // namespace
}  // namespace sail
