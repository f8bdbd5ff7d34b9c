// SDL's virtual controllers, and touch events put into SDL's queue. Needs no display.
#include "ui/pointer/sdl_devices.h"

#include <SDL.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <vector>

namespace ui {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

struct SdlDevicesTest : testing::Test {
  void SetUp() override {
    setenv("SDL_VIDEODRIVER", "dummy", 1);
    auto started = SdlDevices::start(
        true, true,
        {.on_pad = [this](int pad, const char*) { pads.push_back(pad); },
         .on_pad_gone = [this](int pad) { std::erase(pads, pad); },
         .on_touch = [this](const TouchChange& change) { touches.push_back(change); }});
    ASSERT_TRUE(started) << started.error().message;
    devices = std::move(*started);
    devices->poll();
    pads.clear();  // ignore real controllers
  }
  static int plug_in() {
    constexpr int kAxes = 6;
    constexpr int kButtons = 15;
    return SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_GAMECONTROLLER, kAxes, kButtons, 0);
  }
  static void push_finger(uint32_t type, int64_t finger, float x, float y) {
    SDL_Event event{};
    event.tfinger.type = type;
    event.tfinger.touchId = 3;
    event.tfinger.fingerId = finger;
    event.tfinger.x = x;
    event.tfinger.y = y;
    ASSERT_EQ(SDL_PushEvent(&event), 1);
  }

  std::unique_ptr<SdlDevices> devices;
  std::vector<int> pads;
  std::vector<TouchChange> touches;
};

TEST_F(SdlDevicesTest, ControllersComeAndGo) {
  const int device = plug_in();
  ASSERT_GE(device, 0) << SDL_GetError();
  devices->poll();
  ASSERT_THAT(pads, SizeIs(1));
  EXPECT_TRUE(devices->busy());
  const int pad = pads[0];
  SDL_Joystick* joystick = SDL_JoystickFromInstanceID(pad);
  ASSERT_NE(joystick, nullptr);
  SDL_JoystickSetVirtualAxis(joystick, SDL_CONTROLLER_AXIS_LEFTX, 32767);
  SDL_JoystickSetVirtualAxis(joystick, SDL_CONTROLLER_AXIS_LEFTY, -32768);
  SDL_JoystickSetVirtualAxis(joystick, SDL_CONTROLLER_AXIS_TRIGGERRIGHT, 32767);
  SDL_JoystickSetVirtualAxis(joystick, SDL_CONTROLLER_AXIS_TRIGGERLEFT, -32768);
  SDL_JoystickSetVirtualButton(joystick, SDL_CONTROLLER_BUTTON_A, 1);
  SDL_JoystickSetVirtualButton(joystick, SDL_CONTROLLER_BUTTON_BACK, 1);
  devices->poll();
  PadState state = devices->state(pad);
  EXPECT_EQ(state.left_x, 1);
  EXPECT_EQ(state.left_y, -1);
  EXPECT_EQ(state.right_trigger, 1);
  EXPECT_EQ(state.left_trigger, 0);
  EXPECT_EQ(state.buttons, uint32_t{kPadA} | kPadBack);
  SDL_JoystickSetVirtualButton(joystick, SDL_CONTROLLER_BUTTON_A, 0);
  devices->poll();
  EXPECT_EQ(devices->state(pad).buttons, uint32_t{kPadBack});

  ASSERT_EQ(SDL_JoystickDetachVirtual(device), 0) << SDL_GetError();
  devices->poll();
  EXPECT_THAT(pads, IsEmpty());
  state = devices->state(pad);
  EXPECT_EQ(state.buttons, 0u) << "one that is gone does nothing";

  ASSERT_GE(plug_in(), 0);
  devices->poll();
  ASSERT_THAT(pads, SizeIs(1));
  EXPECT_NE(pads[0], pad) << "another one";
}

TEST_F(SdlDevicesTest, FingersTouch) {
  push_finger(SDL_FINGERDOWN, 10, 0.25F, 0.5F);
  push_finger(SDL_FINGERDOWN, 11, 1.5F, 0.5F);
  push_finger(SDL_FINGERMOTION, 10, 0.5F, 0.5F);
  push_finger(SDL_FINGERUP, 10, 0.5F, 0.5F);
  push_finger(SDL_FINGERMOTION, 10, 0.75F, 0.5F);
  push_finger(SDL_FINGERDOWN, 10, 0, 0);
  devices->poll();
  ASSERT_THAT(touches, SizeIs(5)) << "one that is not down does not move";
  EXPECT_EQ(touches[0].kind, TouchChange::Kind::kDown);
  EXPECT_EQ(touches[1].x, 1) << "kept on the display";
  EXPECT_EQ(touches[2].kind, TouchChange::Kind::kMove);
  EXPECT_EQ(touches[2].touch, touches[0].touch);
  EXPECT_EQ(touches[3].kind, TouchChange::Kind::kUp);
  EXPECT_NE(touches[4].touch, touches[0].touch) << "another touch";
}

}  // namespace
}  // namespace ui
