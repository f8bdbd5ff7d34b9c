// The program: shows a desktop, a part or a window of it, or a program on a screen of its own,
// until it is closed. One thread; libsail has its own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "sail/desk/desktop.h"
#include "sail/desk/look_pace.h"
#include "sail/desk/own_screen.h"
#include "sail/desk/own_sound.h"
#include "sail/desk/screen_program.h"
#include "sail/desk/share_options.h"
#include "sail/program/program_shell.h"

namespace sail {

class DesktopShare final : ProgramShell {
 public:
  // name: of the program that people have started. own: is shown on a screen of its own, which
  // `open` is to find; null: a desktop is.
  DesktopShare(const char* name, ShareOptions options, std::unique_ptr<ScreenProgram> own,
               OpenDesktop open);

  // The exit code.
  int run();

 private:
  // A screen or window that is being resized is followed when it has rested so long.
  static constexpr int64_t kSettleNs = 200'000'000;

  // Before there are threads.
  Result<void> start_own();
  void start_sound();
  Result<void> begin();
  Result<void> open_window();
  std::string title() const;
  // Looks at the desktop once.
  void look();
  void follow_size();
  void submit();
  void play();
  // Obeys what comes from the wall until the next look is due: when that is. looked_ns: when the
  // last one was.
  int64_t attend(int64_t looked_ns);
  void obey(const sail_event& event) override;
  void obey(const sail_input& input);

  const ShareOptions options_;
  std::unique_ptr<OwnScreen> screen_;   // of the program; null: a desktop's
  std::unique_ptr<OwnSound> sound_;     // of the program; null: it has none
  std::unique_ptr<ScreenProgram> own_;  // null: none
  const OpenDesktop open_;
  std::unique_ptr<Desktop> desktop_;
  LookPace pace_;
  int64_t played_ns_ = 0;  // when sound was played last

  bool dirty_ = true;  // what is kept is not what was submitted last
};

}  // namespace sail
