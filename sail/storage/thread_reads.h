// Reads of a source that makes who reads wait, such as a file: by threads, since these work on
// every kernel and every file system. They are the reader's own, so that a disk that hangs holds up
// no other film, and come as they are needed: one or two for a file in memory, as many as there are
// reads for a storage that takes its time.
#pragma once

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

#include "sail/base/mailbox.h"
#include "sail/storage/byte_source.h"

namespace sail {

class ThreadReads : public ByteReads {
 public:
  static constexpr size_t kMost = 64;  // jobs at a time

  explicit ThreadReads(const ByteSource& source);
  ~ThreadReads() override;

  void begin(Job job) override;

 private:
  void work();

  const ByteSource& source_;
  Mailbox<Job> jobs_;  // one without `done`: its thread ends
  std::atomic<size_t> under_way_{0};
  std::vector<std::thread> threads_;
};

}  // namespace sail
