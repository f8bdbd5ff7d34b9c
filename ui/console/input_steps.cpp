#include "ui/console/input_steps.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "sail/core/text/text.h"
#include "sail/core/wire/input.h"

namespace ui {
namespace {

// The bit of a button in the DOM's MouseEvent.buttons.
int mask_of(int button) {
  constexpr std::array kMasks = {1, 4, 2};
  return kMasks[static_cast<size_t>(std::clamp(button, 0, 2))];
}

sail::Json step(int window, const char* type) {
  return {{"window", window}, {"type", type}};
}

sail::Json step_at(int window, const char* type, const InputPlace& at, int buttons = 0) {
  sail::Json params = step(window, type);
  params["at"] = {at.x, at.y};
  params["buttons"] = buttons;
  return params;
}

sail::Json button_step(int window, bool down, const InputPlace& at, int button) {
  sail::Json params = step_at(window, down ? "down" : "up", at, down ? mask_of(button) : 0);
  params["button"] = button;
  return params;
}

sail::Json key_step(int window, bool down, const std::string& key, int modifiers) {
  sail::Json params = step(window, down ? "key_down" : "key_up");
  params["key"] = key;
  params["modifiers"] = modifiers;
  return params;
}

constexpr size_t kMostKeyShown = 36;

struct Modifier {
  std::string_view name;
  const char* key;
  int mask;
};
constexpr int kShiftMask = 1;
constexpr std::array kModifiers = {
    Modifier{"shift", "Shift", kShiftMask},
    Modifier{"control", "Control", 2},
    Modifier{"ctrl", "Control", 2},
    Modifier{"alt", "Alt", 4},
    Modifier{"meta", "Meta", 8},
    Modifier{"altgraph", "AltGraph", 0},
    Modifier{"altgr", "AltGraph", 0},
};

const Modifier* find_modifier(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  const auto found = std::find_if(kModifiers.begin(), kModifiers.end(),
                                  [&](const Modifier& one) { return one.name == name; });
  return found == kModifiers.end() ? nullptr : &*found;
}

// Presses the modifiers in order and the key, then releases them in reverse order.
std::vector<sail::Json> chord_steps(int window, const std::vector<const Modifier*>& held,
                                    const std::string& key) {
  std::vector<sail::Json> steps;
  int modifiers = 0;
  for (const Modifier* modifier : held) {
    modifiers |= modifier->mask;
    steps.push_back(key_step(window, true, modifier->key, modifiers));
  }
  steps.push_back(key_step(window, true, key, modifiers));
  steps.push_back(key_step(window, false, key, modifiers));
  for (auto modifier = held.rbegin(); modifier != held.rend(); ++modifier) {
    modifiers &= ~(*modifier)->mask;
    steps.push_back(key_step(window, false, (*modifier)->key, modifiers));
  }
  return steps;
}

}  // namespace

std::vector<sail::Json> click_steps(int window, const InputPlace& at, int button, int times) {
  std::vector<sail::Json> steps = {step_at(window, "enter", at), step_at(window, "move", at)};
  for (int i = 0; i < times; ++i) {
    steps.push_back(button_step(window, true, at, button));
    steps.push_back(button_step(window, false, at, button));
  }
  steps.push_back(step(window, "leave"));
  return steps;
}

std::vector<sail::Json> drag_steps(int window, const InputPlace& from, const InputPlace& to,
                                   int button) {
  constexpr int kSteps = 10;
  std::vector<sail::Json> steps = {step_at(window, "enter", from),
                                   button_step(window, true, from, button)};
  for (int i = 1; i <= kSteps; ++i) {
    const double share = static_cast<double>(i) / kSteps;
    const InputPlace at{from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share};
    steps.push_back(step_at(window, "move", at, mask_of(button)));
  }
  steps.push_back(button_step(window, false, to, button));
  steps.push_back(step(window, "leave"));
  return steps;
}

std::vector<sail::Json> move_steps(int window, const InputPlace& to) {
  return {step_at(window, "enter", to), step_at(window, "move", to)};
}

std::vector<sail::Json> wheel_steps(int window, const InputPlace& at, double dx, double dy) {
  sail::Json wheel = step_at(window, "wheel", at);
  wheel["wheel"] = {dx, dy};
  return {wheel};
}

std::vector<sail::Json> pinch_steps(int window, const InputPlace& at, double scale) {
  sail::Json pinch = step_at(window, "pinch", at);
  pinch["scale"] = scale;
  return {pinch};
}

sail::Result<std::vector<sail::Json>> key_steps(int window, const std::string& chord) {
  std::vector<const Modifier*> held;
  std::string rest = chord;
  // A plus sign may be the key: "Control++".
  for (size_t plus = rest.find('+', 1); plus != std::string::npos && plus + 1 < rest.size();
       plus = rest.find('+', 1)) {
    const Modifier* modifier = find_modifier(rest.substr(0, plus));
    if (modifier == nullptr) {
      return sail::fail(
          sail::ErrorCode::kInvalidParams,
          fmt::format("'{}' is not a modifier: use Shift, Control, Alt, AltGraph or Meta",
                      rest.substr(0, plus)));
    }
    held.push_back(modifier);
    rest.erase(0, plus + 1);
  }
  if (!sail::is_plain_text(rest) || !sail::keysym_of(rest)) {
    return sail::fail(sail::ErrorCode::kInvalidParams,
                      fmt::format("cannot send the key '{}': use a single character or one of {}",
                                  sail::make_plain_text(rest, kMostKeyShown), sail::key_names()));
  }
  // With Shift a letter is sent as a capital, as browsers do.
  const bool shift = std::ranges::any_of(held, [](auto* one) { return one->mask == kShiftMask; });
  if (shift && rest.size() == 1 && rest[0] >= 'a' && rest[0] <= 'z') rest[0] -= 'a' - 'A';
  return chord_steps(window, held, rest);
}

sail::Result<std::vector<sail::Json>> text_steps(int window, const std::string& text) {
  if (!sail::is_plain_text(text)) {
    return sail::fail(sail::ErrorCode::kInvalidParams,
                      "the text must be UTF-8 without control characters");
  }
  if (text.empty()) return sail::fail(sail::ErrorCode::kInvalidParams, "no text to type");
  std::vector<sail::Json> steps;
  for (size_t i = 0; i < text.size();) {
    size_t next = i + 1;
    while (next < text.size() && (text[next] & 0xC0) == 0x80) ++next;
    const auto key = chord_steps(window, {}, text.substr(i, next - i));
    steps.insert(steps.end(), key.begin(), key.end());
    i = next;
  }
  return steps;
}

}  // namespace ui
