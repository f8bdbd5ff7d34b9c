// Derives what a wall reports to webhooks from the state that clients follow. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sail/core/text/json.h"
#include "sail/core/wall/webhooks.h"

namespace ui {

struct WallNews {
  sail::Happening happening = sail::Happening::kTest;
  sail::Json facts;  // an object
  std::string text;  // a sentence for people
};

// After a connection to a manager, the state settles first: peers return one by one. Nothing is
// reported until then.
class WallReports {
 public:
  // The state of a new connection; settling begins.
  void reset(const sail::Json& state);
  // A change of the state. Returns what has happened, oldest first.
  std::vector<WallNews> change(const sail::Json& changed);
  // The state has settled. Its windows and scenes are those of before, or those of a new manager;
  // neither are reported.
  std::vector<WallNews> settle();

 private:
  struct WindowFacts {
    std::string title;
    std::string lost;  // why; empty: the window has its stream
  };
  struct State {
    std::map<std::string, bool> connected;      // receivers
    std::map<int64_t, WindowFacts> windows;     // by number
    std::map<std::string, std::string> events;  // names, by name and id
    std::map<std::string, sail::Json> alarms;   // facts, by sentence
    std::string scene;
    bool scene_opens = false;  // windows of the scene are opening
  };
  void take(const sail::Json& changed);
  std::vector<WallNews> compare();
  void compare_receivers(std::vector<WallNews>& news) const;
  void compare_windows(std::vector<WallNews>& news) const;
  void compare_scene(std::vector<WallNews>& news) const;
  void compare_events(std::vector<WallNews>& news) const;
  void compare_alarms(std::vector<WallNews>& news) const;

  State now_;
  std::optional<State> reported_;  // empty: nothing was reported yet
  bool settled_ = false;
};

}  // namespace ui
