// Random access to the bytes of a media file. The interface between media readers and the storage
// back ends.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sail/core/base/mailbox.h"
#include "sail/core/base/result.h"

namespace sail {

// Statistics of reading ahead, since the reader was created.
struct ReadFigures {
  uint64_t bytes = 0;
  uint64_t waits =
      0;  // times the reader had to wait although the block was requested as early as possible
  uint64_t retries = 0;  // requests that failed and were repeated
};

// Polled while a caller waits. Returning true aborts the wait.
using GiveUp = std::function<bool()>;

// Asynchronous reads, many in flight at a time. Called from one thread.
class ByteReads {
 public:
  struct Job {
    uint64_t offset = 0;
    std::span<uint8_t> bytes;                     // must stay valid until `done` is called
    const std::atomic<bool>* unwanted = nullptr;  // the read may be skipped once this is true
    // Called once, from any thread. If the read was unwanted, the contents of `bytes` are
    // undefined.
    std::function<void(Result<void>)> done;
  };

  ByteReads() = default;
  ByteReads(const ByteReads&) = delete;
  ByteReads& operator=(const ByteReads&) = delete;
  // All jobs have completed before the destructor runs. No callback runs after it returns.
  virtual ~ByteReads() = default;

  virtual void begin(Job job) = 0;
  // Call this after setting `unwanted` of jobs: they then complete soon.
  virtual void drop_unwanted() {}
  // Requests that failed and were repeated.
  virtual uint64_t retries() const { return 0; }
};

// Waits for the answer. Returns false if give_up returned true first.
template <typename T>
bool wait_unless_given_up(const std::future<T>& answer, const GiveUp& give_up) {
  constexpr std::chrono::milliseconds kAskOften(20);
  if (!give_up) answer.wait();
  while (answer.wait_for(kAskOften) != std::future_status::ready) {
    if (give_up()) return false;
  }
  return true;
}

// Performs one read and waits for it. Reads is ByteReads or a class with the same begin() and
// drop_unwanted(). kTimeout: give_up returned true.
template <typename Reads>
Result<void> read_and_wait(Reads& reads, uint64_t offset, std::span<uint8_t> bytes,
                           const GiveUp& give_up = {}) {
  std::atomic<bool> unwanted{false};
  // Shared, because set_value() may still be running in the other thread when the waiter continues.
  const auto done = std::make_shared<std::promise<Result<void>>>();
  auto answer = done->get_future();
  reads.begin(ByteReads::Job{offset, bytes, &unwanted,
                             [done](Result<void> read) { done->set_value(std::move(read)); }});
  if (wait_unless_given_up(answer, give_up)) return answer.get();
  unwanted = true;
  reads.drop_unwanted();
  answer.wait();
  return fail(ErrorCode::kTimeout, "given up");
}

class ByteSource {
 public:
  // Reads in flight: `begin` keeps a source busy, `most` is the limit when more are tried.
  struct Depth {
    size_t begin = 16;
    size_t most = 16;
  };

  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  virtual const std::string& name() const = 0;
  virtual Result<uint64_t> size() const = 0;
  // Fills all of `bytes`; kBadData if the source ends before. Errors name the source and the
  // offset. Thread-safe.
  virtual Result<void> read(uint64_t offset, std::span<uint8_t> bytes) const = 0;

  // For callers with many reads in flight. The source must outlive the returned object. By default,
  // a pool of threads that call read().
  virtual std::unique_ptr<ByteReads> reads() const;
  virtual Depth depth() const { return {}; }
};

// Asynchronous reads of a source whose read() blocks, such as a file. Threads are used because they
// work on every kernel and file system. Each reader has its own, so that a hanging disk does not
// block other films. A thread is added whenever more jobs are in flight than threads exist: one or
// two for a cached file, more for slow storage.
class ThreadReads : public ByteReads {
 public:
  static constexpr size_t kMost = 64;  // jobs in flight

  explicit ThreadReads(const ByteSource& source);
  ~ThreadReads() override;

  void begin(Job job) override;

 private:
  void work();

  const ByteSource& source_;
  Mailbox<Job> jobs_;  // a job without `done` ends its thread
  std::atomic<size_t> under_way_{0};
  std::vector<std::thread> threads_;
};

}  // namespace sail
