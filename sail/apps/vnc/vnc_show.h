// The program: shows another machine's desktop until its window is closed. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>

#include "sail/apps/desktop/wall_input.h"
#include "sail/apps/program/program_shell.h"
#include "sail/apps/vnc/vnc_desktop.h"

namespace sail {

// Injects pointer and keyboard input into a remote desktop by VNC. One thread.
class VncInput {
 public:
  // The desktop must outlive this object.
  explicit VncInput(VncDesktop& desktop) : desktop_(desktop) {}

  // Interface required by bring_to().
  void move_to(int x, int y);
  void press_button(int button, bool down);
  void turn_wheel(double right, double down);
  bool press_key(const std::string& key, bool down);
  void release_all();

 private:
  void click(unsigned button, int times);

  VncDesktop& desktop_;
  int x_ = 0;
  int y_ = 0;
  uint8_t buttons_ = 0;      // RFB mask of held buttons
  std::set<uint32_t> keys_;  // held keysyms
  bool caps_lock_ = false;   // toggled by users at the wall, as far as known
  WheelNotches wheel_right_;
  WheelNotches wheel_down_;
};

// Command line of vitrail-vnc.
struct VncOptions : ShellOptions {
  VncAddress desktop;
  std::string password_file;  // empty: asked for in a terminal if required
  bool view_only = false;
};

std::variant<VncOptions, CommandLineAnswer> parse_vnc_options(int count,
                                                              const char* const* arguments);

class VncShow final : ProgramShell {
 public:
  explicit VncShow(VncOptions options);

  // Returns the exit code.
  int run();

 private:
  static constexpr int64_t kSettleNs = 200'000'000;
  static constexpr int64_t kFirstPauseNs = 500'000'000;  // before reconnecting; doubles
  static constexpr int64_t kLongestPauseNs = 10'000'000'000;

  Result<std::string> read_password() const;
  Result<void> begin();
  Result<void> open_window();
  // Shows the desktop's current picture on the wall. Returns false if the connection is lost.
  bool pump();
  void try_again();
  void take(std::unique_ptr<VncDesktop> desktop);
  void submit();
  void obey(const sail_event& event) override;

  const VncOptions options_;
  std::string password_;
  std::unique_ptr<VncDesktop> desktop_;  // null: not connected
  std::optional<VncInput> input_;        // for the desktop; empty with --view-only
  int64_t pause_ns_ = kFirstPauseNs;
  int64_t again_at_ns_ = 0;
  bool dirty_ = true;
};

}  // namespace sail
