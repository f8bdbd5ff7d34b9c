#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "manager/secrets.h"
#include "manager/state_json.h"
#include "sail/base/clock.h"

namespace manager::commands {

Answer snapshot(const Caller& caller, const sail::Json& params) {
  // Time enough for every receiver to hear of it.
  constexpr int64_t kAheadNs = 100'000'000;
  if (auto checked = no_arguments(params, "snapshot"); !checked) {
    return tl::make_unexpected(checked.error());
  }
  FsManager& manager = caller.manager;
  sail::Json receivers = sail::Json::array();
  for (const ReceiverEntry& receiver : manager.receivers().all()) {
    if (!receiver.connected()) continue;
    sail::Json tiles = sail::Json::array();
    for (const sail::Tile& tile : manager.wall().tiles) {
      if (tile.receiver == receiver.name) tiles.push_back(tile.name);
    }
    receivers.push_back({{"name", receiver.name},
                         {"host", receiver.address},
                         {"port", receiver.data_port},
                         {"tiles", std::move(tiles)}});
  }
  if (receivers.empty()) {
    return sail::fail(sail::ErrorCode::kUnavailable,
                      "no receiver is connected, so there is nothing to see: start one "
                      "(`vitrail-receiver`), see `vitrail ls`");
  }
  const sail::Json instant = {{"secret", sail::hex64_text(random_secret())},
                              {"at_ns", sail::steady_now_ns() + kAheadNs}};
  manager.notify_receivers("snapshot", instant);
  sail::Json reply = instant;
  reply["receivers"] = std::move(receivers);
  reply["wall"] = wall_object(manager.wall());
  return reply;
}

}  // namespace manager::commands
