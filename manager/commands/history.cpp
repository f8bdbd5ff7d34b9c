// The undo history: list, undo, redo.
#include "manager/commands/verbs.h"
#include "manager/monitor/state_feed.h"
#include "manager/peers/peers.h"
#include "manager/sessions/revival.h"

namespace manager::verbs {

namespace {

sail::Json step_json(const Report& told) {
  sail::Json json = {{"who", told.who}, {"what", told.what}};
  if (!told.failed.empty()) json["failed"] = failures_json(told.failed);
  return json;
}

Revival::StepTaken answer_to(const Call& call) {
  return [reply = call.reply](const sail::Result<Report>& told) { reply(told.map(step_json)); };
}

}  // namespace

Answer history(const Call& /*call*/, const StateFeed& state) {
  return state.part(StatePart::kHistory);
}

void undo(const Call& call, Revival& revival) {
  revival.undo(author_of(call.peer), answer_to(call));
}

void redo(const Call& call, Revival& revival) {
  revival.redo(author_of(call.peer), answer_to(call));
}

}  // namespace manager::verbs
