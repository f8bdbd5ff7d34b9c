// A manager with fake players, whose events show scenes.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sail/core/wire/scene_change.h"
#include "tests/unit/manager/peers/fake_players_test.h"

namespace manager {

inline constexpr sail::Rect kBaseLeft{100, 100, 640, 360};
inline constexpr sail::Rect kBaseRight{2000, 100, 640, 360};
inline constexpr sail::Rect kAlarmLeft{0, 0, 1280, 720};
inline constexpr sail::Rect kAlarmRight{2400, 300, 640, 360};

class EventScenesTest : public FakePlayersTest {
 protected:
  // What must come back.
  struct WallNow {
    std::map<uint32_t, WindowPlacement> windows;
    std::vector<uint32_t> order;
    size_t partitions = 0;

    bool operator==(const WallNow&) const = default;
  };

  EventScenesTest() { options.times.return_ms = 100; }
  // Saves a session with these windows, which are not open afterwards.
  void save_scene(const std::string& name, const std::map<std::string, sail::Rect>& media) {
    for (const auto& [medium, place] : media) play(medium, place);
    console->expect("session_save", {{"name", name}});
    console->expect("close", {{"windows", fs_manager->desk().windows().order()}});
  }
  void set_rules(const sail::Json& rules) { console->expect("event_rules", {{"rules", rules}}); }
  sail::Json begin_event(const std::string& name,
                         const sail::Json& payload = sail::Json::object()) {
    return console->expect("event_start", {{"name", name}, {"payload", payload}});
  }
  void clear(const std::string& name) { console->expect("event_clear", {{"name", name}}); }
  // As wait(), for conditions that ask the manager, which themselves run the loop.
  void ask_until(const std::function<bool()>& condition) {
    for (int i = 0; i < 2000; ++i) {
      if (condition()) return;
      sail::run_some(loop, 10);
    }
    FAIL() << "the condition did not become true";
  }
  bool is_hidden(uint32_t number) { return find(number)->hidden; }
  // The windows of the receiver's current scene.
  std::vector<uint32_t> scene_of(ScriptedPeer& receiver) {
    wait([&] { return fs_manager->desk().director().settled(); });
    console->expect("list");
    sail::Scene scene;
    for (const ScriptedPeer::Message& message : receiver.messages) {
      if (message.method == "scene") {
        scene = *sail::message_from_json<sail::Scene>(message.params);
      } else if (message.method == "scene_change") {
        scene = *sail::changed_scene(scene,
                                     *sail::message_from_json<sail::SceneChange>(message.params));
      }
    }
    std::vector<uint32_t> windows;
    for (const sail::SceneWindow& window : scene.windows) windows.push_back(window.window);
    return windows;
  }
  WallNow wall_now() {
    WallNow now;
    for (const Window& window : fs_manager->desk().windows().bottom_to_top()) {
      now.windows.emplace(window.number, window.placement());
      now.order.push_back(window.number);
    }
    now.partitions = fs_manager->desk().arrangement().partitions().all().size();
    return now;
  }
};

}  // namespace manager
