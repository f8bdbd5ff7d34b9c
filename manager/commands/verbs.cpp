#include "manager/commands/verbs.h"

#include <fmt/core.h>

#include <limits>
#include <set>

#include "manager/fs_manager.h"
#include "manager/state_json.h"
#include "manager/state_parts.h"
#include "sail/wire/limits.h"

namespace manager::verbs {

sail::Result<void> no_arguments(const sail::Json& params, const char* verb) {
  sail::JsonFields fields(params, verb);
  if (auto error = fields.finish()) return *error;
  return {};
}

uint32_t window_number(sail::JsonFields& fields) {
  return static_cast<uint32_t>(fields.integer("window", 1, std::numeric_limits<uint32_t>::max()));
}

sail::Result<const Window*> find_window(const Caller& caller, uint32_t number) {
  const Window* window = caller.manager.windows().find(number);
  if (window == nullptr) {
    return sail::fail(sail::ErrorCode::kNotFound,
                      fmt::format("no window {}: `vitrail ls` lists them", number));
  }
  return window;
}

sail::Result<const Window*> only_window(const Caller& caller, const sail::Json& params,
                                        const char* verb) {
  sail::JsonFields fields(params, verb);
  const uint32_t number = window_number(fields);
  if (auto error = fields.finish()) return *error;
  return find_window(caller, number);
}

uint32_t stream_number(sail::JsonFields& fields) {
  return static_cast<uint32_t>(fields.integer("stream", 1, std::numeric_limits<uint32_t>::max()));
}

sail::Result<const Window*> own_window(const Caller& caller, uint32_t stream) {
  const Window* window = caller.manager.windows().find_stream(stream);
  if (window == nullptr || window->owner != caller.session.id()) {
    return sail::fail(sail::ErrorCode::kNotFound,
                      fmt::format("this application has no stream {}", stream));
  }
  return window;
}

sail::Result<const Window*> find_unlocked(const Caller& caller, uint32_t number) {
  auto window = find_window(caller, number);
  if (window && (*window)->locked) {
    return sail::fail(
        sail::ErrorCode::kConflict,
        fmt::format("window {0} is locked: `vitrail lock {0} --off` frees it", number));
  }
  return window;
}

sail::Result<std::vector<uint32_t>> one_or_many(const Caller& caller, const sail::Json& params,
                                                const char* verb) {
  sail::JsonFields fields(params, verb);
  std::vector<uint32_t> numbers;
  if (fields.has("windows")) {
    for (const sail::Json& item : fields.array("windows", sail::kMaxWindows)) {
      const auto number = sail::whole_number(item, 1, std::numeric_limits<uint32_t>::max());
      if (!number) fields.mistake("windows", "must hold numbers of windows");
      numbers.push_back(static_cast<uint32_t>(number.value_or(0)));
    }
    if (std::set(numbers.begin(), numbers.end()).size() < numbers.size()) {
      fields.mistake("windows", "must name each window once");
    }
    if (numbers.empty()) fields.mistake("windows", "must name one window or more");
  } else {
    numbers.push_back(window_number(fields));
  }
  if (auto error = fields.finish()) return *error;
  for (const uint32_t number : numbers) {
    if (auto window = find_window(caller, number); !window) {
      return window.error();
    }
  }
  return numbers;
}

Deed restacked(const Caller& caller, const char* verb, const std::vector<uint32_t>& numbers) {
  const std::string subject =
      numbers.size() == 1
          ? fmt::format("'{}'", caller.manager.windows().find(numbers.front())->title)
          : fmt::format("{} windows", numbers.size());
  return {.verb = fmt::format("{} {}", verb, subject), .names_windows = false};
}

std::string gesture(sail::JsonFields& fields) {
  constexpr size_t kLongestGesture = 32;
  return fields.string_or("gesture", kLongestGesture, "");
}

Answer place_one(const Caller& caller, const Window& window, const WideRect& place,
                 const Deed& deed) {
  const uint32_t number = window.number;
  if (auto free = find_unlocked(caller, number); !free) return free.error();
  const auto wall_rect = window_place(place);
  if (!wall_rect) return wall_rect.error();
  caller.manager.change_layout({.windows = {{number, {.wall_rect = *wall_rect}}}}, deed,
                               caller.session);
  return window_now(caller, number);
}

sail::Result<std::string> only_name(const sail::Json& params, const char* verb) {
  sail::JsonFields fields(params, verb);
  std::string name = fields.string("name", sail::kMaxNameLength);
  if (name.empty()) fields.mistake("name", "must not be empty");
  if (auto error = fields.finish()) return *error;
  return name;
}

sail::Json saved_list(const Caller& caller, SavedKind kind) {
  const StatePart part = part_of(kind);
  return {{state_part_name(part), state_part_json(caller.manager, part)}};
}

sail::Json failures_json(const std::vector<Relaunched::Failure>& failures) {
  sail::Json list = sail::Json::array();
  for (const Relaunched::Failure& failure : failures) {
    list.push_back({{"title", failure.title}, {"why", failure.why}});
  }
  return list;
}

sail::Json step_json(const Told& told) {
  sail::Json json = {{"who", told.who}, {"what", told.what}};
  if (!told.failed.empty()) json["failed"] = failures_json(told.failed);
  return json;
}

sail::Json window_now(const Caller& caller, uint32_t number) {
  return window_object(*caller.manager.windows().find(number));
}

}  // namespace manager::verbs
