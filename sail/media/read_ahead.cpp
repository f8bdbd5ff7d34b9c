#include "sail/media/read_ahead.h"

#include <algorithm>
#include <utility>

#include "sail/base/thread_name.h"

namespace sail {
namespace {

constexpr std::chrono::hours kUntilSomethingComes(1);

}  // namespace

ReadAhead::ReadAhead(const ByteSource& source)
    : source_(source), blocks_(2 * kInFlight), answers_(kInFlight) {}

ReadAhead::~ReadAhead() {
  for (size_t i = 0; i < threads_.size(); ++i) blocks_.push({});
  for (std::thread& thread : threads_) thread.join();
}

void ReadAhead::begin(Part& part) {
  part.unwanted = false;
  part.error.reset();
  part.waiting = 0;
  for (size_t at = 0; at < part.bytes.size(); at += kBlockBytes) {
    queued_.push_back({&part, at});
    ++part.waiting;
  }
  while (take_answer(std::chrono::nanoseconds(0))) continue;
  hand_out();
}

Result<void> ReadAhead::finish(Part& part) {
  while (!arrived(part, kUntilSomethingComes)) continue;
  if (part.error) return *std::exchange(part.error, std::nullopt);
  return {};
}

bool ReadAhead::arrived(Part& part, std::chrono::nanoseconds wait) {
  while (part.waiting > 0 && take_answer(wait)) continue;
  return part.waiting == 0;
}

void ReadAhead::cancel(Part& part) {
  part.unwanted = true;
  part.waiting -= std::erase_if(queued_, [&](const Block& block) { return block.part == &part; });
  while (!arrived(part, kUntilSomethingComes)) continue;
}

void ReadAhead::hand_out() {
  for (; in_flight_ < kInFlight && !queued_.empty(); ++in_flight_) {
    if (++with_threads_ > threads_.size()) threads_.emplace_back([this] { work(); });
    blocks_.push(queued_.front());
    queued_.pop_front();
  }
}

bool ReadAhead::take_answer(std::chrono::nanoseconds wait) {
  auto answer = answers_.pop(wait);
  if (!answer) return false;
  --in_flight_;
  hand_out();
  Part& part = *answer->block.part;
  --part.waiting;
  if (answer->read) {
    bytes_read_ += answer->block.bytes().size();
  } else if (!part.error || answer->block.at < part.failed_at) {
    part.error = std::move(answer->read.error());
    part.failed_at = answer->block.at;
  }
  return true;
}

// --- the threads ---------------------------------------------------------------------------------

void ReadAhead::work() {
  name_this_thread("film blocks");
  for (;;) {
    const auto block = blocks_.pop(kUntilSomethingComes);
    if (!block) continue;
    if (block->part == nullptr) return;
    const Part& part = *block->part;
    Result<void> read;
    if (!part.unwanted) read = source_.read(part.offset + block->at, block->bytes());
    --with_threads_;
    answers_.push({*block, std::move(read)});
  }
}

}  // namespace sail
