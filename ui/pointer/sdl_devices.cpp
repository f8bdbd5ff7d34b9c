#include "ui/pointer/sdl_devices.h"

#include <SDL.h>
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

namespace ui {
namespace {

struct ButtonName {
  SDL_GameControllerButton sdl;
  PadButton ours;
};
constexpr ButtonName kButtons[] = {
    {SDL_CONTROLLER_BUTTON_A, kPadA},
    {SDL_CONTROLLER_BUTTON_B, kPadB},
    {SDL_CONTROLLER_BUTTON_X, kPadX},
    {SDL_CONTROLLER_BUTTON_Y, kPadY},
    {SDL_CONTROLLER_BUTTON_BACK, kPadBack},
    {SDL_CONTROLLER_BUTTON_LEFTSHOULDER, kPadLeftShoulder},
    {SDL_CONTROLLER_BUTTON_RIGHTSHOULDER, kPadRightShoulder},
    {SDL_CONTROLLER_BUTTON_DPAD_UP, kPadUp},
    {SDL_CONTROLLER_BUTTON_DPAD_DOWN, kPadDown},
    {SDL_CONTROLLER_BUTTON_DPAD_LEFT, kPadLeft},
    {SDL_CONTROLLER_BUTTON_DPAD_RIGHT, kPadRight},
};

SDL_GameController* controller_of(void* pad) {
  return static_cast<SDL_GameController*>(pad);
}

double axis(SDL_GameController* controller, SDL_GameControllerAxis which) {
  return std::max(-1.0, SDL_GameControllerGetAxis(controller, which) / 32767.0);
}

}  // namespace

void SdlDevices::PadEnd::operator()(void* controller) const {
  SDL_GameControllerClose(controller_of(controller));
}

SdlDevices::SdlDevices(bool touch, Handlers handlers)
    : touch_(touch), handlers_(std::move(handlers)) {}

sail::Result<std::unique_ptr<SdlDevices>> SdlDevices::start(bool pads, bool touch,
                                                            Handlers handlers) {
  SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");  // the program handles signals
  // Without a window nothing has the focus, so accept events in the background.
  SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");
  SDL_SetHint(SDL_HINT_TOUCH_MOUSE_EVENTS, "0");
  if (touch && std::getenv("SDL_VIDEODRIVER") == nullptr) {
    SDL_SetHint(SDL_HINT_VIDEODRIVER, "evdev");
  }
  std::unique_ptr<SdlDevices> devices(new SdlDevices(touch, std::move(handlers)));
  const uint32_t wanted = (pads ? SDL_INIT_GAMECONTROLLER : 0U) | (touch ? SDL_INIT_VIDEO : 0U);
  if (SDL_InitSubSystem(wanted) != 0) {
    return sail::fail(
        sail::ErrorCode::kUnavailable,
        fmt::format("cannot open game controllers or touch displays: {}", SDL_GetError()));
  }
  devices->subsystems_ = wanted;
  return devices;
}

SdlDevices::~SdlDevices() {
  pads_.clear();
  if (subsystems_ != 0) SDL_QuitSubSystem(subsystems_);
}

void SdlDevices::poll() {
  SDL_Event event;
  while (SDL_PollEvent(&event) == 1) {
    const SDL_TouchFingerEvent& touch = event.tfinger;
    switch (event.type) {
      case SDL_CONTROLLERDEVICEADDED:
        open(event.cdevice.which);
        break;
      case SDL_CONTROLLERDEVICEREMOVED:
        close(event.cdevice.which);
        break;
      case SDL_FINGERDOWN:
        finger({TouchChange::Kind::kDown, 0, touch.x, touch.y}, touch.touchId, touch.fingerId);
        break;
      case SDL_FINGERMOTION:
        finger({TouchChange::Kind::kMove, 0, touch.x, touch.y}, touch.touchId, touch.fingerId);
        break;
      case SDL_FINGERUP:
        finger({TouchChange::Kind::kUp, 0, touch.x, touch.y}, touch.touchId, touch.fingerId);
        break;
      default:
        break;
    }
  }
}

void SdlDevices::open(int device) {
  if (pads_.size() >= kMaxPads) return;
  SDL_GameController* controller = SDL_GameControllerOpen(device);
  if (controller == nullptr) return;
  const int instance = SDL_JoystickInstanceID(SDL_GameControllerGetJoystick(controller));
  const bool is_new = pads_.try_emplace(instance, controller).second;
  if (!is_new) {
    SDL_GameControllerClose(controller);  // SDL counts references: the first handle stays open
    return;
  }
  const char* name = SDL_GameControllerName(controller);
  handlers_.on_pad(instance, name != nullptr ? name : "controller");
}

void SdlDevices::close(int32_t instance) {
  if (pads_.erase(instance) != 0) handlers_.on_pad_gone(instance);
}

void SdlDevices::finger(const TouchChange& change, int64_t device, int64_t finger) {
  if (!touch_) return;
  const std::pair key(device, finger);
  TouchChange ours = change;
  ours.x = std::clamp(change.x, 0.0, 1.0);
  ours.y = std::clamp(change.y, 0.0, 1.0);
  auto found = fingers_.find(key);
  if (change.kind == TouchChange::Kind::kDown) {
    if (found != fingers_.end() || fingers_.size() >= kMaxFingers) return;
    found = fingers_.try_emplace(key, next_finger_++).first;
  }
  if (found == fingers_.end()) return;
  ours.touch = found->second;
  if (change.kind == TouchChange::Kind::kUp) fingers_.erase(found);
  handlers_.on_touch(ours);
}

PadState SdlDevices::state(int pad) const {
  const auto found = pads_.find(pad);
  if (found == pads_.end()) return {};
  SDL_GameController* controller = controller_of(found->second.get());
  PadState state;
  state.left_x = axis(controller, SDL_CONTROLLER_AXIS_LEFTX);
  state.left_y = axis(controller, SDL_CONTROLLER_AXIS_LEFTY);
  state.right_x = axis(controller, SDL_CONTROLLER_AXIS_RIGHTX);
  state.right_y = axis(controller, SDL_CONTROLLER_AXIS_RIGHTY);
  state.left_trigger = std::max(0.0, axis(controller, SDL_CONTROLLER_AXIS_TRIGGERLEFT));
  state.right_trigger = std::max(0.0, axis(controller, SDL_CONTROLLER_AXIS_TRIGGERRIGHT));
  for (const ButtonName& button : kButtons) {
    if (SDL_GameControllerGetButton(controller, button.sdl) != 0) state.buttons |= button.ours;
  }
  return state;
}

}  // namespace ui
