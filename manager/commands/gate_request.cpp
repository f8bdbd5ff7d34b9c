#include "manager/commands/gate_request.h"

#include <limits>

#include "manager/desk/desk.h"
#include "manager/wall/window_stack.h"
#include "sail/core/text/limits.h"

namespace manager::gate {

using sail::Json;
using sail::Rect;

std::string text_in(const Json& object, const char* name) {
  const auto found = object.find(name);
  const auto* text = found == object.end() ? nullptr : found->get_ptr<const std::string*>();
  return text == nullptr ? "" : *text;
}

const Json& list_in(const Json& object, const char* name) {
  static const Json kNone = Json::array();
  const auto found = object.find(name);
  return found != object.end() && found->is_array() ? *found : kNone;
}

std::optional<int> number_in(const Json& object, const char* name, int64_t farthest) {
  const auto found = object.find(name);
  if (found == object.end()) return std::nullopt;
  const auto number = sail::whole_number(*found, -farthest, farthest);
  return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

std::optional<Rect> rect_in(const Json& object, const char* name) {
  sail::JsonFields fields(object, "");
  if (!fields.has(name)) return std::nullopt;
  const Rect rect = fields.rect(name, sail::kMaxWindowOffset, sail::kMaxWindowSide);
  return fields.finish_open() ? std::nullopt : std::optional(rect);
}

std::optional<uint32_t> window_in(const Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end()) return std::nullopt;
  const auto number = sail::whole_number(*found, 1, std::numeric_limits<uint32_t>::max());
  return number ? std::optional(static_cast<uint32_t>(*number)) : std::nullopt;
}

std::vector<uint32_t> windows_in(const Json& params) {
  std::vector<uint32_t> numbers;
  for (const char* name : {"window", "other"}) {
    if (const auto number = window_in(params, name)) numbers.push_back(*number);
  }
  for (const Json& item : list_in(params, "windows")) {
    const Json object = item.is_object() ? item : Json{{"window", item}};
    if (const auto number = window_in(object, "window")) numbers.push_back(*number);
  }
  return numbers;
}

const Window* window_of(const Asked& asked) {
  const auto number = window_in(asked.params, "window");
  return number ? asked.desk.windows().find(*number) : nullptr;
}

Rect wall_rect(const Asked& asked) {
  const sail::Size size = asked.desk.wall().size;
  return {0, 0, size.width, size.height};
}

}  // namespace manager::gate
