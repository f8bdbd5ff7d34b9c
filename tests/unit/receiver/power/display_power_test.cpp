// Displays controlled by real programs and by a projector that the test plays.
#include "receiver/power/display_power.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>

#include "receiver/power/power_runs.h"
#include "sail/core/base/private_file.h"
#include "sail/core/socket/tcp.h"
#include "tests/support/environment_variable.h"
#include "tests/support/loop_test.h"
#include "tests/support/temp_folder.h"

namespace receiver {
namespace {

using sail::PowerControl;
using sail::PowerOrder;
using sail::PowerState;
using sail::TilePower;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Greets without a password, and answers each command by the next of its answers.
class FakeProjector : private sail::TcpReader {
 public:
  FakeProjector(sail::Loop& loop, std::vector<std::string> answers) : answers_(std::move(answers)) {
    auto listener =
        sail::TcpListener::listen(loop, {"127.0.0.1", 0},
                                  [this](std::unique_ptr<sail::TcpConnection> connection) {
                                    connection_ = std::move(connection);
                                    connection_->start_reading(*this);
                                    answer();
                                  },
                                  {}, {.tls = sail::TlsUse::kAsItComes});
    EXPECT_TRUE(listener);
    listener_ = *std::move(listener);
  }
  PowerControl control() const {
    return {.pjlink = "127.0.0.1", .port = listener_->address().port};
  }
  const std::string& received() const { return received_; }

 private:
  void answer() {
    if (next_ == answers_.size()) return;
    const std::string line = answers_[next_++] + "\r";
    connection_->write_copy({reinterpret_cast<const uint8_t*>(line.data()), line.size()});
  }
  std::span<uint8_t> read_buffer() override { return buffer_; }
  void on_read(size_t bytes) override {
    received_.append(reinterpret_cast<const char*>(buffer_.data()), bytes);
    answer();
  }
  void on_closed(const sail::Error&) override {}

  const std::vector<std::string> answers_;
  size_t next_ = 0;
  std::string received_;
  std::array<uint8_t, 256> buffer_{};
  std::unique_ptr<sail::TcpListener> listener_;
  std::unique_ptr<sail::TcpConnection> connection_;
};

class DisplayPowerTest : public testing::Test {
 protected:
  static std::vector<std::string> shell(const std::string& script) { return {"sh", "-c", script}; }
  // A display whose state is the text of a file.
  PowerControl in_file(const std::string& name) const {
    const std::string file = folder_.file(name);
    return {.on = shell("echo is on > " + file),
            .off = shell("echo is off > " + file),
            .status = shell("cat " + file),
            .status_on = "on"};
  }
  void start(const sail::NodePower& power, int64_t limit_ms = sail::kPowerTimeoutMs) {
    power_.emplace(loop_, power, limit_ms);
  }
  std::vector<TilePower> run(PowerOrder order, const std::vector<std::string>& tiles = {}) {
    std::optional<sail::PowerAnswer> answer;
    const auto begun = power_->run({.order = order, .tiles = tiles}, {"a", "b", "c"},
                                   [&](sail::PowerAnswer given) { answer = std::move(given); });
    EXPECT_TRUE(begun) << begun.error().message;
    EXPECT_TRUE(sail::run_until(loop_, [&] { return answer.has_value(); }));
    return answer.value_or(sail::PowerAnswer{}).tiles;
  }

