// Shows what active events want, below them the scene of the schedule, and afterwards the wall as
// it was before the first of them: the base. Windows of the base stay open during events, hidden.
// Runs on the loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "manager/events/active_events.h"
#include "manager/events/event_covers.h"
#include "manager/events/event_rules_file.h"
#include "manager/programs/process_restarter.h"
#include "manager/sessions/saved_wall.h"
#include "sail/core/base/log.h"

namespace manager {

class ChangeFeed;
class Desk;
class SceneSwitch;
class SessionRestore;
class WallArchive;
class WindowExchange;

class EventScenes {
 public:
  // All must outlive this object. All changes appear in the state and on the wall with tick().
  EventScenes(Desk& desk, WallArchive& archive, WindowExchange& exchange,
              const SessionRestore& restore, SceneSwitch& scene, ChangeFeed& changes,
              EventRulesFile rules, const sail::Log& log);

  // Where a rule or an entry of the schedule shows its scene ("": none); empty: the whole wall.
  // kNotFound: the session is not saved, or the area does not exist.
  sail::Result<std::optional<sail::Rect>> target(const std::string& scene,
                                                 const std::string& area) const;
  // Says which rule cannot be shown, and what active events could not do, for people.
  std::vector<std::string> troubles() const;
  EventRulesFile& rules() { return rules_; }
  const EventRulesFile& rules() const { return rules_; }

  enum class Outcome : uint8_t { kBegan, kProlonged, kIgnored };
  struct Started {
    Outcome outcome = Outcome::kIgnored;
    size_t cleared = 0;  // Events that this event has cleared.
    std::string why{};   // Why no rule matches.
  };
  // kNotFound: the rule's session or area does not exist. kLimit: too many events are active.
  // kInvalidParams: see check_event_payload().
  sail::Result<Started> start(const std::string& name, const std::string& id,
                              const sail::Json& payload);
  using Ran = std::function<void(const sail::Result<sail::Json>& answer)>;
  // Called when an event begins, for each verb that its rule runs: camera_move, power. Calls `ran`
  // once.
  using RunVerb = std::function<void(const std::string& verb, const sail::Json& params, Ran ran)>;
  void watch_verbs(RunVerb run) { run_verb_ = std::move(run); }
  // See ActiveEvents.
  sail::Result<void> clear(const std::string& name, const std::optional<std::string>& id);
  sail::Result<void> acknowledge(const std::string& name, const std::optional<std::string>& id);
  // What the schedule shows.
  struct Scheduled {
    std::string entry;
    std::string scene;
    std::string area{};  // Empty: the whole wall.
    bool operator==(const Scheduled&) const = default;
  };
  // Shows this while no event is active. Empty: nothing.
  void set_scheduled(std::optional<Scheduled> scheduled) { scheduled_ = std::move(scheduled); }
  // Returns the active events for clients, with what they could not do.
  sail::Json json() const;
  // The blanks of people that are visible because of the event that is shown.
  WallSwitches uncovered_blanks() const { return covers_.uncovered_blanks(); }
  // Whether the wall shows an event or the schedule, or is about to return to its former state.
  bool shows() const { return base_.has_value(); }
  // Why the wall cannot show the scene yet; empty: nothing waits.
  const std::string& waits() const { return waits_; }
  // Returns the windows that the last switch could not open.
  const std::vector<RestartResult::Failure>& failed() const { return failed_; }

  // Returns the events and the base for the next manager; null: no event is active.
  sail::Json saved() const;
  // Continues the events of an earlier manager.
  void resume(const sail::Json& saved);
  // Ends events whose time is over, and begins the switch to the scene that must be shown.
  void tick();

 private:
  void run_verbs(const ActiveEvent& event);
  void show_wanted();
  // The wall is about to be switched to this.
  void want(std::string request);
  // Shows windows that an earlier manager has hidden for events that do not continue.
  void show_hidden();
  // Whether no scene can be shown now; sets the reason.
  bool has_to_wait();
  // What the wall is to show: a scene of an event or of the schedule, and actions of the events
  // above it.
  struct Wanted {
    std::string cause;                 // for people
    std::string scene;                 // Empty: the base.
    std::string area;                  // Empty: the whole wall.
    std::optional<sail::Rect> rect{};  // Of the area, if known.
    std::vector<sail::EventAction> actions{};
    int fade_ms = 0;
    bool by_event = false;        // Not by the schedule alone: uncovers what it shows.
    bool scene_by_event = false;  // Not the schedule's.

    std::string request() const;
    // What the log and the history say.
    std::string note() const;
  };
  // Empty: the base, or the wall as people arrange it.
  std::optional<Wanted> wanted() const;
  void show_wanted(const Wanted& wanted);
  // The base with the scene.
  sail::Result<SavedWall> with_scene_of(const Wanted& wanted, const SavedWall& base) const;
  void show_base();
  // lifted: what the events uncover; empty: no event is shown. failed: what is already known not to
  // be shown.
  void show(const std::string& name, SavedWall wall, const std::string& note,
            const std::optional<WallSwitches>& lifted, int fade_ms = 0,
            std::vector<RestartResult::Failure> failed = {});
  void shown(const std::string& request, const std::vector<RestartResult::Failure>& failed);
  void fail(std::vector<RestartResult::Failure> failed);
  void set_base(std::optional<SavedWall> base);

  Desk& desk_;
  WallArchive& archive_;
  const SessionRestore& restore_;
  SceneSwitch& scene_;
  ChangeFeed& changes_;
  EventRulesFile rules_;
  sail::Log log_;
  RunVerb run_verb_;
  ActiveEvents active_;
  EventCovers covers_;
  std::optional<Scheduled> scheduled_;
  std::optional<SavedWall> base_;  // Empty: no event and no entry of the schedule is shown.
  uint64_t steps_before_ = 0;      // Newest entry of the history when the base was kept.
  // What the wall was last switched to: Wanted::request(), or kBase; empty: unknown.
  std::optional<std::string> requested_;
  std::vector<RestartResult::Failure> failed_;
  std::string waits_;
  bool show_hidden_ = false;  // show hidden windows once those of the earlier manager are back
  bool changed_ = false;      // Since the last tick.
};

}  // namespace manager
