// The events that are active, and which of them the wall shows. Times are milliseconds of one
// steady clock. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "manager/programs/process_restarter.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/core/text/json.h"
#include "sail/core/wall/event_rules.h"

namespace manager {

struct ActiveEvent {
  sail::EventRule rule;            // A copy, so that new rules do not change it.
  std::string id;                  // Distinguishes events of one name; may be empty.
  std::optional<sail::Rect> area;  // rectangle of the rule's area when the event began
  int64_t began_ms = 0;
  int64_t prolonged_ms = 0;                      // the event's maximum time counts from here
  bool cleared = false;                          // It ends after its minimum time.
  std::vector<RestartResult::Failure> failed{};  // Verbs of its rule, at most kMostFailures.

  const std::string& name() const { return rule.event; }
  bool operator==(const ActiveEvent&) const = default;
};

// A rule runs at most two verbs: of a camera, and of displays.
constexpr size_t kMostFailures = 2;

// The same instant by the steady clock and since 1970.
struct EventClock {
  int64_t steady_ms = 0;
  int64_t since_1970_ms = 0;
};

class ActiveEvents {
 public:
  // Begins the event at event.began_ms. If an event of this name and id is active by the same rule,
  // its maximum time begins again, and it is no longer cleared; by another rule, the new event
  // replaces it. Returns whether the event is new. kLimit: too many are active.
  sail::Result<bool> start(ActiveEvent event);
  // Adds an event of an earlier manager. Returns false if it is active already.
  bool adopt(ActiveEvent event);
  // The cause of the event has ended. No id: all events of this name. kNotFound: none is active.
  sail::Result<void> clear(const std::string& name, const std::optional<std::string>& id,
                           int64_t now_ms);
  // Clears the events that end with the event `name`; if it has an id, only those with this id.
  // Returns how many there were.
  size_t clear_by(const std::string& name, const std::string& id, int64_t now_ms);
  // A person ends the events, without regard to their minimum time. kNotFound. kConflict: their
  // rules do not allow that.
  sail::Result<void> acknowledge(const std::string& name, const std::optional<std::string>& id);
  // A verb of the rule failed. Does nothing if the event that began then is over.
  void fail(const std::string& name, const std::string& id, int64_t began_ms,
            const RestartResult::Failure& failure);
  // Ends events whose time is over. Returns whether any has ended.
  bool tick(int64_t now_ms);

  // In the order in which they began.
  const std::vector<ActiveEvent>& all() const { return events_; }
  // The events that the wall shows, from the bottom to the top: the scene of the newest event of
  // the highest priority, and what the events above it do. Only the first one may have a scene.
  // Empty: the wall is as it was before. Valid until the next change.
  std::vector<const ActiveEvent*> shown() const;

 private:
  std::vector<ActiveEvent> events_;
};

// For clients and for the next manager.
sail::Json to_json(const ActiveEvent& event, const EventClock& now);
// kBadData: damaged.
sail::Result<ActiveEvents> active_events_from_json(const sail::Json& list, const EventClock& now);

}  // namespace manager