  const sail::TempFolder folder_;
  sail::Loop loop_;
  std::optional<DisplayPower> power_;
};

TEST_F(DisplayPowerTest, TilesThatShareADisplayTurnTogether) {
  start({.node = in_file("node"), .tiles = {{"c", in_file("c")}}});
  EXPECT_THAT(run(PowerOrder::kOn),
              ElementsAre(TilePower{"a", PowerState::kOn}, TilePower{"b", PowerState::kOn},
                          TilePower{"c", PowerState::kOn}));
  EXPECT_THAT(run(PowerOrder::kOff, {"b"}),
              ElementsAre(TilePower{"a", PowerState::kOff}, TilePower{"b", PowerState::kOff}));
  EXPECT_THAT(run(PowerOrder::kStatus, {"c"}), ElementsAre(TilePower{"c", PowerState::kOn}));
}

TEST_F(DisplayPowerTest, TilesWithoutAControlAreLeftOut) {
  start({.tiles = {{"a", in_file("a")}, {"elsewhere", in_file("elsewhere")}}});
  EXPECT_THAT(run(PowerOrder::kOn), ElementsAre(TilePower{"a", PowerState::kOn}));
  EXPECT_THAT(run(PowerOrder::kOn, {"b"}), IsEmpty());
  const auto unknown = power_->run({.tiles = {"elsewhere"}}, {"a"}, [](const auto&) {});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, sail::ErrorCode::kInvalidParams);
  EXPECT_FALSE(std::filesystem::exists(folder_.file("elsewhere")));
}

TEST_F(DisplayPowerTest, FailedCommandsAreNamed) {
  PowerControl fails = in_file("a");
  fails.on = shell("exit 3");
  PowerControl missing = in_file("b");
  missing.status = {"vitrail-no-such-program"};
  start({.tiles = {{"a", fails}, {"b", missing}}});
  const auto tiles = run(PowerOrder::kOn);
  ASSERT_EQ(tiles.size(), 2U);
  EXPECT_EQ(tiles[0].state, PowerState::kUnknown);
  EXPECT_EQ(tiles[0].why, "`sh -c exit 3` failed with exit status 3");
  EXPECT_EQ(tiles[1].state, PowerState::kUnknown);
  EXPECT_THAT(tiles[1].why, HasSubstr("`vitrail-no-such-program` cannot be started"));
  EXPECT_FALSE(std::filesystem::exists(folder_.file("a"))) << "nothing else was run";
}

TEST_F(DisplayPowerTest, ACommandThatHangsIsKilledAndTheNextOneRuns) {
  PowerControl hangs = in_file("a");
  const std::string file = folder_.file("once");
  hangs.status =
      shell(fmt::format("test -e {0} && exec echo is on; touch {0}; sleep 1000; true", file));
  start({.node = hangs}, sail::kTestDeadlineMs / 10);
  std::vector<sail::PowerAnswer> answers;
  for (const PowerOrder order : {PowerOrder::kStatus, PowerOrder::kOn}) {
    ASSERT_TRUE(
        power_->run({.order = order}, {"a"}, [&](const auto& given) { answers.push_back(given); }));
  }
  ASSERT_TRUE(sail::run_until(loop_, [&] { return answers.size() == 2; }));
  EXPECT_EQ(answers[0].tiles[0].state, PowerState::kUnknown);
  EXPECT_THAT(answers[0].tiles[0].why, HasSubstr("the display's command did not end within"));
  EXPECT_EQ(answers[1].tiles[0], (TilePower{"a", PowerState::kOn}));
}

TEST_F(DisplayPowerTest, TooMuchOutputIsRefused) {
  PowerControl control = in_file("a");
  control.status = {"yes", "is on"};
  start({.node = control});
  EXPECT_THAT(run(PowerOrder::kStatus)[0].why, HasSubstr("it wrote more than 64 KiB"));
}

TEST_F(DisplayPowerTest, TooManyOrdersAreRefused) {
  PowerControl hangs = in_file("a");
  hangs.status = {"sleep", "1000"};
  start({.node = hangs});
  std::vector<sail::PowerAnswer> answers;
  for (int i = 0; i < 17; ++i) {
    const PowerOrder order = i == 0 ? PowerOrder::kStatus : PowerOrder::kOn;
    ASSERT_TRUE(
        power_->run({.order = order}, {"a"}, [&](const auto& given) { answers.push_back(given); }));
  }
  ASSERT_EQ(answers.size(), 1U);
  EXPECT_THAT(answers[0].tiles[0].why, HasSubstr("too many orders"));
}

TEST_F(DisplayPowerTest, QuestionsShareOneAnswer) {
  PowerControl counts = in_file("a");
  const std::string file = folder_.file("asked");
  counts.status = shell(fmt::format("echo asked >> {}; echo is on", file));
  start({.node = counts});
  std::vector<sail::PowerAnswer> answers;
  for (int i = 0; i < 17; ++i) {
    ASSERT_TRUE(power_->run({}, {"a"}, [&](const auto& given) { answers.push_back(given); }));
  }
  ASSERT_TRUE(sail::run_until(loop_, [&] { return answers.size() == 17; }));
  for (const auto& answer : answers) EXPECT_EQ(answer.tiles[0].state, PowerState::kOn);
  EXPECT_EQ(*sail::read_file(file, 100), "asked\n");
}

// Whether the process still runs; orphans may stay zombies.
bool runs(const std::string& pid) {
  std::ifstream stat("/proc/" + pid + "/stat");
  std::string number;
  std::string name;
  char state = 'Z';
  stat >> number >> name >> state;
  return state != 'Z';
}

TEST_F(DisplayPowerTest, ACommandEndsWithAReceiverThatIsKilled) {
  PowerControl hangs = in_file("a");
  const std::string file = folder_.file("pids");
  // The shell and a program that the shell starts.
  hangs.status =
      shell(fmt::format("sleep 1000 & echo $$ $! > {0}.new; mv {0}.new {0}; wait", file));
  const pid_t receiver = fork();
  ASSERT_GE(receiver, 0);
  if (receiver == 0) {
    sail::Loop loop;
    DisplayPower power(loop, {.node = hangs}, int64_t{1000} * sail::kTestDeadlineMs);
    (void)power.run({}, {"a"}, [](const auto&) {});
    sail::run_until(loop, [] { return false; });
    _exit(0);
  }
  ASSERT_TRUE(sail::run_until(loop_, [&] { return std::filesystem::exists(file); }));
  ASSERT_EQ(kill(receiver, SIGKILL), 0);
  ASSERT_EQ(waitpid(receiver, nullptr, 0), receiver);
  std::ifstream pids(file);
  for (std::string pid; pids >> pid;) {
    EXPECT_TRUE(sail::run_until(loop_, [&] { return !runs(pid); })) << pid;
  }
}

TEST_F(DisplayPowerTest, CommandsDoNotGetTheKey) {
  const ::test::EnvironmentVariable key("VITRAIL_KEY", "secret");
  PowerControl control = in_file("a");
  control.status = shell("echo key=$VITRAIL_KEY.");
  control.status_on = "key=.";
  start({.node = control});
  EXPECT_EQ(run(PowerOrder::kStatus, {"a"})[0].state, PowerState::kOn);
}

TEST_F(DisplayPowerTest, AProjectorIsSwitchedByPjlink) {
  FakeProjector projector(loop_, {"PJLINK 0", "%1POWR=OK", "%1POWR=3"});
  start({.tiles = {{"a", projector.control()}}});
  EXPECT_THAT(run(PowerOrder::kOn), ElementsAre(TilePower{"a", PowerState::kWarming}));
  EXPECT_EQ(projector.received(), "%1POWR 1\r%1POWR ?\r");
}

TEST_F(DisplayPowerTest, AProjectorGetsThePasswordOfTheFile) {
  FakeProjector projector(loop_, {"PJLINK 1 498e4a67", "%1POWR=0"});
  PowerControl control = projector.control();
  control.password_file = folder_.write("password", "JBMIAProjectorLink\n");
  start({.node = control});
  EXPECT_EQ(run(PowerOrder::kStatus, {"a"})[0].state, PowerState::kOff);
  EXPECT_EQ(projector.received(), "5d8409bc1c3fa39749434aa3a5c38682%1POWR ?\r");
}

TEST_F(DisplayPowerTest, ProjectorsThatDoNotAnswerAreNamed) {
  FakeProjector silent(loop_, {});
  start({.node = silent.control()}, 200);
  EXPECT_EQ(run(PowerOrder::kStatus)[0].why, "the display's projector did not answer within 0.2 s");
  PowerControl empty = silent.control();
  empty.password_file = folder_.write("empty", "\n");
  start({.node = empty});
  EXPECT_THAT(run(PowerOrder::kStatus)[0].why, HasSubstr("'password_file'"));
  EXPECT_THAT(run(PowerOrder::kStatus)[0].why, HasSubstr("is empty"));
  PowerControl no_file = silent.control();
  no_file.password_file = folder_.file("none");
  start({.node = no_file});
  EXPECT_THAT(run(PowerOrder::kStatus)[0].why, HasSubstr("projector 127.0.0.1: "));
}

TEST(ContainsWord, FindsWholeWordsOnly) {
  EXPECT_TRUE(contains_word("Monitor is On\n", "Monitor is On"));
  EXPECT_TRUE(contains_word("pwr-state: on (0x00)", "on"));
  EXPECT_FALSE(contains_word("monitor is off", "on"));
  EXPECT_FALSE(contains_word("VCP D6 SNC x010", "x01"));
  EXPECT_TRUE(contains_word("x010 x01", "x01"));
  EXPECT_TRUE(contains_word("key=.", "=."));
  EXPECT_FALSE(contains_word("", "on"));
}

}  // namespace
}  // namespace receiver
