// LOADs of parts of allocations from IBP depots, many at a time, on an event loop. Each LOAD has
// its own connection, which is reused if the depot keeps it open. The depot's protocol version and
// whether it keeps connections are learned from its answers. Thread: the loop's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"
#include "sail/media/storage/ibp/ibp.h"

namespace sail {

// Fewer bytes within the silence timeout count as silence.
constexpr size_t kLeastProgressBytes = 16 << 10;

struct LoadOutcome {
  size_t received = 0;  // valid bytes, from the start of the destination
  // Why fewer bytes arrived. Names neither file nor depot.
  std::optional<Error> error;
  IbpFault fault = IbpFault::kPasses;
};

class DepotLoads {
 public:
  // Not called from within begin().
  using Done = std::function<void(const LoadOutcome&)>;
  class Load;

  // A LOAD fails if almost nothing (kLeastProgressBytes) arrives for silence_ms.
  DepotLoads(Loop& loop, int64_t silence_ms);
  // All loads must be destroyed before.
  ~DepotLoads();
  DepotLoads(const DepotLoads&) = delete;
  DepotLoads& operator=(const DepotLoads&) = delete;

  // `from` and `bytes` (at least one) must stay valid. Destroying the Load cancels it: `done` is
  // then not called. The object exists until destroyed.
  std::shared_ptr<Load> begin(const IbpCapability& from, uint64_t offset, std::span<uint8_t> bytes,
                              Done done);

 private:
  struct Depots;
  std::unique_ptr<Depots> depots_;
};

}  // namespace sail
