#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "sail/wire/codec_name.h"
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
  std::string codec;
  if (action == "seek") {
    value = fields.number("value", 0, kLongestSeconds);
  } else if (action == "rate") {
    value = fields.number("value", kSlowest, kFastest);
  } else if (action == "volume") {
    value = fields.number("value", 0, 1);
  } else if (action == "loop") {
    value = static_cast<double>(fields.integer("value", 0, 1));
  } else if (action == "page") {
    value = static_cast<double>(fields.integer("value", 1, sail::kMaxPages));
  } else if (action == "codec") {
    codec = fields.string("codec", sail::kMaxNameLength);
    if (const auto spec = sail::parse_codec_spec(codec); !spec) {
      fields.mistake("codec", spec.error().message);
    }
  } else if (action != "pause" && action != "resume") {
    fields.mistake("action", "must be pause, resume, seek, rate, loop, volume, page or codec");
  }
  if (auto error = fields.finish()) return *error;
  const auto window = find_window(caller, number);
  if (!window) return window.error();
  caller.manager.send_event(**window, action, value, codec);
  return sail::Json{{"window", number}};
}

}  // namespace manager::verbs
