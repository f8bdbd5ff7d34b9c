// The snapshots that the manager has announced: each waits for its pictures, and for whoever brings
// its secret, once. Loop thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "receiver/snapshot_session.h"
#include "receiver/tile_copy.h"
#include "sail/base/log.h"
#include "sail/net/loop.h"
#include "sail/net/tcp.h"

namespace receiver {

class Snapshots {
 public:
  Snapshots(sail::Loop& loop, const sail::Log& log) : loop_(loop), log_(log), expiry_(loop) {}

  // The number by which send() names it. Nothing when there are too many at a time.
  std::optional<uint64_t> permit(uint64_t secret);
  // That anybody with this secret is yet to have.
  std::optional<uint64_t> find(uint64_t secret) const;
  // Only of what find() has found: it goes there.
  void grant(uint64_t snapshot, std::unique_ptr<sail::TcpConnection> connection);
  void send(uint64_t snapshot, std::vector<TileCopy> pictures);
  // Tells all peers.
  void shut_down();

 private:
  struct Snapshot {
    uint64_t secret = 0;
    int64_t until_ns = 0;                           // steady: then nobody will ask any more
    std::optional<std::vector<TileCopy>> pictures;  // taken, and not asked for yet
    std::unique_ptr<SnapshotSession> session;       // null until asked for
  };
  void forget_unasked();

  sail::Loop& loop_;
  const sail::Log& log_;
  std::map<uint64_t, Snapshot> snapshots_;
  uint64_t next_id_ = 1;
  sail::Timer expiry_;
};

}  // namespace receiver
