#include "sail/bindings/sage/messages.h"

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstring>
#include <string_view>
#include <utility>

#include "sail/bindings/sage/include/sage.h"

namespace vitrail {
namespace {

constexpr size_t kMaxMessages = 1024;
constexpr size_t kMaxPeople = 256;
constexpr double kWheelPixels = 15;  // per wheel notch, as SAGE's pointers count

__attribute__((format(printf, 2, 3))) sageMessage message(int code, const char* format, ...) {
  std::array<char, 256> text{};
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text.data(), text.size(), format, arguments);
  va_end(arguments);
  sageMessage made;
  made.init(0, code, 0, static_cast<int>(strlen(text.data())), text.data());
  return made;
}

// Returns SAGE's button number; 0: SAGE has no such button.
int sage_button(int32_t button) {
  constexpr std::array kButtons = {1, 3, 2};  // for left, middle and right
  return button >= 0 && button < 3 ? kButtons[static_cast<size_t>(button)] : 0;
}

int drag_of(int button) {
  return button == 2 ? EVT_ROTATE : button == 3 ? EVT_ZOOM : EVT_PAN;
}

sageMessage key(const sail_input& input) {
  constexpr std::array<std::string_view, 4> kArrows = {"ArrowUp", "ArrowDown", "ArrowLeft",
                                                       "ArrowRight"};
  const auto* arrow = std::ranges::find(kArrows, std::string_view(input.key));
  if (arrow == kArrows.end()) return message(EVT_KEY, "%s", input.key);
  return message(EVT_ARROW, "%u %d", input.client, static_cast<int>(arrow - kArrows.begin()) + 1);
}

bool is_move(const sageMessage& waiting, const sageMessage& next) {
  return waiting.getCode() == EVT_MOVE && next.getCode() == EVT_MOVE;
}

}  // namespace

void InputWords::place(const sail_input& input, Pointer& pointer) const {
  if (input.has_point == 0) return;
  pointer.x = static_cast<float>(input.x / width_);
  pointer.y = static_cast<float>(1 - input.y / height_);
}

std::optional<sageMessage> InputWords::message_of(const sail_input& input) {
  if (input.type == SAIL_INPUT_KEY_DOWN) return key(input);
  if (input.type == SAIL_INPUT_LEAVE) {
    pointers_.erase(input.client);
    return std::nullopt;
  }
  if (pointers_.size() >= kMaxPeople && !pointers_.contains(input.client)) return std::nullopt;
  Pointer& pointer = pointers_[input.client];
  switch (input.type) {
    case SAIL_INPUT_DOWN:
    case SAIL_INPUT_UP:
      return click(input, pointer, sage_button(input.button), input.type == SAIL_INPUT_DOWN);
    case SAIL_INPUT_TOUCH_DOWN:
      if (pointer.button != 0) return std::nullopt;  // only the first finger counts
      pointer.touch = input.touch;
      return click(input, pointer, 1, true);
    case SAIL_INPUT_TOUCH_UP:
      if (pointer.button == 0 || pointer.touch != input.touch) return std::nullopt;
      return click(input, pointer, 1, false);
    case SAIL_INPUT_TOUCH_MOVE:
      if (pointer.touch != input.touch) return std::nullopt;
      return move(input, pointer);
    case SAIL_INPUT_ENTER:
      place(input, pointer);
      return std::nullopt;
    case SAIL_INPUT_MOVE:
      return move(input, pointer);
    case SAIL_INPUT_WHEEL:
      place(input, pointer);
      return message(EVT_ZOOM, "%u %f %f %f 0 0", input.client, static_cast<double>(pointer.x),
                     static_cast<double>(pointer.y), -input.wheel_y * kWheelPixels / width_);
    case SAIL_INPUT_PINCH:
      place(input, pointer);
      return message(EVT_ZOOM, "%u %f %f %f 0 0", input.client, static_cast<double>(pointer.x),
                     static_cast<double>(pointer.y), input.scale - 1);
    default:
      return std::nullopt;
  }
}

std::optional<sageMessage> InputWords::click(const sail_input& input, Pointer& pointer, int button,
                                             bool down) {
  if (button == 0) return std::nullopt;
  place(input, pointer);
  if (down) {
    pointer.from_x = pointer.x;
    pointer.from_y = pointer.y;
    pointer.button = button;
  } else if (pointer.button == button) {
    pointer.button = 0;
  }
  return message(EVT_CLICK, "%u %f %f %d %d %d", input.client, static_cast<double>(pointer.x),
                 static_cast<double>(pointer.y), button, down ? 1 : 0, drag_of(button));
}

sageMessage InputWords::move(const sail_input& input, Pointer& pointer) {
  const Pointer before = pointer;
  place(input, pointer);
  const double dx = static_cast<double>(pointer.x - before.x);
  const double dy = static_cast<double>(pointer.y - before.y);
  if (pointer.button == 0) {
    return message(EVT_MOVE, "%u %f %f %f %f", input.client, static_cast<double>(pointer.x),
                   static_cast<double>(pointer.y), dx, dy);
  }
  return message(drag_of(pointer.button), "%u %f %f %f %f 0", input.client,
                 static_cast<double>(pointer.from_x), static_cast<double>(pointer.from_y), dx, dy);
}

void MessageQueue::push(sageMessage message) {
  {
    const std::lock_guard lock(mutex_);
    if (!messages_.empty() && is_move(messages_.back(), message)) messages_.pop_back();
    if (messages_.size() >= kMaxMessages) return;
    messages_.push_back(std::move(message));
  }
  changed_.notify_all();
}

void MessageQueue::push_quit() {
  {
    const std::lock_guard lock(mutex_);
    messages_.push_front(message(APP_QUIT, "%s", ""));
  }
  changed_.notify_all();
}

bool MessageQueue::pop(sageMessage& message, bool wait) {
  std::unique_lock lock(mutex_);
  if (wait) changed_.wait(lock, [this] { return closed_ || !messages_.empty(); });
  if (messages_.empty()) return false;
  message = std::move(messages_.front());
  messages_.pop_front();
  return true;
}

void MessageQueue::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

}  // namespace vitrail

int sageMessage::init(int dest, int code, int app_code, int size, const void* data) {
  dest_ = dest;
  code_ = code;
  app_code_ = app_code;
  client_ = 0;
  text_.clear();
  if (size > 0 && data != nullptr)
    text_.assign(static_cast<const char*>(data), static_cast<size_t>(size));
  return 0;
}

int sageMessage::init(int size) {
  init(0, 0, 0, 0, nullptr);
  text_.reserve(static_cast<size_t>(std::clamp(size, 0, STRBUF_SIZE)));
  return 0;
}

int sageMessage::destroy() {
  return init(0, 0, 0, 0, nullptr);
}

int sageMessage::setData(int size, void* data) {
  return init(dest_, code_, app_code_, size, data);
}
