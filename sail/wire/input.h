// Pointer, keys and touches of people on their way to the application of a window: the UI's verb
// "input" (manager/COMMANDS.md) and the notification "input" to applications (sail/PROTOCOL.md)
// have these fields in common. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sail/base/result.h"
#include "sail/wire/json.h"

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

struct InputPoint {
  double x = 0;
  double y = 0;

  bool operator==(const InputPoint&) const = default;
};

// Only the fields that the type names count.
struct Input {
  InputType type = InputType::kMove;
  // Where: wall pixels from a UI, the application's pixels to an application; there with every type
  // but kLeave and the keys, where it may be.
  std::optional<InputPoint> at{};
  int button = 0;      // down, up: 0 left, 1 middle, 2 right, more as a mouse has more
  int buttons = 0;     // pointer types: those held after this; 1 left, 2 right, 4 middle, 8, 16 …
  double wheel_x = 0;  // wheel: notches to the right
  double wheel_y = 0;  // and downwards
  std::string key{};   // keys: as DOM's KeyboardEvent.key names it: "a", "Enter", "ArrowLeft"
  int modifiers = 0;   // 1 shift, 2 control, 4 alt, 8 meta
  int touch = 0;       // touches: which finger
  double scale = 1;    // pinch: the factor since the last one
};

const char* input_type_name(InputType type);

// Reads and writes the fields within another object.
Input read_input(JsonFields& fields);
void write_input(Json& object, const Input& input);

// "input", notification to applications whose stream takes input.
struct StreamInput {
  uint32_t stream = 0;
  uint32_t client = 0;  // the number of the UI client it comes from; 0: none
  Input input;
};
Json to_json(const StreamInput& input);
Result<StreamInput> stream_input_from_json(const Json& params);

}  // namespace sail
