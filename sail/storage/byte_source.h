// Bytes that can be read at any place: what stands between those who read media and where media is
// kept.
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
#include <utility>

#include "sail/base/result.h"

namespace sail {

// What was read ahead of somebody so far.
struct ReadFigures {
  uint64_t bytes = 0;
  uint64_t waits = 0;    // for what had been asked for as early as could be
  uint64_t retries = 0;  // requests that failed and were made again
};

// Asked again and again while nothing comes; true makes who waits give up.
using GiveUp = std::function<bool()>;

// Reads under way, many at a time. One thread calls.
class ByteReads {
 public:
  struct Job {
    uint64_t offset = 0;
    std::span<uint8_t> bytes;                     // stay where they are until `done`
    const std::atomic<bool>* unwanted = nullptr;  // as soon as that holds it need not be read
    // Once, in any thread. When it is unwanted the bytes may be anything.
    std::function<void(Result<void>)> done;
  };

  ByteReads() = default;
  ByteReads(const ByteReads&) = delete;
  ByteReads& operator=(const ByteReads&) = delete;
  // Every job is done. Afterwards nothing calls back any more.
  virtual ~ByteReads() = default;

  virtual void begin(Job job) = 0;
  // To be called when jobs have become unwanted: then they are done soon.
  virtual void drop_unwanted() {}
  // Requests that failed and were made again.
  virtual uint64_t retries() const { return 0; }
};

// Waits until it has come. False: somebody gave up before.
template <typename T>
bool wait_unless_given_up(const std::future<T>& answer, const GiveUp& give_up) {
  constexpr std::chrono::milliseconds kAskOften(20);
  if (!give_up) answer.wait();
  while (answer.wait_for(kAskOften) != std::future_status::ready) {
    if (give_up()) return false;
  }
  return true;
}

// One read, waited for, by ByteReads or what has their begin() and drop_unwanted(). kTimeout: given
// up.
template <typename Reads>
Result<void> read_and_wait(Reads& reads, uint64_t offset, std::span<uint8_t> bytes,
                           const GiveUp& give_up = {}) {
  std::atomic<bool> unwanted{false};
  // Shared: who tells is not done with it yet when who waits goes on.
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
  // Reads under way at a time that a source is kept busy by, and where more are tried.
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
  // All of `bytes`; a source that ends before is kBadData. Errors name the source and the place.
  // Any number of threads at a time.
  virtual Result<void> read(uint64_t offset, std::span<uint8_t> bytes) const = 0;

  // For who reads many places at a time. The source outlives it. Usually threads that read().
  virtual std::unique_ptr<ByteReads> reads() const;
  virtual Depth depth() const { return {}; }
};

}  // namespace sail
