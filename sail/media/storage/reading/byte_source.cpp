#include "sail/media/storage/reading/byte_source.h"

#include <chrono>
#include <utility>

#include "sail/core/base/environment.h"

namespace sail {
namespace {

constexpr std::chrono::hours kUntilAJobComes(1);

}  // namespace

std::unique_ptr<ByteReads> ByteSource::reads() const {
  return std::make_unique<ThreadReads>(*this);
}

ThreadReads::ThreadReads(const ByteSource& source) : source_(source), jobs_(2 * kMost) {}

ThreadReads::~ThreadReads() {
  for (size_t i = 0; i < threads_.size(); ++i) jobs_.push({});
  for (std::thread& thread : threads_) thread.join();
}

void ThreadReads::begin(Job job) {
  if (++under_way_ > threads_.size()) threads_.emplace_back([this] { work(); });
  jobs_.push(std::move(job));
}

void ThreadReads::work() {
  name_this_thread("film blocks");
  for (;;) {
    const auto job = jobs_.pop(kUntilAJobComes);
    if (!job) continue;
    if (!job->done) return;
    Result<void> read;
    if (!job->unwanted || !*job->unwanted) read = source_.read(job->offset, job->bytes);
    --under_way_;
    job->done(std::move(read));
  }
}

}  // namespace sail
