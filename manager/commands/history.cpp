// The undo history: list, undo, redo.
#include "manager/commands/verbs.h"
#include "manager/monitor/state_feed.h"
#include "manager/peers/peers.h"
#include "manager/sessions/undo_steps.h"

namespace manager::verbs {

namespace {

sail::Json step_json(const StepReport& report) {
  sail::Json json = {{"who", report.who}, {"what", report.what}};
  if (!report.failed.empty()) json["failed"] = failures_json(report.failed);
  return json;
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

void undo(const Call& call, UndoSteps& steps) {
  steps.undo(author_of(call.peer), answer_to(call));
}

void redo(const Call& call, UndoSteps& steps) {
  steps.redo(author_of(call.peer), answer_to(call));
}

}  // namespace manager::verbs
