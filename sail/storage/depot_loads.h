// LOADs of parts of allocations from IBP depots, many at a time, on a Loop: a connection each,
// which is used again where a depot keeps it. Which version of the protocol a depot speaks, and
// whether it keeps connections, is learned from what it does. Thread: the loop's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "sail/base/result.h"
#include "sail/net/loop.h"
#include "sail/storage/ibp.h"

namespace sail {

// Fewer bytes in the time of a silence count as none.
constexpr size_t kLeastProgressBytes = 16 << 10;

struct LoadOutcome {
  size_t received = 0;  // bytes that are in their place, from the first one on
  // Why there are not more. Names neither file nor depot.
  std::optional<Error> error;
  IbpFault fault = IbpFault::kPasses;
};

class DepotLoads {
 public:
  // Not from within begin().
  using Done = std::function<void(const LoadOutcome&)>;
  class Load;

  // A LOAD by which nearly nothing comes for that long is given up.
  DepotLoads(Loop& loop, int64_t silence_ms);
  // Loads end before.
  ~DepotLoads();
  DepotLoads(const DepotLoads&) = delete;
  DepotLoads& operator=(const DepotLoads&) = delete;

  // The capability stays, and the bytes, of which there is at least one. Destroying the Load
  // cancels it: then `done` does not come. It stays until it is destroyed.
  std::shared_ptr<Load> begin(const IbpCapability& from, uint64_t offset, std::span<uint8_t> bytes,
                              Done done);

 private:
  struct Depots;
  std::unique_ptr<Depots> depots_;
};

}  // namespace sail
