// The program: shows a desktop, a part or window of it, or a program on its own virtual screen,
// until it is closed. One thread; libsail has its own threads.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "sail/apps/desktop/desktop.h"
#include "sail/apps/desktop/look_pace.h"
#include "sail/apps/desktop/private_pulse.h"
#include "sail/apps/desktop/screen_program.h"
#include "sail/apps/desktop/share_options.h"
#include "sail/apps/program/program_shell.h"
#include "sail/apps/share/x11/private_x_server.h"

namespace sail {

class DesktopShare final : ProgramShell {
 public:
  // name: program name. own: runs on its own screen, which `open` opens; null: share a desktop.
  DesktopShare(const char* name, ShareOptions options, std::unique_ptr<ScreenProgram> own,
               OpenDesktop open);

  // Returns the exit code.
  int run();

 private:
  // A resized screen or window is followed when its size has been stable for this time.
  static constexpr int64_t kSettleNs = 200'000'000;

  // Call before any thread starts.
  Result<void> start_own();
  void start_sound();
  Result<void> begin();
  Result<void> open_window();
  std::string title() const;
  // Checks the desktop once for changes.
  void pump();
  void follow_size();
  void submit();
  void play();
  // Handles events until the next look is due, and returns that time. looked_ns: previous due time.
  int64_t attend(int64_t looked_ns);
  void obey(const sail_event& event) override;
  void obey(const sail_input& input);

  const ShareOptions options_;
  std::unique_ptr<PrivateXServer> screen_;  // screen of `own_`; null: a desktop is shared
  std::unique_ptr<PrivatePulse> sound_;     // sound of `own_`; null: none
  std::unique_ptr<ScreenProgram> own_;      // null: none
  const OpenDesktop open_;
  std::unique_ptr<Desktop> desktop_;
  LookPace pace_;
  int64_t played_ns_ = 0;  // time of the last sound

  bool dirty_ = true;  // the kept frame differs from the submitted one
};

}  // namespace sail
