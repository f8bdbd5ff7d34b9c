// A real manager with fake players, which open their windows at once, and a console.
#pragma once

#include <memory>
#include <string>

#include "tests/support/temp_folder.h"
#include "tests/unit/manager/peers/manager_test.h"

namespace manager {

class FakePlayersTest : public ManagerTest {
 protected:
  FakePlayersTest() {
    options.player_program = FAKE_PROGRAM;
    options.state_folder = folder.path();
  }
  void begin() {
    start();
    console = ui();
  }
  // Returns the window's number.
  uint32_t play(const std::string& medium, const sail::Rect& place) {
    const sail::Json params = {{"media", {medium}}, {"place", sail::rect_json(place)}};
    return console->expect("play", params).value("window", 0U);
  }
  const Window* find(uint32_t number) { return fs_manager->desk().windows().find(number); }
  // Null: there is no such window.
  const Window* titled(const std::string& title) {
    for (const Window& window : fs_manager->desk().windows().bottom_to_top()) {
      if (window.title == title) return &window;
    }
    return nullptr;
  }
  // Waits until the window is shown on the wall, or is closed.
  void wait_shown(const std::string& title) {
    wait([&] { return titled(title) != nullptr && !titled(title)->hidden; });
  }
  void wait_gone(const std::string& title) {
    wait([&] { return titled(title) == nullptr; });
  }

  const sail::TempFolder folder;
  std::unique_ptr<ScriptedPeer> console;
};

}  // namespace manager
