// Exit of programs that show content, and their window options.
#include "sail/apps/program/program_shell.h"

#include <gtest/gtest.h>

#include <csignal>

namespace sail {
namespace {

class Probe final : public ProgramShell {
 public:
  Probe() : ProgramShell("probe", {}) {}

  using ProgramShell::ended_;
  using ProgramShell::exit_code_;
  using ProgramShell::give_up;
  using ProgramShell::hear;
  std::string said;

 private:
  void obey(const sail_event&) override {}
  void say(LogLevel, const std::string& sentence) override { said = sentence; }
};

TEST(ProgramShell, EndsAtASignal) {
  Probe probe;
  probe.hear(0);
  EXPECT_FALSE(probe.ended_);
  std::raise(SIGTERM);
  probe.hear(0);
  EXPECT_TRUE(probe.ended_);
  EXPECT_EQ(probe.exit_code_, 0) << "somebody wanted it so";
}

TEST(ProgramShell, GivesUpWithASentence) {
  Probe probe;
  EXPECT_EQ(probe.give_up("there is no wall"), 1);
  EXPECT_TRUE(probe.ended_);
  EXPECT_EQ(probe.exit_code_, 1);
  EXPECT_EQ(probe.said, "there is no wall");
}

TEST(ProgramShell, OptionsSayWhatTheWindowIs) {
  ShellOptions options;
  options.place = Rect{1, 2, 3, 4};
  options.transport = {.transport = Transport::kUdp, .delay_ms = 40};
  Opening opening;
  fill_in(opening, options, "film.mp4");
  EXPECT_EQ(opening.title, "film.mp4");
  EXPECT_EQ(opening.place, (Rect{1, 2, 3, 4}));
  EXPECT_EQ(opening.transport, options.transport);
  options.title = "Visitors";
  fill_in(opening, options, "film.mp4");
  EXPECT_EQ(opening.title, "Visitors");
}

}  // namespace
}  // namespace sail
