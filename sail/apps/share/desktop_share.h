// The program: shows a desktop, a part or window of it, or a program on its own virtual screen,
// until it is closed. One thread; libsail has its own threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "sail/apps/desktop/desktop.h"
#include "sail/apps/desktop/private_pulse.h"
#include "sail/apps/desktop/screen_program.h"
#include "sail/apps/desktop/share_options.h"
#include "sail/apps/program/program_shell.h"
#include "sail/apps/share/x11/x11_private_server.h"

namespace sail {

// Decides when to check a screen for changes: at the wanted frame rate while there is activity,
// less often after a while without. Each check costs a round trip to the X server. Pure; steady
// times.
class LookPace {
 public:
  // Interval between checks at rest, and so the maximum delay of the first change after a rest.
  static constexpr int64_t kRestNs = 50'000'000;
  // Time without activity before resting.
  static constexpr int64_t kStillNs = 1'000'000'000;

  explicit LookPace(int64_t interval_ns) : interval_ns_(interval_ns) {}

  // Call when something was drawn or came from the wall.
  void stir(int64_t now_ns) { stirred_ns_ = now_ns; }
  // looked_ns: due time of the last check.
  int64_t due_ns(int64_t looked_ns) const {
    const bool rests = looked_ns - stirred_ns_ >= kStillNs;
    return looked_ns + (rests ? std::max(interval_ns_, kRestNs) : interval_ns_);
  }

 private:
  const int64_t interval_ns_;
  int64_t stirred_ns_ = 0;
};

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
  // Handles events until the next check is due, and returns that time. looked_ns: previous due
  // time.
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
