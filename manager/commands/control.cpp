#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "sail/wire/limits.h"

namespace manager::verbs {

namespace {

constexpr double kLongestSeconds = 1e7;
constexpr double kSlowest = 0.01;
constexpr double kFastest = 100;

}  // namespace

Answer control(const Caller& caller, const sail::Json& params) {
  sail::JsonFields fields(params, "control");
  const uint32_t number = window_number(fields);
  const std::string action = fields.string("action", sail::kMaxNameLength);
  double value = 0;
  if (action == "seek") {
    value = fields.number("value", 0, kLongestSeconds);
  } else if (action == "rate") {
    value = fields.number("value", kSlowest, kFastest);
  } else if (action != "pause" && action != "resume") {
    fields.mistake("action", "must be pause, resume, seek or rate");
  }
  if (auto error = fields.finish()) return tl::make_unexpected(*error);
  const auto window = find_window(caller, number);
  if (!window) return tl::make_unexpected(window.error());
  caller.manager.send_event(**window, action, value);
  return sail::Json{{"window", number}};
}

}  // namespace manager::verbs
