// Blocks in memory of a sender on this host. Reading copies them, by a system call: no access can
// fault, and the copy stays as it is even if the sender continues to write. Loop thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "sail/core/base/descriptor.h"
#include "sail/core/base/result.h"
#include "sail/core/socket/memory_handover.h"
#include "sail/core/wire/data/data_messages.h"

namespace receiver {

class SharedBlocks {
 public:
  // Listens for the sender's memory. Fails with kIo.
  static sail::Result<std::unique_ptr<SharedBlocks>> listen();

  // Call it before take().
  const sail::MemoryName& name() const { return listener_->name(); }
  // The sender says that it has handed over its memory. Only the first offer can succeed. Fails
  // with a sentence for the sender.
  sail::Result<void> take(const sail::MemoryOffer& offer);
  // Copies the blocks one after another into `out`, which is as long as all of them.
  std::optional<sail::DataError> read(std::span<const sail::BlockPlace> places,
                                      std::span<uint8_t> out) const;

 private:
  explicit SharedBlocks(std::unique_ptr<sail::MemoryListener> listener)
      : listener_(std::move(listener)) {}

  std::unique_ptr<sail::MemoryListener> listener_;  // null after the first offer
  sail::Descriptor memory_{-1};
  uint64_t bytes_ = 0;  // of the memory
};

}  // namespace receiver
