// The snapshots that the manager has announced. Each waits for its pictures and for the peer that
// presents its secret; each is delivered once. Loop thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "receiver/frame/canvas.h"
#include "receiver/snapshot/snapshot_session.h"
#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/socket/tcp.h"

namespace receiver {

class Snapshots {
 public:
  Snapshots(sail::Loop& loop, const sail::Log& log) : loop_(loop), log_(log), expiry_(loop) {}

  // Announces a snapshot. Returns its id for send(); empty optional: too many snapshots are open.
  std::optional<uint64_t> permit(uint64_t secret);
  // Returns the snapshot with this secret that was not requested yet.
  std::optional<uint64_t> find(uint64_t secret) const;
  // Sends the pictures to this connection. `snapshot` must come from find().
  void grant(uint64_t snapshot, std::unique_ptr<sail::TcpConnection> connection);
  void send(uint64_t snapshot, std::vector<TileImage> pictures);
  // Closes all connections and notifies the peers.
  void shut_down();

 private:
  struct Snapshot {
    uint64_t secret = 0;
    int64_t until_ns = 0;  // steady; the snapshot expires then if nobody requested it
    std::optional<std::vector<TileImage>> pictures;  // taken, but not requested yet
    std::unique_ptr<SnapshotSession> session;        // null until requested
  };
  void remove_expired();

  sail::Loop& loop_;
  const sail::Log& log_;
  std::map<uint64_t, Snapshot> snapshots_;
  uint64_t next_id_ = 1;
  sail::Timer expiry_;
};

}  // namespace receiver
