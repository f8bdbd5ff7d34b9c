#include "manager/rights/object_rights.h"

#include <fmt/core.h>

#include <algorithm>

#include "manager/wall/partitions.h"
#include "sail/core/base/private_file.h"
#include "sail/core/text/limits.h"

namespace manager {
namespace {

constexpr size_t kMostRightsBytes = 4 << 20;
constexpr size_t kMostRulesBytes = 512 << 10;  // With all locks they fit into one control line.

sail::Json lock_json(const ObjectLock& lock) {
  return {{kObjectKinds.word(lock.kind), lock.name},
          {"owner", lock.owner},
          {"who", lock.who},
          {"since_s", lock.since_s}};
}

sail::Result<ObjectLock> read_lock(const sail::Json& value, const std::string& where) {
  sail::JsonFields fields(value, where);
  ObjectLock lock;
  lock.kind = fields.has("scene") ? ObjectKind::kScene : ObjectKind::kPartition;
  lock.name = fields.string(kObjectKinds.word(lock.kind), sail::kMaxNameLength);
  lock.owner = fields.string("owner", sail::kMaxKeyName);
  lock.who = fields.string("who", sail::kMaxTitleLength);
  lock.since_s = fields.integer("since_s", 0, int64_t{sail::kMaxCounter});
  if (auto error = fields.finish()) return *error;
  return lock;
}

sail::Result<SavedRights> load_rights(const std::filesystem::path& file) {
  return sail::read_file(file, kMostRightsBytes)
      .and_then([](const std::string& text) { return sail::parse_json(text, kMostRightsBytes); })
      .and_then(saved_rights_from_json);
}

bool is_locked_for(const ObjectLock& lock, Act act) {
  if (lock.kind == ObjectKind::kScene) return act == Act::kArrange;
  return act == Act::kArrange || act == Act::kDisplay;
}

}  // namespace

sail::Json to_json(const SavedRights& saved) {
  sail::Json locks = sail::Json::array();
  for (const ObjectLock& lock : saved.locks) locks.push_back(lock_json(lock));
  return {{"rules", saved.rules.json()}, {"locks", std::move(locks)}};
}

sail::Result<SavedRights> saved_rights_from_json(const sail::Json& document) {
  sail::JsonFields fields(document, kKeptRights);
  SavedRights saved;
  auto rules = ObjectRules::read(fields.array("rules", kMostObjectRules));
  const sail::Json& locks = fields.array("locks", kMostObjectLocks);
  if (auto error = fields.finish()) return *error;
  if (!rules) return rules.error();
  saved.rules = std::move(*rules);
  for (size_t i = 0; i < locks.size(); ++i) {
    auto lock = read_lock(locks[i], fmt::format("locks[{}]", i));
    if (!lock) return lock.error();
    saved.locks.push_back(std::move(*lock));
  }
  return saved;
}

ObjectRights::ObjectRights(const std::filesystem::path& state_folder)
    : file_(state_folder.empty() ? "" : state_folder / "rights.json") {
  if (file_.empty()) return;
  auto saved = load_rights(file_);
  if (saved) {
    saved_ = std::move(*saved);
  } else if (saved.error().code != sail::ErrorCode::kNotFound) {
    damage_ = fmt::format(
        "{} is damaged ({}): until an admin sets the rights again (`vitrail rights set FILE`), "
        "only admins have rights on partitions, scenes and sources",
        file_.string(), saved.error().message);
  }
}

sail::Json ObjectRights::kept() const {
  if (!damage_.empty()) return nullptr;
  return {{kKeptRights, json()}};
}

sail::Result<void> ObjectRights::keep(SavedRights changed) {
  if (!file_.empty()) {
    auto kept = sail::make_private_folder(file_.parent_path()).and_then([&] {
      return sail::write_private_file(file_, to_json(changed).dump(1) + '\n');
    });
    if (!kept) return kept;
  }
  saved_ = std::move(changed);
  damage_.clear();
  if (on_changed_) on_changed_();
  return {};
}

sail::Result<void> ObjectRights::set(const sail::Json& rules) {
  auto read = ObjectRules::read(rules);
  if (!read) return read.error();
  if (rules.dump().size() > kMostRulesBytes) {
    return sail::fail(sail::ErrorCode::kLimit,
                      fmt::format("the rules have more than {} bytes", kMostRulesBytes));
  }
  return keep({std::move(*read), saved_.locks});
}

sail::Result<void> ObjectRights::lock(ObjectLock lock) {
  if (!damage_.empty()) return sail::fail(sail::ErrorCode::kConflict, damage_);
  if (find(lock.object()) != nullptr) return {};
  if (saved_.locks.size() >= kMostObjectLocks) {
    return sail::fail(sail::ErrorCode::kLimit,
                      fmt::format("{} partitions and scenes are locked, the maximum: unlock some",
                                  kMostObjectLocks));
  }
  SavedRights changed = saved_;
  changed.locks.push_back(std::move(lock));
  return keep(std::move(changed));
}

sail::Result<void> ObjectRights::unlock(const WallObject& object, const Asker& asker) {
  const ObjectLock* lock = find(object);
  if (lock == nullptr) {
    return sail::fail(sail::ErrorCode::kNotFound,
                      fmt::format("the {} is not locked", object.text()));
  }
  if (!asker.admin && lock->owner != asker.key) {
    return sail::fail(sail::ErrorCode::kUnauthorized,
                      fmt::format("the {} is locked by '{}' (key '{}'): only its owner or an admin "
                                  "can unlock it",
                                  object.text(), lock->who, lock->owner));
  }
  SavedRights changed = saved_;
  changed.locks.erase(changed.locks.begin() + (lock - saved_.locks.data()));
  return keep(std::move(changed));
}

const ObjectLock* ObjectRights::find(const WallObject& object) const {
  const auto found = std::ranges::find_if(saved_.locks, [&](const ObjectLock& lock) {
    return lock.kind == object.kind && lock.name == object.names.front();
  });
  return found == saved_.locks.end() ? nullptr : &*found;
}

sail::Result<void> ObjectRights::check_damage(const Asker& asker) const {
  if (damage_.empty() || asker.admin) return {};
  return sail::fail(sail::ErrorCode::kUnauthorized,
                    "only admins may do this now: the manager's file of rights (rights.json) is "
                    "damaged");
}

sail::Result<void> ObjectRights::check(const Asker& asker, Act act,
                                       const WallObject& object) const {
  if (auto good = check_damage(asker); !good) return good;
  if (auto admitted = saved_.rules.check(asker, act, object); !admitted) return admitted;
  const ObjectLock* lock = find(object);
  if (lock == nullptr || !is_locked_for(*lock, act) || lock->owner == asker.key) return {};
  return sail::fail(sail::ErrorCode::kConflict,
                    fmt::format("the {} is locked by '{}' (key '{}'): its owner or an admin can "
                                "unlock it (`vitrail rights unlock`)",
                                object.text(), lock->who, lock->owner));
}

sail::Result<void> ObjectRights::check(const Asker& asker, Act act, const Partitions& partitions,
                                       const sail::Rect& rect) const {
  if (none()) return {};
  if (auto good = check_damage(asker); !good) return good;
  for (const Partition& partition : partitions.all()) {
    if (sail::intersect(partition.rect, rect).empty()) continue;
    const WallObject object{ObjectKind::kPartition, {partition.name}};
    if (auto may = check(asker, act, object); !may) return may;
  }
  return {};
}

std::vector<sail::Rect> ObjectRights::closed_to(const Asker& asker,
                                                const Partitions& partitions) const {
  std::vector<sail::Rect> closed;
  if (none()) return closed;
  for (const Partition& partition : partitions.all()) {
    if (!check(asker, Act::kDisplay, {ObjectKind::kPartition, {partition.name}})) {
      closed.push_back(partition.rect);
    }
  }
  return closed;
}

}  // namespace manager
