#include "manager/transaction.h"

#include <utility>

#include "sail/wire/limits.h"

namespace manager {

Transaction::Transaction(uint64_t epoch, std::set<uint32_t> streams, int64_t started_ns)
    : epoch_(epoch),
      waiting_(std::move(streams)),
      deadline_ns_(started_ns + int64_t{sail::kTransactionTimeoutMs} * 1'000'000) {}

}  // namespace manager
