#include "sail/wire/input.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <tuple>
#include <utility>

#include "sail/wire/control_fields.h"

namespace sail {
namespace {

using namespace control_fields;

constexpr double kMaxOffset = 1e9;  // pixels, of a point from the corner
constexpr double kMaxWheel = 1e4;   // notches at once
constexpr double kMinScale = 1e-3;  // of a pinch since the last one
constexpr double kMaxScale = 1e3;
constexpr size_t kMaxKeyLength = 32;  // bytes
constexpr int kMaxButton = 31;
constexpr int kMaxButtons = 0xffff;
constexpr int kMaxModifiers = 0xff;

struct TypeFields {
  InputType type;
  const char* name;
  bool at = false;
  bool button = false;
  bool buttons = false;
  bool wheel = false;
  bool key = false;
  bool touch = false;
  bool scale = false;
};

constexpr TypeFields kTypes[] = {
    {.type = InputType::kEnter, .name = "enter", .at = true, .buttons = true},
    {.type = InputType::kLeave, .name = "leave", .buttons = true},
    {.type = InputType::kMove, .name = "move", .at = true, .buttons = true},
    {.type = InputType::kDown, .name = "down", .at = true, .button = true, .buttons = true},
    {.type = InputType::kUp, .name = "up", .at = true, .button = true, .buttons = true},
    {.type = InputType::kWheel, .name = "wheel", .at = true, .buttons = true, .wheel = true},
    {.type = InputType::kKeyDown, .name = "key_down", .key = true},
    {.type = InputType::kKeyUp, .name = "key_up", .key = true},
    {.type = InputType::kTouchDown, .name = "touch_down", .at = true, .touch = true},
    {.type = InputType::kTouchMove, .name = "touch_move", .at = true, .touch = true},
    {.type = InputType::kTouchUp, .name = "touch_up", .at = true, .touch = true},
    {.type = InputType::kPinch, .name = "pinch", .at = true, .scale = true}};

const TypeFields& fields_of(InputType type) {
  return *std::find_if(std::begin(kTypes), std::end(kTypes),
                       [&](const TypeFields& known) { return known.type == type; });
}

const TypeFields& read_type(JsonFields& fields) {
  const std::string name = fields.string("type", kMaxTypeLength);
  const auto* known = std::find_if(std::begin(kTypes), std::end(kTypes),
                                   [&](const TypeFields& type) { return name == type.name; });
  if (known != std::end(kTypes)) return *known;
  fields.mistake(
      "type", R"(must be "enter", "leave", "move", "down", "up", "wheel", "key_down", "key_up", )"
              R"("touch_down", "touch_move", "touch_up" or "pinch")");
  return fields_of(InputType::kMove);
}

int number(JsonFields& fields, const char* name, bool required, int max) {
  return static_cast<int>(required ? fields.integer(name, 0, max)
                                   : fields.integer_or(name, 0, max, 0));
}

}  // namespace

const char* input_type_name(InputType type) {
  return fields_of(type).name;
}

// A sender may put in what the type does not need; it is checked all the same.
Input read_input(JsonFields& fields) {
  const TypeFields& type = read_type(fields);
  Input input{.type = type.type};
  if (type.at || fields.has("at")) {
    const auto [x, y] = fields.numbers("at", -kMaxOffset, kMaxOffset);
    input.at = InputPoint{x, y};
  }
  input.button = number(fields, "button", type.button, kMaxButton);
  input.buttons = number(fields, "buttons", false, kMaxButtons);
  if (type.wheel || fields.has("wheel")) {
    std::tie(input.wheel_x, input.wheel_y) = fields.numbers("wheel", -kMaxWheel, kMaxWheel);
  }
  if (type.key || fields.has("key")) {
    input.key = fields.raw_string("key", kMaxKeyLength);
    if (type.key && input.key.empty()) fields.mistake("key", "must not be empty");
  }
  input.modifiers = number(fields, "modifiers", false, kMaxModifiers);
  input.touch = number(fields, "touch", type.touch, std::numeric_limits<int>::max());
  if (type.scale || fields.has("scale")) {
    input.scale = fields.number("scale", kMinScale, kMaxScale);
  }
  return input;
}

void write_input(Json& object, const Input& input) {
  const TypeFields& type = fields_of(input.type);
  object["type"] = type.name;
  if (input.at) object["at"] = Json::array({input.at->x, input.at->y});
  if (type.button) object["button"] = input.button;
  if (type.buttons) object["buttons"] = input.buttons;
  if (type.wheel) object["wheel"] = Json::array({input.wheel_x, input.wheel_y});
  if (type.key) object["key"] = input.key;
  object["modifiers"] = input.modifiers;
  if (type.touch) object["touch"] = input.touch;
  if (type.scale) object["scale"] = input.scale;
}

Json to_json(const StreamInput& input) {
  Json json{{"stream", input.stream}, {"client", input.client}};
  write_input(json, input.input);
  return json;
}

Result<StreamInput> stream_input_from_json(const Json& params) {
  JsonFields fields(params, "input");
  StreamInput input;
  input.stream = stream_number(fields, "stream");
  input.client = static_cast<uint32_t>(
      fields.integer_or("client", 0, std::numeric_limits<uint32_t>::max(), 0));
  input.input = read_input(fields);
  return checked(fields, std::move(input));
}

}  // namespace sail
