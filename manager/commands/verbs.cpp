#include "manager/commands/verbs.h"

#include <fmt/core.h>

#include <limits>
#include <set>

#include "manager/desk/desk.h"
#include "manager/peers/peers.h"
#include "manager/peers/state_json.h"
#include "sail/core/auth/password.h"
#include "sail/core/text/limits.h"

namespace manager::verbs {
namespace {

// Returns "'presenter/ann'", or the person's name for a person's key.
std::string opener_text(std::string_view opener) {
  if (opener.empty()) return "an admin";
  if (sail::is_person(opener)) opener.remove_prefix(sail::kPersonKey.size());
  return fmt::format("'{}'", opener);
}

}  // namespace

uint32_t window_number(sail::JsonFields& fields) {
  return static_cast<uint32_t>(fields.integer("window", 1, std::numeric_limits<uint32_t>::max()));
}

sail::Result<const Window*> find_window(const Desk& desk, uint32_t number) {
  const Window* window = desk.windows().find(number);
  if (window == nullptr) {
    return sail::fail(sail::ErrorCode::kNotFound, fmt::format("there is no window {}", number));
  }
  return window;
}

uint32_t stream_number(sail::JsonFields& fields) {
  return static_cast<uint32_t>(fields.integer("stream", 1, std::numeric_limits<uint32_t>::max()));
}

sail::Result<const Window*> own_window(const Call& call, const Desk& desk, uint32_t stream) {
  const Window* window = desk.windows().find_stream(stream);
  if (window == nullptr || window->owner_of(stream) != call.peer.id()) {
    return sail::fail(sail::ErrorCode::kNotFound,
                      fmt::format("this application has no stream {}", stream));
  }
  return window;
}

bool is_of_others(const sail::ServicePeer& presenter, const Window& window) {
  return presenter.right() == sail::Right::kPresenter && window.opener != presenter.key_name();
}

sail::Result<const Window*> window_to_change(const Call& call, const Desk& desk, uint32_t number) {
  auto window = find_window(desk, number);
  if (!window || !is_of_others(call.peer, **window)) return window;
  return sail::fail(sail::ErrorCode::kUnauthorized,
                    fmt::format("you are signed in as a presenter and can change only your own "
                                "windows: window {} was opened by {}",
                                number, opener_text((*window)->opener)));
}

sail::Result<void> check_program(const Window& window) {
  if (!window.lost) return {};
  return sail::fail(sail::ErrorCode::kConflict,
                    fmt::format("window {} cannot be controlled now: {}", window.number,
                                window.lost->sentence()));
}

sail::Result<const Window*> find_unlocked(const Call& call, const Desk& desk, uint32_t number) {
  auto window = window_to_change(call, desk, number);
  if (window && (*window)->locked) {
    return sail::fail(sail::ErrorCode::kConflict,
                      fmt::format("window {} is locked: unlock it to change it", number));
  }
  return window;
}

sail::Result<const Window*> find_on_wall(const Call& call, const Desk& desk, uint32_t number) {
  auto window = window_to_change(call, desk, number);
  if (window && (*window)->hidden) {
    return sail::fail(sail::ErrorCode::kConflict,
                      fmt::format("window {} is hidden by an event or a scene that opens: end the "
                                  "event first (`vitrail event ls`)",
                                  number));
  }
  if (window && (*window)->decorates()) {
    const char* kind = kDecorationKinds.word((*window)->content->decoration->kind);
    return sail::fail(sail::ErrorCode::kConflict,
                      fmt::format("window {} is a {}, which is not arranged: use the verb '{}'",
                                  number, kind, (*window)->is_curtain() ? "blank" : kind));
  }
  return window;
}

sail::Result<const Window*> find_placeable(const Call& call, const Desk& desk, uint32_t number) {
  if (auto window = find_on_wall(call, desk, number); !window) return window;
  return find_unlocked(call, desk, number);
}

std::vector<uint32_t> window_numbers(sail::JsonFields& fields) {
  std::vector<uint32_t> numbers;
  if (!fields.has("windows")) return numbers;
  for (const sail::Json& item : fields.array("windows", sail::kMaxWindows)) {
    const auto number = sail::whole_number(item, 1, std::numeric_limits<uint32_t>::max());
    if (!number) fields.mistake("windows", "must contain window numbers");
    numbers.push_back(static_cast<uint32_t>(number.value_or(0)));
  }
  if (std::set(numbers.begin(), numbers.end()).size() < numbers.size()) {
    fields.mistake("windows", "must name each window once");
  }
  if (numbers.empty()) fields.mistake("windows", "must name at least one window");
  return numbers;
}

sail::Result<std::vector<uint32_t>> one_or_many(const Call& call, const Desk& desk) {
  sail::JsonFields fields = call.fields();
  std::vector<uint32_t> numbers = window_numbers(fields);
  if (!fields.has("windows")) numbers.push_back(window_number(fields));
  if (auto error = fields.finish()) return *error;
  for (const uint32_t number : numbers) {
    if (auto window = window_to_change(call, desk, number); !window) return window.error();
  }
  return numbers;
}

UndoLabel restacked(const Desk& desk, const char* verb, const std::vector<uint32_t>& numbers) {
  const std::string subject = numbers.size() == 1
                                  ? fmt::format("'{}'", desk.windows().find(numbers.front())->title)
                                  : fmt::format("{} windows", numbers.size());
  return {.verb = fmt::format("{} {}", verb, subject), .names_windows = false};
}

std::vector<std::string> source_ids(sail::JsonFields& fields, const char* name) {
  constexpr size_t kMostSources = 256;
  constexpr size_t kLongestSource = 4096;
  const sail::Json& items = fields.array(name, kMostSources);
  std::vector<std::string> ids;
  for (const sail::Json& item : items) {
    const auto* id = item.get_ptr<const std::string*>();
    if (id != nullptr && !id->empty() && id->size() <= kLongestSource) ids.push_back(*id);
  }
  if (ids.empty() || ids.size() < items.size()) {
    fields.mistake(name, "must contain ids of sources as listed by `sources`");
  }
  return ids;
}

std::string gesture(sail::JsonFields& fields) {
  constexpr size_t kLongestGesture = 32;
  return fields.string_or("gesture", kLongestGesture, "");
}

Answer place_one(const Call& call, Desk& desk, const Window& window, const WideRect& place,
                 const UndoLabel& undo_label) {
  const auto wall_rect = window_place(place);
  if (!wall_rect) return wall_rect.error();
  return apply_placement(call, desk, window, window.moved_to(*wall_rect), undo_label);
}

Answer apply_placement(const Call& call, Desk& desk, const Window& window,
                       const WindowPlacement& placement, const UndoLabel& undo_label) {
  const uint32_t number = window.number;
  if (auto free = find_placeable(call, desk, number); !free) return free.error();
  desk.change({.windows = {{number, placement}}}, undo_label, author_of(call.peer));
  return window_now(desk, number);
}

sail::Result<std::string> only_name(const Call& call) {
  sail::JsonFields fields = call.fields();
  std::string name = fields.string("name", sail::kMaxNameLength);
  if (name.empty()) fields.mistake("name", "must not be empty");
  if (auto error = fields.finish()) return *error;
  return name;
}

sail::Json window_now(const Desk& desk, uint32_t number) {
  return window_state(*desk.windows().find(number));
}

}  // namespace manager::verbs
