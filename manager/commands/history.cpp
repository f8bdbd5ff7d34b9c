// The undo history: list, undo, redo; and the journal.
#include <fmt/core.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "manager/commands/verbs.h"
#include "manager/events/event_scenes.h"
#include "manager/journal/journal.h"
#include "manager/monitor/state_feed.h"
#include "manager/peers/peers.h"
#include "manager/sessions/undo_steps.h"
#include "sail/core/text/limits.h"

namespace manager::verbs {

namespace {

sail::Json step_json(const StepReport& report) {
  sail::Json json = {{"who", report.who}, {"what", report.what}};
  if (!report.failed.empty()) json["failed"] = failures_json(report.failed);
  return json;
}

sail::Error event_is_shown() {
  return {sail::ErrorCode::kConflict,
          "an event or the schedule is shown, and afterwards the wall is as before: steps can be "
          "undone then"};
}

UndoSteps::StepTaken answer_to(const Call& call) {
  return [reply = call.reply](const sail::Result<StepReport>& report) {
    reply(report.map(step_json));
  };
}

}  // namespace

Answer history(const Call& /*call*/, const StateFeed& state) {
  return state.part(StatePart::kHistory);
}

void undo(const Call& call, UndoSteps& steps, const EventScenes& events) {
  if (events.shows()) return call.reply(event_is_shown());
  steps.undo(author_of(call.peer), answer_to(call));
}

void redo(const Call& call, UndoSteps& steps, const EventScenes& events) {
  if (events.shows()) return call.reply(event_is_shown());
  steps.redo(author_of(call.peer), answer_to(call));
}

namespace {

sail::Json journal_json(const std::vector<uint64_t>& broken, uint64_t next) {
  sail::Json answer = sail::Json::object();
  if (next > 0) answer["next"] = next;
  if (!broken.empty()) answer["broken"] = broken;
  return answer;
}

}  // namespace

void journal(const Call& call, Journal& journal) {
  constexpr int64_t kMostEntries = 200;
  constexpr double kLatest = 1e11;
  sail::JsonFields fields = call.fields();
  JournalQuery query;
  query.since = fields.number_or("since", 0, kLatest, 0);
  query.person = fields.string_or("person", sail::kMaxNameLength, "");
  query.verb = fields.string_or("verb", sail::kMaxMethodLength, "");
  if (fields.has("window")) query.window = window_number(fields);
  query.before = static_cast<uint64_t>(
      fields.integer_or("before", 1, int64_t{sail::kMaxCounter}, int64_t{sail::kMaxCounter}));
  query.count = static_cast<size_t>(fields.integer_or("count", 1, kMostEntries, kMostEntries));
  const bool verify = fields.boolean_or("verify", false);
  const double at = fields.number_or("at", 0, kLatest, 0);
  for (const char* chooses : {"since", "person", "verb", "window", "count"}) {
    if (verify && fields.has(chooses)) {
      fields.mistake("verify", fmt::format("checks all entries: leave '{}' out", chooses));
    } else if (fields.has("at") && fields.has(chooses)) {
      fields.mistake("at", fmt::format("asks for a layout: leave '{}' out", chooses));
    }
  }
  if (fields.has("at") && (verify || fields.has("before"))) {
    fields.mistake("at", "asks for a layout: leave 'verify' and 'before' out");
  }
  const bool asks_layout = fields.has("at");
  if (auto error = fields.finish()) return call.reply(*error);
  if (asks_layout) return journal.layout_at(at, call.reply);
  if (verify) {
    return journal.check(query.before, [reply = call.reply](const JournalCheck& check) {
      sail::Json answer = journal_json(check.broken, check.next);
      answer["checked"] = check.checked;
      reply(std::move(answer));
    });
  }
  journal.read(query, [reply = call.reply](JournalPage page) {
    sail::Json answer = journal_json(page.broken, page.next);
    answer["entries"] = std::move(page.entries);
    reply(std::move(answer));
  });
}

}  // namespace manager::verbs
