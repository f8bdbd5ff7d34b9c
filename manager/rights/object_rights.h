// The rights on objects of this wall: rules that admins set, and locks that people put on
// partitions and scenes. Kept as rights.json in the state folder. Runs on the loop thread;
// functions block on the disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "manager/rights/object_rules.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/core/text/json.h"

namespace manager {

class Partitions;

constexpr const char* kKeptRights = "rights";  // See sail/core/wire/standby.h.
constexpr size_t kMostObjectLocks = 1000;

// While a partition is locked, only its owner shows and arranges windows there; while a scene is
// locked, only its owner replaces or removes it.
struct ObjectLock {
  ObjectKind kind = ObjectKind::kPartition;  // Or kScene.
  std::string name;
  std::string owner;  // Name of the key.
  std::string who;    // Name of the client, for people.
  int64_t since_s = 0;

  WallObject object() const { return {kind, {name}}; }
};

// What the file contains: {"rules", "locks"}.
struct SavedRights {
  ObjectRules rules;
  std::vector<ObjectLock> locks;
};
sail::Json to_json(const SavedRights& saved);
sail::Result<SavedRights> saved_rights_from_json(const sail::Json& document);

class ObjectRights {
 public:
  // An empty state folder: rights are not kept.
  explicit ObjectRights(const std::filesystem::path& state_folder);

  // Says what is wrong with the file and what to do; empty: nothing is wrong. While the file is
  // damaged, only admins have rights on partitions, scenes and sources.
  const std::string& damage() const { return damage_; }
  // Whether there are no rules and no locks, so that check() always succeeds.
  bool none() const { return damage_.empty() && saved_.rules.empty() && saved_.locks.empty(); }
  // Whether check() may refuse sources.
  bool concern_sources() const {
    return !damage_.empty() || saved_.rules.are_about(ObjectKind::kSource);
  }
  sail::Json json() const { return to_json(saved_); }
  // The document for the standby; null: the file is damaged, and the standby keeps its own.
  sail::Json kept() const;
  // Called after each change.
  void watch(std::function<void()> on_changed) { on_changed_ = std::move(on_changed); }

  // Replaces the rules. kInvalidParams: all mistakes. kLimit.
  sail::Result<void> set(const sail::Json& rules);
  // kLimit.
  sail::Result<void> lock(ObjectLock lock);
  // kNotFound: it is not locked. kUnauthorized: neither its owner nor an admin asks.
  sail::Result<void> unlock(const WallObject& object, const Asker& asker);

  // kUnauthorized: see ObjectRules::check(). kConflict: another person has locked the object, which
  // concerns admins, too.
  sail::Result<void> check(const Asker& asker, Act act, const WallObject& object) const;
  // Like check(), for all partitions that the rectangle touches. Also fails without a partition if
  // the file is damaged.
  sail::Result<void> check(const Asker& asker, Act act, const Partitions& partitions,
                           const sail::Rect& rect) const;
  // The partitions in which the asker may not show anything.
  std::vector<sail::Rect> closed_to(const Asker& asker, const Partitions& partitions) const;

 private:
  // kUnauthorized: the file is damaged.
  sail::Result<void> check_damage(const Asker& asker) const;
  const ObjectLock* find(const WallObject& object) const;
  sail::Result<void> keep(SavedRights changed);

  const std::filesystem::path file_;  // Empty: none.
  SavedRights saved_;
  std::string damage_;
  std::function<void()> on_changed_;
};

}  // namespace manager
