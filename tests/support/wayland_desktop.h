// What of a Wayland session it takes to share a screen: a D-Bus, PipeWire and the desktop's portal,
// on which a screen of the test's own is. No desktop is needed, and no other is touched. The
// portals of wlroots would do, but refuse screens that no graphics card draws. One thread.
#pragma once

#include <filesystem>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "sail/base/geometry.h"
#include "tests/support/child_program.h"
#include "tests/support/drawn_screen.h"
#include "tests/support/temp_folder.h"

namespace test {

class WaylandDesktop {
 public:
  // What of it is not installed; empty: nothing.
  static std::string missing();
  enum class Input : uint8_t { kNone, kIfPeopleGiveIt };
  // Returns when its screen can be shared.
  explicit WaylandDesktop(sail::Size size, Input input = Input::kIfPeopleGiveIt);

  DrawnScreen& screen() { return *screen_; }
  // For programs that are to be in it.
  const ChildProgram::Environment& environment() const { return environment_; }
  // Where these keep what they are to find again.
  std::filesystem::path state_folder() const { return folder_.path() / "state"; }
  // It is gone without a word.
  void kill_pipewire();

 private:
  ChildProgram& start(const std::vector<std::string>& words);
  void await(const std::string& file);

  const sail::TempFolder folder_;
  ChildProgram::Environment environment_;
  std::list<ChildProgram> programs_;
  ChildProgram* pipewire_ = nullptr;
  std::optional<DrawnScreen> screen_;
};

}  // namespace test
