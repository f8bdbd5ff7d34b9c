// Rights on partitions, scenes and sources.
#include "manager/rights/object_rights.h"

#include <fmt/core.h>

#include <ctime>

#include "manager/commands/object_gate.h"
#include "manager/commands/verbs.h"
#include "manager/desk/areas.h"
#include "manager/desk/desk.h"
#include "manager/sessions/wall_archive.h"
#include "sail/core/rpc/rpc_service.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"

namespace manager::verbs {

Answer rights(const Call& /*call*/, const ObjectRights& rights) {
  sail::Json answer = rights.json();
  if (!rights.damage().empty()) answer["damage"] = rights.damage();
  return answer;
}

Answer rights_set(const Call& call, ObjectRights& rights) {
  sail::JsonFields fields = call.fields();
  const sail::Json& rules = fields.array("rules", kMostObjectRules);
  if (auto error = fields.finish()) return *error;
  if (auto set = rights.set(rules); !set) return set.error();
  return rights.json();
}

namespace {

struct AskedLock {
  WallObject object;
  bool on = true;
};

sail::Result<AskedLock> read_lock_request(const Call& call) {
  sail::JsonFields fields = call.fields();
  AskedLock asked;
  const bool is_scene = fields.has("scene");
  if (is_scene == fields.has("partition")) {
    fields.mistake("partition", "or 'scene' must be given, only one");
  }
  asked.object.kind = is_scene ? ObjectKind::kScene : ObjectKind::kPartition;
  const char* kind = kObjectKinds.word(asked.object.kind);
  asked.object.names = {fields.string(kind, sail::kMaxNameLength)};
  if (asked.object.names.front().empty()) fields.mistake(kind, "must not be empty");
  asked.on = fields.boolean_or("on", true);
  if (auto error = fields.finish()) return *error;
  return asked;
}

sail::Result<void> check_exists(const WallObject& object, const Desk& desk,
                                const WallArchive& archive) {
  const std::string& name = object.names.front();
  if (object.kind == ObjectKind::kPartition) {
    return partition_area(desk.arrangement().partitions(), name).map([](const auto& /*rect*/) {});
  }
  if (archive.saved(SavedKind::kSession).all().contains(name)) return {};
  return sail::fail(sail::ErrorCode::kNotFound, fmt::format("no session '{}' is saved", name));
}

}  // namespace

Answer rights_lock(const Call& call, const Desk& desk, const WallArchive& archive,
                   ObjectRights& rights) {
  const auto asked = read_lock_request(call);
  if (!asked) return asked.error();
  const WallObject& object = asked->object;
  sail::Result<void> done;
  if (asked->on) {
    done = check_exists(object, desk, archive).and_then([&] {
      return rights.lock({.kind = object.kind,
                          .name = object.names.front(),
                          .owner = call.peer.key_name(),
                          .who = sail::make_plain_text(call.peer.name(), sail::kMaxTitleLength),
                          .since_s = std::time(nullptr)});
    });
  } else {
    done = rights.unlock(object, asker_of(call.peer));
  }
  if (!done) return done.error();
  return rights.json();
}

}  // namespace manager::verbs
