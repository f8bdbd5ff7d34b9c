#include "manager/rights/object_rules.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/wall/node_places.h"

namespace manager {
namespace {

constexpr size_t kLongestPattern = 4096;  // Bytes; sources may be URLs.

bool may_be_admitted(std::string_view name) {
  const bool is_group = name.starts_with(kGroup) && name.size() > kGroup.size();
  const size_t most = is_group ? kGroup.size() + sail::kMaxTitleLength : sail::kMaxKeyName;
  return name.size() <= most && name != kGroup && !sail::name_mistake(name);
}

std::vector<std::string> read_who(sail::JsonFields& fields) {
  std::vector<std::string> who;
  for (const sail::Json& item : fields.array("who", kMostAdmitted)) {
    const auto* name = item.get_ptr<const std::string*>();
    if (name != nullptr && may_be_admitted(*name)) {
      who.push_back(*name);
      continue;
    }
    fields.mistake("who",
                   "must contain names of keys or groups, such as \"user/ann\", "
                   "\"operator/*\" or \"group:wall-operators\"");
    break;
  }
  return who;
}

std::vector<Act> read_may(sail::JsonFields& fields) {
  std::vector<Act> may;
  for (const sail::Json& item : fields.array("may", std::size(kActs.words))) {
    const auto* word = item.get_ptr<const std::string*>();
    const auto act = word == nullptr ? std::nullopt : kActs.find(*word);
    if (!act) {
      fields.mistake("may", "must contain \"show\", \"arrange\", \"control\" or \"hear\"");
      break;
    }
    may.push_back(*act);
  }
  return may;
}

sail::Result<ObjectRule> read_rule(const sail::Json& object, const std::string& where) {
  sail::JsonFields fields(object, where, sail::JsonFields::Report::kAll);
  ObjectRule rule;
  int objects = 0;
  for (const auto& [kind, word] : kObjectKinds.words) {
    if (!fields.has(word)) continue;
    ++objects;
    rule.kind = kind;
    rule.pattern = fields.raw_string(word, kLongestPattern);
    if (rule.pattern.empty()) fields.mistake(word, "must not be empty");
  }
  if (objects != 1) fields.mistake("partition", "or 'scene' or 'source' must be given, only one");
  rule.who = read_who(fields);
  rule.may = read_may(fields);
  if (auto error = fields.finish()) return *error;
  return rule;
}

// "'user/ann', 'user/otto' and admins"
std::string admitted_text(const std::vector<std::string>& who) {
  std::string text;
  for (const std::string& name : who) {
    text += fmt::format("{}'{}'", text.empty() ? "" : ", ", name);
  }
  return text.empty() ? "admins" : text + " and admins";
}

}  // namespace

std::string WallObject::text() const {
  return fmt::format("{} '{}'", kObjectKinds.word(kind),
                     sail::make_plain_text(names.front(), sail::kMaxTitleLength));
}

bool ObjectRule::is_about(const WallObject& object) const {
  return object.kind == kind && std::ranges::any_of(object.names, [this](const auto& name) {
           return sail::fits_pattern(pattern, name);
         });
}

bool ObjectRule::allows(Act act) const {
  return std::ranges::find(may, act) != may.end();
}

bool ObjectRule::admits(const Asker& asker) const {
  return std::ranges::any_of(who, [&asker](std::string_view one) {
    if (!one.starts_with(kGroup)) return sail::fits_pattern(one, asker.key);
    one.remove_prefix(kGroup.size());
    return std::ranges::any_of(asker.groups,
                               [one](const auto& group) { return sail::fits_pattern(one, group); });
  });
}

sail::Result<ObjectRules> ObjectRules::read(const sail::Json& list) {
  if (!list.is_array() || list.size() > kMostObjectRules) {
    return sail::fail(sail::ErrorCode::kInvalidParams,
                      fmt::format("rules: must be a list of at most {} rules", kMostObjectRules));
  }
  ObjectRules rules;
  sail::Mistakes mistakes;
  for (size_t i = 0; i < list.size(); ++i) {
    auto rule = mistakes.take(read_rule(list[i], fmt::format("rules[{}]", i)));
    if (rule) rules.rules_.push_back(std::move(*rule));
  }
  if (mistakes.error()) return *mistakes.error();
  rules.json_ = list;
  return rules;
}

bool ObjectRules::are_about(ObjectKind kind) const {
  return std::ranges::find(rules_, kind, &ObjectRule::kind) != rules_.end();
}

sail::Result<void> ObjectRules::check(const Asker& asker, Act act, const WallObject& object) const {
  if (asker.admin) return {};
  const ObjectRule* refuses = nullptr;
  std::vector<std::string> admitted;
  for (const ObjectRule& rule : rules_) {
    if (!rule.is_about(object)) continue;
    if (rule.allows(act) && rule.admits(asker)) return {};
    if (refuses == nullptr) refuses = &rule;
    if (rule.allows(act)) admitted.insert(admitted.end(), rule.who.begin(), rule.who.end());
  }
  if (refuses == nullptr) return {};
  return sail::fail(
      sail::ErrorCode::kUnauthorized,
      fmt::format("you have no right to '{}' for {}: rules[{}] of `rights` reserves that for {}",
                  kActs.word(act), object.text(), refuses - rules_.data(),
                  admitted_text(admitted)));
}

}  // namespace manager
