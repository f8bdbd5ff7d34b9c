// Carries out the schedule by the calendar clock: tells EventScenes which scene is on, and runs
// verbs. Keeps the schedule and its progress as schedule.json in the state folder. Runs on the loop
// thread; functions block on the disk.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "sail/core/base/log.h"
#include "sail/core/base/result.h"
#include "sail/core/calendar/schedule_run.h"
#include "sail/core/text/json.h"

namespace manager {

class EventScenes;

class Scheduler {
 public:
  using Ran = std::function<void(const sail::Result<sail::Json>& answer)>;
  // Runs a verb as a client would, and calls `ran` once.
  using RunVerb = std::function<void(const sail::ScheduledVerb& verb, Ran ran)>;
  // All must outlive this object. An empty state folder: the schedule is not kept.
  Scheduler(EventScenes& scenes, const std::filesystem::path& state_folder, RunVerb run_verb,
            const sail::Log& log);

  // Says what is wrong with the file and what to do; empty: nothing is wrong.
  const std::string& damage() const { return damage_; }
  // Says which entry cannot be shown when it begins next, for people; empty: all can.
  std::string trouble() const;
  // Adds the entries; each replaces the one of its name. kLimit. kIo.
  sail::Result<void> add(const sail::Schedule& entries);
  // kNotFound. kIo.
  sail::Result<void> remove(const std::string& name);
  // Returns the entries, and what the schedule shows now.
  sail::Json json() const;
  // The entries as they were added.
  const sail::Json& entries() const { return run_.schedule().json(); }
  // Returns the next `count` times at which entries begin.
  sail::Json coming_json(size_t count) const;
  // The document for the standby.
  sail::Json kept() const { return {{sail::kKeptSchedule, to_json(run_)}}; }
  // Called after each change.
  void watch(std::function<void()> on_changed) { on_changed_ = std::move(on_changed); }
  // Begins and ends what is due.
  void tick();

 private:
  void load();
  sail::Result<void> set(sail::Schedule schedule);
  sail::Result<void> save(const sail::Json& document) const;
  void run_verbs(const sail::ScheduleEntry& entry);

  EventScenes& scenes_;
  const std::filesystem::path file_;  // Empty: none.
  const RunVerb run_verb_;
  const sail::Log log_;
  sail::ScheduleRun run_;
  std::map<std::string, std::string> failures_;  // Why the last verbs of an entry failed.
  std::string damage_;
  std::function<void()> on_changed_;
};

}  // namespace manager
