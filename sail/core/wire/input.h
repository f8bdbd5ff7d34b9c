// Pointer, keyboard and touch input for the application of a window. Fields shared by the UI verb
// "input" (manager/COMMANDS.md) and the notification "input" (sail/PROTOCOL.md). Pure.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "sail/core/text/json_fields.h"

namespace sail {

enum class InputType {
  kEnter,
  kLeave,
  kMove,
  kDown,
  kUp,
  kWheel,
  kKeyDown,
  kKeyUp,
  kTouchDown,
  kTouchMove,
  kTouchUp,
  kPinch
};
constexpr Choice<InputType, 12> kInputTypes{{{InputType::kEnter, "enter"},
                                             {InputType::kLeave, "leave"},
                                             {InputType::kMove, "move"},
                                             {InputType::kDown, "down"},
                                             {InputType::kUp, "up"},
                                             {InputType::kWheel, "wheel"},
                                             {InputType::kKeyDown, "key_down"},
                                             {InputType::kKeyUp, "key_up"},
                                             {InputType::kTouchDown, "touch_down"},
                                             {InputType::kTouchMove, "touch_move"},
                                             {InputType::kTouchUp, "touch_up"},
                                             {InputType::kPinch, "pinch"}}};

struct InputPoint {
  double x = 0;
  double y = 0;

  bool operator==(const InputPoint&) const = default;
};

// Only the fields that belong to the type are valid.
struct Input {
  InputType type = InputType::kMove;
  // Position: wall pixels from a UI, the application's pixels to an application. Required for every
  // type except kLeave and the keys, where it is optional.
  std::optional<InputPoint> at{};
  int button = 0;      // down, up: 0 left, 1 middle, 2 right, higher for further mouse buttons
  int buttons = 0;     // pointer types: held after the event; 1 left, 2 right, 4 middle, 8, 16 …
  double wheel_x = 0;  // wheel: notches to the right
  double wheel_y = 0;  // wheel: notches downwards
  std::string key{};   // keys: DOM's KeyboardEvent.key, e.g. "a", "Enter", "ArrowLeft"
  int modifiers = 0;   // 1 shift, 2 control, 4 alt, 8 meta
  int touch = 0;       // touches: finger number
  double scale = 1;    // pinch: factor since the last pinch event
};

struct InputPlace {
  static void read(JsonFields& in, const char* name, InputPoint& point);
  static Json json(const InputPoint& point) { return Json::array({point.x, point.y}); }
};
struct Wheel {
  static void read(JsonFields& in, const char* name, std::tuple<double&, double&>& notches);
  static Json json(const std::tuple<const double&, const double&>& notches);
};
struct Key {
  bool needed = false;

  void read(JsonFields& in, const char* name, std::string& key) const;
};
// A sender may include fields that the type does not need; they are checked all the same.
void fields(auto& visit, Of<Input> auto& input) {
  using enum InputType;
  visit("type", kInputTypes, input.type);
  const InputType type = input.type;
  const bool presses = type == kDown || type == kUp;
  const bool wheels = type == kWheel;
  const bool points = presses || wheels || type == kEnter || type == kLeave || type == kMove;
  const bool types = type == kKeyDown || type == kKeyUp;
  const bool touches = type == kTouchDown || type == kTouchMove || type == kTouchUp;
  auto wheel = std::tie(input.wheel_x, input.wheel_y);
  visit("at", needed_if(!types && type != kLeave, InputPlace()), input.at);
  visit("button", needed_if(presses, Whole{0, 31}), input.button);
  visit("buttons", written_if(points, Whole{0, 0xffff}), input.buttons);
  visit("wheel", needed_if(wheels, Wheel()), wheel);
  visit("key", needed_if(types, Key{types}), input.key);
  visit("modifiers", optional(Whole{0, 0xff}), input.modifiers);
  visit("touch", needed_if(touches, Whole{0, std::numeric_limits<int>::max()}), input.touch);
  visit("scale", needed_if(type == kPinch, Real{1e-3, 1e3}), input.scale);
}

// "input": notification to applications whose stream accepts input.
struct StreamInput {
  static constexpr const char* kMethod = "input";

  uint32_t stream = 0;
  uint32_t client = 0;  // number of the UI client that sent it; 0: none
  Input input;
};
void fields(auto& visit, Of<StreamInput> auto& input) {
  visit("stream", kStreamNumber, input.stream);
  visit("client", optional(Whole{0, std::numeric_limits<uint32_t>::max()}), input.client);
  fields(visit, input.input);
}

// Returns the keysym (X Window System Protocol, appendix A) for DOM's KeyboardEvent.key: one
// character in UTF-8 or a name such as "Enter" or "ArrowLeft". Empty if X11 has no symbol for the
// key.
std::optional<uint32_t> keysym_of(std::string_view key);

// True if the keysym types a character, unlike a key such as Enter.
bool is_character(uint32_t keysym);
// True if the character is an upper-case letter of any script.
bool is_capital(uint32_t keysym);

// For help texts: the named keys that have a keysym, without characters.
std::string key_names();

}  // namespace sail
