#include "manager/events/event_rules_file.h"

#include <fmt/core.h>

#include "sail/core/base/private_file.h"

namespace manager {

EventRulesFile::EventRulesFile(std::optional<sail::EventRules> given,
                               const std::filesystem::path& state_folder)
    : given_(given.has_value()), file_(state_folder.empty() ? "" : state_folder / "events.json") {
  if (given) {
    rules_ = std::move(*given);
    return;
  }
  if (file_.empty()) return;
  auto rules = sail::EventRules::load(file_.string());
  if (rules) {
    rules_ = std::move(*rules);
  } else if (rules.error().code != sail::ErrorCode::kNotFound) {
    const auto aside = sail::set_aside(file_);
    damage_ = fmt::format(
        "{}: there are no event rules; {}. Repair the file and set the rules again with `vitrail "
        "events rules FILE`",
        rules.error().message,
        aside ? "the file is kept as " + aside->string() : aside.error().message);
  }
}

sail::Result<void> EventRulesFile::set(const sail::Json& list) {
  if (given_) {
    return sail::fail(sail::ErrorCode::kConflict,
                      "the rules come from the manager's option --events: change that file and "
                      "restart the manager");
  }
  auto rules = sail::EventRules::read(list);
  if (!rules) return rules.error();
  if (!file_.empty()) {
    auto kept = sail::make_private_folder(file_.parent_path()).and_then([&] {
      return sail::write_private_file(file_, list.dump(1) + '\n');
    });
    if (!kept) return kept;
  }
  rules_ = std::move(*rules);
  damage_.clear();
  if (on_changed_) on_changed_();
  return {};
}

sail::Json EventRulesFile::kept() const {
  if (given_) return nullptr;
  return {{"events", rules_.json()}};
}

}  // namespace manager
