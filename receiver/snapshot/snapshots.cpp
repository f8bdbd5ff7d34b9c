#include "receiver/snapshot/snapshots.h"

#include <algorithm>
#include <utility>

#include "sail/core/text/limits.h"
#include "sail/core/time/clock.h"

namespace receiver {
namespace {

constexpr size_t kMaxSnapshots = 8;
constexpr int64_t kRequestTimeoutMs = int64_t{sail::kDataOpenTimeoutMs} * 2;

}  // namespace

std::optional<uint64_t> Snapshots::permit(uint64_t secret) {
  remove_expired();
  if (snapshots_.size() == kMaxSnapshots) {
    log_.warning("too many snapshots at a time: one was refused");
    return std::nullopt;
  }
  const uint64_t id = next_id_++;
  snapshots_[id] = {.secret = secret,
                    .until_ns = sail::steady_now_ns() + kRequestTimeoutMs * 1'000'000,
                    .pictures = {},
                    .session = {}};
  expiry_.start(kRequestTimeoutMs + 1, 0, [this] { remove_expired(); });
  return id;
}

std::optional<uint64_t> Snapshots::find(uint64_t secret) const {
  const auto it = std::find_if(snapshots_.begin(), snapshots_.end(), [&](const auto& entry) {
    return !entry.second.session && entry.second.secret == secret;
  });
  return it == snapshots_.end() ? std::nullopt : std::optional(it->first);
}

void Snapshots::grant(uint64_t id, std::unique_ptr<sail::TcpConnection> connection) {
  Snapshot& snapshot = snapshots_.at(id);
  snapshot.session = std::make_unique<SnapshotSession>(loop_, std::move(connection),
                                                       [this, id] { snapshots_.erase(id); });
  if (snapshot.pictures) snapshot.session->send(*std::exchange(snapshot.pictures, std::nullopt));
}

void Snapshots::send(uint64_t id, std::vector<TileImage> pictures) {
  const auto it = snapshots_.find(id);
  if (it == snapshots_.end()) return;
  if (it->second.session) {
    it->second.session->send(std::move(pictures));
  } else {
    it->second.pictures = std::move(pictures);
  }
}

void Snapshots::remove_expired() {
  const int64_t now_ns = sail::steady_now_ns();
  std::erase_if(snapshots_, [&](const auto& entry) {
    return !entry.second.session && entry.second.until_ns <= now_ns;
  });
}

void Snapshots::shut_down() {
  for (auto& [id, snapshot] : snapshots_) {
    if (snapshot.session) {
      snapshot.session->close(sail::CloseReason::kShutdown, "the receiver is shutting down");
    }
  }
  snapshots_.clear();
}

}  // namespace receiver
