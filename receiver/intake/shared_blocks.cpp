#include "receiver/intake/shared_blocks.h"

#include <fmt/core.h>
#include <unistd.h>

#include <utility>

namespace receiver {

sail::Result<std::unique_ptr<SharedBlocks>> SharedBlocks::listen() {
  auto listener = sail::MemoryListener::open();
  if (!listener) return std::move(listener.error());
  return std::unique_ptr<SharedBlocks>(new SharedBlocks(*std::move(listener)));
}

sail::Result<void> SharedBlocks::take(const sail::MemoryOffer& offer) {
  const auto listener = std::move(listener_);
  if (!listener) return sail::fail(sail::ErrorCode::kConflict, "memory was offered before");
  auto memory = listener->take(offer.bytes);
  if (!memory) return std::move(memory.error());
  memory_ = *std::move(memory);
  bytes_ = offer.bytes;
  return {};
}

std::optional<sail::DataError> SharedBlocks::read(std::span<const sail::BlockPlace> places,
                                                  std::span<uint8_t> out) const {
  for (size_t i = 0; i < places.size();) {
    // Adjacent blocks are mostly contiguous in the memory, too.
    const uint64_t offset = places[i].offset;
    uint64_t end = offset;
    for (; i < places.size() && places[i].offset == end; ++i) end += places[i].length;
    if (end > bytes_) {
      return sail::bad_message(fmt::format(
          "blocks at bytes {} to {} of the shared memory, which has {}", offset, end, bytes_));
    }
    for (uint64_t at = offset; at < end;) {
      const ssize_t got = pread(memory_.get(), out.data(), end - at, static_cast<off_t>(at));
      if (got <= 0) return sail::bad_message("the shared memory cannot be read");
      out = out.subspan(static_cast<size_t>(got));
      at += static_cast<uint64_t>(got);
    }
  }
  return std::nullopt;
}

}  // namespace receiver
