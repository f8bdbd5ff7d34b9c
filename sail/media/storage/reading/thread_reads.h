// Asynchronous reads of a source whose read() blocks, such as a file. Threads are used because they
// work on every kernel and file system. Each reader has its own, so that a hanging disk does not
// block other films. A thread is added whenever more jobs are in flight than threads exist: one or
// two for a cached file, more for slow storage.
#pragma once

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

#include "sail/core/base/mailbox.h"
#include "sail/media/storage/reading/byte_source.h"

namespace sail {

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
