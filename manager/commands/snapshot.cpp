#include <memory>

#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "manager/session.h"
#include "manager/state_json.h"
#include "sail/base/clock.h"
#include "sail/base/token.h"
#include "sail/wire/control_messages.h"

namespace manager::verbs {
namespace {

// Time enough for every receiver to hear of it.
constexpr int64_t kAheadNs = 100'000'000;
constexpr int64_t kPatienceMs = 1000;

// Answers the client when the last receiver has answered, with those that will give pictures.
struct Gathering {
  sail::Json answer;
  sail::Json receivers = sail::Json::array();
  size_t waits_for = 0;
  Reply reply;

  void heard() {
    if (--waits_for > 0) return;
    if (receivers.empty()) {
      reply(sail::fail(sail::ErrorCode::kTimeout,
                       "no receiver is ready to give a picture: see `vitrail ls`"));
      return;
    }
    answer["receivers"] = std::move(receivers);
    reply(std::move(answer));
  }
};

sail::Json receiver_with_tiles(const sail::Wall& wall, const ReceiverEntry& receiver) {
  sail::Json tiles = sail::Json::array();
  for (const sail::Tile& tile : wall.tiles) {
    if (tile.receiver == receiver.name) tiles.push_back(tile.name);
  }
  return {{"name", receiver.name},
          {"host", receiver.address},
          {"port", receiver.data_port},
          {"tiles", std::move(tiles)}};
}

void take(FsManager& manager, const Reply& reply) {
  const sail::Json permit = to_json(sail::SnapshotPermit{
      .secret = sail::random_secret(), .at_ns = sail::steady_now_ns() + kAheadNs});
  const auto gathering = std::make_shared<Gathering>();
  gathering->answer = permit;
  gathering->answer["wall"] = wall_object(manager.wall());
  gathering->reply = reply;
  for (const ReceiverEntry& receiver : manager.receivers().all()) {
    if (!receiver.connected()) continue;
    ++gathering->waits_for;
    manager.peer_of(receiver).call(
        "snapshot", permit,
        [gathering, entry = receiver_with_tiles(manager.wall(), receiver)](const Answer& answer) {
          if (answer) gathering->receivers.push_back(entry);
          gathering->heard();
        },
        kPatienceMs);
  }
  if (gathering->waits_for > 0) return;
  reply(sail::fail(sail::ErrorCode::kUnavailable,
                   "no receiver is connected, so there is nothing to see: start one "
                   "(`vitrail-receiver`), see `vitrail ls`"));
}

}  // namespace

void snapshot(const Caller& caller, const sail::Json& params, const Reply& reply) {
  if (auto checked = no_arguments(params, "snapshot"); !checked) {
    reply(checked.error());
    return;
  }
  const auto stands = caller.manager.snapshots().stand(
      caller.session.id(), [&manager = caller.manager, reply] { take(manager, reply); });
  if (!stands) reply(stands.error());
}

}  // namespace manager::verbs
