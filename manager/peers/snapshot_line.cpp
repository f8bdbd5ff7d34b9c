#include "manager/peers/snapshot_line.h"

#include <fmt/core.h>

#include <algorithm>

namespace manager {

sail::Result<void> SnapshotLine::stand(uint64_t client, std::function<void()> begin) {
  const bool stands = std::any_of(line_.begin(), line_.end(),
                                  [client](const auto& one) { return one.first == client; });
  if (stands) {
    return sail::fail(sail::ErrorCode::kLimit,
                      "your previous snapshot is still waiting: try again after its answer");
  }
  if (line_.size() >= kLongest) {
    return sail::fail(
        sail::ErrorCode::kLimit,
        fmt::format("{} snapshots are already waiting: try again later", line_.size()));
  }
  line_.emplace_back(client, std::move(begin));
  if (!busy_) serve();
  return {};
}

void SnapshotLine::client_left(uint64_t client) {
  std::erase_if(line_, [client](const auto& one) { return one.first == client; });
}

void SnapshotLine::serve() {
  busy_ = !line_.empty();
  if (!busy_) return;
  const auto begin = std::move(line_.front().second);
  line_.pop_front();
  next_.start(kEveryMs, 0, [this] { serve(); });
  begin();
}

}  // namespace manager
