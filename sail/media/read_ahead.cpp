#include "sail/media/read_ahead.h"

#include <algorithm>
#include <utility>

#include "sail/base/thread_name.h"

namespace sail {
namespace {

constexpr std::chrono::hours kUntilSomethingComes(1);

}  // namespace

ReadAhead::ReadAhead(const ByteSource& source)
    : source_(source), blocks_(kInFlight + kThreads), answers_(kInFlight) {
  for (int i = 0; i < kThreads; ++i) threads_.emplace_back([this] { work(); });
}

ReadAhead::~ReadAhead() {
  for (int i = 0; i < kThreads; ++i) blocks_.push({});
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
  hand_out();
}

Result<void> ReadAhead::finish(Part& part) {
  while (part.waiting > 0) take_answer();
  if (part.error) return *std::exchange(part.error, std::nullopt);
  return {};
}

void ReadAhead::cancel(Part& part) {
  part.unwanted = true;
  part.waiting -= std::erase_if(queued_, [&](const Block& block) { return block.part == &part; });
  while (part.waiting > 0) take_answer();
}

void ReadAhead::hand_out() {
  for (; in_flight_ < kInFlight && !queued_.empty(); ++in_flight_) {
    blocks_.push(queued_.front());
    queued_.pop_front();
  }
}

void ReadAhead::take_answer() {
  auto answer = answers_.pop(kUntilSomethingComes);
  if (!answer) return;
  --in_flight_;
  hand_out();
  Part& part = *answer->block.part;
  --part.waiting;
  const bool first = !part.error || answer->block.at < part.failed_at;
  if (answer->read || !first) return;
  part.error = std::move(answer->read.error());
  part.failed_at = answer->block.at;
}

// --- the threads ---------------------------------------------------------------------------------

void ReadAhead::work() {
  name_this_thread("film blocks");
  for (;;) {
    const auto block = blocks_.pop(kUntilSomethingComes);
    if (!block) continue;
    if (block->part == nullptr) return;
    answers_.push({*block, read(*block)});
  }
}

Result<void> ReadAhead::read(const Block& block) const {
  const Part& part = *block.part;
  if (part.unwanted) return {};
  const size_t bytes = std::min(kBlockBytes, part.bytes.size() - block.at);
  return source_.read(part.offset + block.at, part.bytes.subspan(block.at, bytes));
}

}  // namespace sail
