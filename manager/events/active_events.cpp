#include "manager/events/active_events.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"

namespace manager {
namespace {

constexpr size_t kLongestFailure = 512;  // bytes of its sentence

bool is_named(const ActiveEvent& event, const std::string& name,
              const std::optional<std::string>& id) {
  return event.name() == name && (!id || event.id == *id);
}

sail::Error not_active(const std::string& name, const std::optional<std::string>& id) {
  return sail::fail(sail::ErrorCode::kNotFound,
                    fmt::format("no event '{}'{} is active", name,
                                id ? fmt::format(" with the id '{}'", *id) : ""));
}

bool is_over(const ActiveEvent& event, int64_t now_ms) {
  const bool too_long = event.rule.max_ms > 0 && now_ms - event.prolonged_ms >= event.rule.max_ms;
  return too_long || (event.cleared && now_ms - event.began_ms >= event.rule.min_ms);
}

}  // namespace

sail::Result<bool> ActiveEvents::start(ActiveEvent event) {
  const auto same = std::ranges::find_if(
      events_, [&](const ActiveEvent& active) { return is_named(active, event.name(), event.id); });
  event.prolonged_ms = event.began_ms;
  event.rule.when.clear();
  if (same != events_.end() && same->rule == event.rule) {
    same->prolonged_ms = event.prolonged_ms;
    same->cleared = false;
    return false;
  }
  if (same != events_.end()) {
    events_.erase(same);
  } else if (events_.size() >= sail::kMaxActiveEvents) {
    const auto lowest = std::ranges::min_element(
        events_, {}, [](const ActiveEvent& active) { return active.rule.priority; });
    if (lowest->rule.priority >= event.rule.priority) {
      return sail::fail(sail::ErrorCode::kLimit,
                        fmt::format("{} events of this priority or a higher one are active, the "
                                    "maximum: clear or acknowledge some",
                                    sail::kMaxActiveEvents));
    }
    events_.erase(lowest);
  }
  events_.push_back(std::move(event));
  return true;
}

bool ActiveEvents::adopt(ActiveEvent event) {
  const auto is_same = [&](const ActiveEvent& active) {
    return is_named(active, event.name(), event.id);
  };
  if (std::ranges::any_of(events_, is_same)) return false;
  events_.push_back(std::move(event));
  return true;
}

sail::Result<void> ActiveEvents::clear(const std::string& name,
                                       const std::optional<std::string>& id, int64_t now_ms) {
  bool any = false;
  for (ActiveEvent& event : events_) {
    if (!is_named(event, name, id)) continue;
    event.cleared = any = true;
  }
  if (!any) return not_active(name, id);
  tick(now_ms);
  return {};
}

size_t ActiveEvents::clear_by(const std::string& name, const std::string& id, int64_t now_ms) {
  size_t count = 0;
  for (ActiveEvent& event : events_) {
    if (event.rule.clears != name || (!id.empty() && event.id != id)) continue;
    event.cleared = true;
    ++count;
  }
  tick(now_ms);
  return count;
}

sail::Result<void> ActiveEvents::acknowledge(const std::string& name,
                                             const std::optional<std::string>& id) {
  const auto is_it = [&](const ActiveEvent& event) { return is_named(event, name, id); };
  if (std::ranges::none_of(events_, is_it)) return not_active(name, id);
  const size_t ended = std::erase_if(
      events_, [&](const ActiveEvent& event) { return is_it(event) && event.rule.acknowledge; });
  if (ended > 0) return {};
  return sail::fail(sail::ErrorCode::kConflict,
                    fmt::format("the rule for '{}' does not allow people to end the event: clear "
                                "the event, or add \"acknowledge\": true to the rule",
                                name));
}

void ActiveEvents::fail(const std::string& name, const std::string& id, int64_t began_ms,
                        const RestartResult::Failure& failure) {
  for (ActiveEvent& event : events_) {
    if (!is_named(event, name, id) || event.began_ms != began_ms) continue;
    if (event.failed.size() >= kMostFailures) return;
    event.failed.push_back({.title = sail::make_plain_text(failure.title, sail::kMaxTitleLength),
                            .why = sail::make_plain_text(failure.why, kLongestFailure)});
  }
}

bool ActiveEvents::tick(int64_t now_ms) {
  return std::erase_if(events_, [&](const ActiveEvent& event) { return is_over(event, now_ms); }) >
         0;
}

std::vector<const ActiveEvent*> ActiveEvents::shown() const {
  std::vector<const ActiveEvent*> shown;
  for (const ActiveEvent& event : events_) {
    if (event.rule.changes_wall()) shown.push_back(&event);
  }
  std::ranges::stable_sort(shown, {}, [](const auto* event) { return event->rule.priority; });
  const auto covering = std::find_if(shown.rbegin(), shown.rend(),
                                     [](const auto* event) { return !event->rule.scene.empty(); });
  if (covering != shown.rend()) shown.erase(shown.begin(), covering.base() - 1);
  return shown;
}

sail::Json to_json(const ActiveEvent& event, const EventClock& now) {
  const auto since_1970_s = [&](int64_t steady_ms) {
    return (now.since_1970_ms - (now.steady_ms - steady_ms)) / 1000;
  };
  sail::Json json = to_json(event.rule);
  if (!event.id.empty()) json["id"] = event.id;
  if (event.area) json["rect"] = sail::rect_json(*event.area);
  json["since_s"] = since_1970_s(event.began_ms);
  if (event.prolonged_ms != event.began_ms) json["prolonged_s"] = since_1970_s(event.prolonged_ms);
  if (event.cleared) json["cleared"] = true;
  if (!event.failed.empty()) json["failed"] = failures_json(event.failed);
  return json;
}

namespace {

std::vector<RestartResult::Failure> read_failures(sail::JsonFields& of_event) {
  std::vector<RestartResult::Failure> failures;
  if (!of_event.has("failed")) return failures;
  for (const sail::Json& item : of_event.array("failed", kMostFailures)) {
    sail::JsonFields fields(item, "failed");
    failures.push_back(
        {.title = sail::make_plain_text(fields.raw_string("title", sail::kMaxTitleLength),
                                        sail::kMaxTitleLength),
         .why = sail::make_plain_text(fields.raw_string("why", kLongestFailure), kLongestFailure)});
    if (auto error = fields.finish()) of_event.mistake(std::move(*error));
  }
  return failures;
}

sail::Result<ActiveEvent> active_event_from_json(const sail::Json& item, const EventClock& now) {
  constexpr int64_t kLatestS = int64_t{1} << 40;
  // If the clock was set back, an event may be in the future: it begins now.
  const auto steady_ms = [&](int64_t since_1970_s) {
    return now.steady_ms - std::max<int64_t>(now.since_1970_ms - since_1970_s * 1000, 0);
  };
  sail::JsonFields fields(item, "event");
  ActiveEvent event;
  event.id = fields.string_or("id", sail::kMaxNameLength, "");
  if (fields.has("rect")) {
    event.area = fields.rect("rect", sail::kMaxWindowOffset, sail::kMaxWindowSide);
  }
  const int64_t since_s = fields.integer("since_s", 0, kLatestS);
  event.began_ms = steady_ms(since_s);
  event.prolonged_ms = steady_ms(fields.integer_or("prolonged_s", 0, kLatestS, since_s));
  event.cleared = fields.boolean_or("cleared", false);
  event.failed = read_failures(fields);
  if (auto error = fields.finish_open()) return *error;
  sail::Json rule = item;
  for (const char* other : {"id", "rect", "since_s", "prolonged_s", "cleared", "failed"}) {
    rule.erase(other);
  }
  auto read = sail::read_event_rule(rule, "event");
  if (!read) return read.error();
  event.rule = std::move(*read);
  return event;
}

}  // namespace

sail::Result<ActiveEvents> active_events_from_json(const sail::Json& list, const EventClock& now) {
  const auto bad = [](const std::string& why) {
    return sail::fail(sail::ErrorCode::kBadData, "not the active events of a manager: " + why);
  };
  if (!list.is_array() || list.size() > sail::kMaxActiveEvents)
    return bad(fmt::format("not a list of at most {} events", sail::kMaxActiveEvents));
  ActiveEvents events;
  for (const sail::Json& item : list) {
    auto event = active_event_from_json(item, now);
    if (!event) return bad(event.error().message);
    if (!events.adopt(std::move(*event))) return bad("an event is active twice");
  }
  return events;
}

}  // namespace manager
