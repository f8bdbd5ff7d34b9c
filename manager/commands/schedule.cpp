// The schedule: scenes and verbs at times of the calendar.
#include <fmt/core.h>

#include <string_view>

#include "manager/commands/verbs.h"
#include "manager/events/scheduler.h"
#include "manager/peers/peers.h"
#include "manager/sessions/wall_archive.h"
#include "sail/core/text/limits.h"

namespace manager::verbs {
namespace {

constexpr int64_t kMostComing = 100;

// Scheduled verbs run with the right of an operator.
sail::Result<void> check_verb(const std::string& entry, const sail::ScheduledVerb& wanted,
                              const sail::RpcVerb* verb) {
  const auto refuse = [&](std::string_view why) {
    return sail::fail(sail::ErrorCode::kInvalidParams,
                      fmt::format("'{}': the verb '{}' {}", entry, wanted.verb, why));
  };
  if (verb == nullptr) return refuse("is unknown");
  const bool is_allowed =
      verb->ui && sail::includes(sail::Right::kOperator, *verb->ui) && !verb->lasting;
  if (!is_allowed) return refuse("cannot be scheduled: an operator may not use it alone");
  if (wanted.verb.starts_with("schedule_")) return refuse("would change the schedule");
  return {};
}

sail::Result<void> check_entries(const sail::Schedule& entries, const Peers& peers,
                                 const WallArchive& archive) {
  for (const sail::ScheduleEntry& entry : entries.all()) {
    for (const sail::ScheduledVerb& verb : entry.verbs) {
      const sail::RpcVerb* known = peers.service().find_verb(verb.verb);
      if (auto good = check_verb(entry.name, verb, known); !good) return good;
    }
    const bool is_known =
        entry.scene.empty() || archive.saved(SavedKind::kSession).all().contains(entry.scene);
    if (is_known) continue;
    return sail::fail(sail::ErrorCode::kNotFound,
                      fmt::format("'{}' shows the session '{}', which is not saved: save the "
                                  "session, or correct the entry",
                                  entry.name, entry.scene));
  }
  return {};
}

}  // namespace

Answer schedule_add(const Call& call, Scheduler& scheduler, const Peers& peers,
                    const WallArchive& archive) {
  sail::JsonFields fields = call.fields();
  const sail::Json& entries = fields.array("entries", sail::kMaxScheduleEntries);
  if (auto error = fields.finish()) return *error;
  if (entries.empty()) {
    return sail::fail(sail::ErrorCode::kInvalidParams, "'entries' must contain at least one entry");
  }
  const auto read = sail::Schedule::read(entries);
  if (!read) return read.error();
  if (auto good = check_entries(*read, peers, archive); !good) return good.error();
  if (auto added = scheduler.add(*read); !added) return added.error();
  return scheduler.json();
}

Answer schedule_remove(const Call& call, Scheduler& scheduler) {
  const auto name = only_name(call);
  if (!name) return name.error();
  if (auto removed = scheduler.remove(*name); !removed) return removed.error();
  return scheduler.json();
}

Answer schedule_list(const Call& /*call*/, const Scheduler& scheduler) {
  return scheduler.json();
}

Answer schedule_next(const Call& call, const Scheduler& scheduler) {
  sail::JsonFields fields = call.fields();
  const int64_t count = fields.integer_or("count", 1, kMostComing, 10);
  if (auto error = fields.finish()) return *error;
  return scheduler.coming_json(static_cast<size_t>(count));
}

}  // namespace manager::verbs
