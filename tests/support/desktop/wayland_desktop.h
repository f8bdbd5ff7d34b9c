// The parts of a Wayland session needed for screen sharing: a D-Bus, PipeWire and the desktop
// portal with the test's own screen. Needs no desktop and does not touch a running one. The wlroots
// portal is not used, because it refuses screens without a graphics card. Single-threaded.
#pragma once

#include <filesystem>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "sail/core/base/geometry.h"
#include "tests/support/desktop/child_program.h"
#include "tests/support/desktop/drawn_screen.h"
#include "tests/support/temp_folder.h"

namespace test {

class WaylandDesktop {
 public:
  // Returns a program that is not installed; empty: none is missing.
  static std::string missing();
  enum class Input : uint8_t { kNone, kIfPeopleGiveIt };
  // Returns when the screen can be shared.
  explicit WaylandDesktop(sail::Size size, Input input = Input::kIfPeopleGiveIt);

  DrawnScreen& screen() { return *screen_; }
  // Environment for programs of this session.
  const ChildProgram::Environment& environment() const { return environment_; }
  // State folder of these programs.
  std::filesystem::path state_folder() const { return folder_.path() / "state"; }
  // Kills PipeWire without notice.
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
