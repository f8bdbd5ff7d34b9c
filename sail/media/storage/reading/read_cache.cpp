#include "sail/media/storage/reading/read_cache.h"

#include <algorithm>
#include <utility>

namespace sail {
namespace {

constexpr uint64_t kBlockBytes = ParallelReader::kBlockBytes;
constexpr uint64_t kBesides = 2;  // the block in use and one before
constexpr uint64_t kLeastAhead = 1;
constexpr std::chrono::milliseconds kAskEvery(20);

}  // namespace

ReadCache::ReadCache(const ByteSource& source)
    : source_(source),
      most_ahead_(std::max<uint64_t>(source.depth().most, kBesides + kLeastAhead) - kBesides),
      all_(most_ahead_ + kBesides),
      blocks_(source) {}

ReadCache::~ReadCache() {
  for (const auto& block : all_) {
    if (block) drop(*block);
  }
}

Result<size_t> ReadCache::read(uint64_t offset, std::span<uint8_t> bytes, const GiveUp& give_up) {
  if (offset >= size_) {
    auto learned = learn_size();
    if (!learned) return learned.error();
    if (offset >= size_) return 0;
  }
  const uint64_t number = offset / kBlockBytes;
  turn_to(number);
  Block& block = *find(number);
  block.used = ++reads_;
  if (!block.there) {
    auto read = wait_for(block, give_up);
    if (!read) return read.error();
  }
  const std::span<const uint8_t> rest = block.part.bytes.subspan(offset % kBlockBytes);
  const size_t count = std::min(bytes.size(), rest.size());
  std::copy_n(rest.begin(), count, bytes.begin());
  return count;
}

bool ReadCache::has(uint64_t offset) {
  if (offset >= size_) return true;  // let read() find out whether the source has grown
  turn_to(offset / kBlockBytes);
  Block& block = *find(offset / kBlockBytes);
  return block.there || blocks_.arrived(block.part);
}

Result<void> ReadCache::learn_size() {
  const auto size = source_.size();
  if (!size) return size.error();
  // If the size changed, the last block may be too short.
  Block* const cut = *size == size_ ? nullptr : find(size_ / kBlockBytes);
  if (cut) drop(*cut);
  size_ = *size;
  return {};
}

// Requests that block and the blocks after it.
void ReadCache::turn_to(uint64_t number) {
  const bool foreseen = find(number) != nullptr;
  const bool follows = last_ != kNone && number == last_ + 1;
  if (follows) {
    ahead_ = std::min(2 * ahead_, most_ahead_);
  } else if (!foreseen) {
    ahead_ = 1;
  }
  last_ = number;
  for (const auto& block : all_) {
    if (foreseen || !block || wanted(block->number)) continue;
    if (!blocks_.arrived(block->part)) drop(*block);
  }
  for (uint64_t next = number; wanted(next) && next * kBlockBytes < size_; ++next) {
    if (!find(next)) fetch(next);
  }
}

ReadCache::Block* ReadCache::find(uint64_t number) {
  for (const auto& block : all_) {
    if (block && block->number == number) return block.get();
  }
  return nullptr;
}

void ReadCache::drop(Block& block) {
  if (!block.there) blocks_.cancel(block.part);
  block.there = false;
  block.number = kNone;
}

// Picks a free buffer, else a new one, else the least recently used: there are always more buffers
// than wanted blocks.
void ReadCache::fetch(uint64_t number) {
  const auto worth = [this](const std::unique_ptr<Block>& block) -> uint64_t {
    if (!block) return 1;
    if (block->number == kNone) return 0;
    return wanted(block->number) ? kNone : 2 + block->used;
  };
  std::unique_ptr<Block>& place = *std::ranges::min_element(all_, {}, worth);
  if (!place) place = std::make_unique<Block>();
  Block& block = *place;
  drop(block);
  // Not zeroed: the thread that reads the block touches the memory, and this one does not wait.
  if (!block.memory) block.memory = std::make_unique_for_overwrite<uint8_t[]>(kBlockBytes);
  block.number = number;
  block.used = reads_;
  block.part.offset = number * kBlockBytes;
  block.part.bytes =
      std::span(block.memory.get(), std::min(kBlockBytes, size_ - block.part.offset));
  blocks_.begin(block.part);
}

Result<void> ReadCache::wait_for(Block& block, const GiveUp& give_up) {
  if (!blocks_.arrived(block.part) && ahead_ == most_ahead_) ++waits_;
  while (!blocks_.arrived(block.part, kAskEvery)) {
    if (!give_up || !give_up()) continue;
    return fail(ErrorCode::kTimeout, source_.name() + ": reading was cancelled");
  }
  auto read = blocks_.finish(block.part);
  block.there = read.has_value();
  if (!read) block.number = kNone;  // so that the next read retries
  return read;
}

}  // namespace sail
