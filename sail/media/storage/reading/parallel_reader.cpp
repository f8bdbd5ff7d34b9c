#include "sail/media/storage/reading/parallel_reader.h"

#include <algorithm>
#include <utility>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr double kFaster = 1.1;
constexpr size_t kRounds = 2;  // measure for this many times `limit_` blocks

constexpr std::chrono::hours kUntilSomethingComes(1);

}  // namespace

void DepthController::came(int64_t now_ns, size_t bytes, bool starved) {
  if (!starved || limit_ >= most_) {
    blocks_ = 0;
    return;
  }
  if (blocks_++ == 0) {
    since_ns_ = now_ns;
    bytes_ = 0;
    return;
  }
  bytes_ += bytes;
  if (blocks_ <= kRounds * limit_ || now_ns <= since_ns_) return;
  blocks_ = 0;
  judge(static_cast<double>(bytes_) / static_cast<double>(now_ns - since_ns_));
}

void DepthController::judge(double rate) {
  if (before_ == 0 || rate > kFaster * rate_) {
    before_ = limit_;
    rate_ = rate;
    limit_ = std::min(most_, limit_ + limit_ / 2);
    return;
  }
  limit_ = before_;
  most_ = limit_;
}

ParallelReader::ParallelReader(const ByteSource& source)
    : source_(source), most_in_flight_(source.depth()), answers_(source.depth().most) {}

ParallelReader::~ParallelReader() = default;

void ParallelReader::begin(Part& part) {
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

Result<void> ParallelReader::finish(Part& part) {
  while (!arrived(part, kUntilSomethingComes)) continue;
  if (part.error) return *std::exchange(part.error, std::nullopt);
  return {};
}

bool ParallelReader::arrived(Part& part, std::chrono::nanoseconds wait) {
  while (part.waiting > 0 && take_answer(wait)) continue;
  return part.waiting == 0;
}

void ParallelReader::cancel(Part& part) {
  part.unwanted = true;
  part.waiting -= std::erase_if(queued_, [&](const Block& block) { return block.part == &part; });
  if (part.waiting > 0) reads_->drop_unwanted();
  while (!arrived(part, kUntilSomethingComes)) continue;
}

void ParallelReader::hand_out() {
  if (!reads_) reads_ = source_.reads();
  for (; in_flight_ < most_in_flight_.limit() && !queued_.empty(); ++in_flight_) {
    const Block block = queued_.front();
    queued_.pop_front();
    reads_->begin({block.part->offset + block.at, block.bytes(), &block.part->unwanted,
                   [this, block](Result<void> read) {
                     answers_.push({block, std::move(read)});
                   }});
  }
}

bool ParallelReader::take_answer(std::chrono::nanoseconds wait) {
  auto answer = answers_.pop(wait);
  if (!answer) return false;
  most_in_flight_.came(steady_now_ns(), answer->block.bytes().size(), !queued_.empty());
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

}  // namespace sail
