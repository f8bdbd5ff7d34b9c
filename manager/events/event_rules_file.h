// The event rules of this manager: those of --events, or those that people set, which are kept as
// events.json in the state folder. Runs on the loop thread; functions block on the disk.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "sail/core/base/result.h"
#include "sail/core/text/json.h"
#include "sail/core/wall/event_rules.h"

namespace manager {

class EventRulesFile {
 public:
  // given: the rules of --events. An empty state folder: rules are not kept.
  EventRulesFile(std::optional<sail::EventRules> given, const std::filesystem::path& state_folder);

  const sail::EventRules& rules() const { return rules_; }
  // Says what is wrong with the file and what to do; empty: nothing is wrong.
  const std::string& damage() const { return damage_; }
  // Replaces the rules. kInvalidParams: all mistakes. kConflict: the rules are those of --events.
  sail::Result<void> set(const sail::Json& list);
  // The document for the standby; null: the rules are those of --events.
  sail::Json kept() const;
  // Called after each change.
  void watch(std::function<void()> on_changed) { on_changed_ = std::move(on_changed); }

 private:
  bool given_;
  std::filesystem::path file_;  // Empty: none.
  sail::EventRules rules_;
  std::string damage_;
  std::function<void()> on_changed_;
};

}  // namespace manager
