// A manager that turns displays on and off, with receivers played by the test.
#include "manager/peers/wall_power.h"

#include <gmock/gmock.h>

#include <fstream>
#include <functional>

#include "tests/support/temp_folder.h"
#include "tests/unit/manager/peers/manager_test.h"

namespace manager {
namespace {

using sail::Json;
using testing::HasSubstr;

class WallPowerTest : public ManagerTest {
 protected:
  WallPowerTest() {
    const auto power = sail::read_power({{"pjlink", "10.0.0.21"}}, "power");
    EXPECT_TRUE(power);
    options.wall.power = *power;
    options.times.power_poll_ms = 10;
  }
  void begin() {
    start();
    console = ui();
    left = receiver("left");
    right = receiver("right", 5002);
  }
  static void answer(ScriptedPeer& receiver, const std::string& tile, const std::string& power) {
    const Json display = {{"tile", tile}, {"power", power}};
    receiver.answers["power"] = {{"tiles", Json::array({display})}};
  }
  // The display of the tile in the state; null: nothing is known.
  Json display(const std::string& tile) {
    const Json state = console->expect("list");
    for (const Json& receiver : state["receivers"]) {
      const Json displays = receiver.value("power", Json::array());
      for (const Json& one : displays) {
        if (one["tile"] == tile) return one;
      }
    }
    return nullptr;
  }
  // As wait(), for conditions that ask the manager, which themselves run the loop.
  void ask_until(const std::function<bool()>& condition) {
    for (int i = 0; i < 2000 && !HasFailure(); ++i) {
      if (condition()) return;
      sail::run_some(loop, 10);
    }
    FAIL() << "the condition did not become true";
  }
  // Waits for a problem with this cause, or for its end.
  Json wait_for_problem(bool there) {
    Json problem;
    ask_until([&] {
      problem = nullptr;
      const Json why = console->expect("why");
      for (const Json& one : why["problems"]) {
        if (one["cause"] == "power") problem = one;
      }
      return problem.is_null() != there;
    });
    return problem;
  }

  std::unique_ptr<ScriptedPeer> console;
  std::unique_ptr<ScriptedPeer> left;
  std::unique_ptr<ScriptedPeer> right;
};

TEST_F(WallPowerTest, TellsTheStateOfEachDisplay) {
  begin();
  answer(*left, "l", "on");
  answer(*right, "r", "cooling");
  const Json displays = console->expect("power_status")["displays"];
  ASSERT_EQ(displays.size(), 2U);
  EXPECT_EQ(displays[0], (Json{{"tile", "l"}, {"receiver", "left"}, {"power", "on"}}));
  EXPECT_EQ(displays[1], (Json{{"tile", "r"}, {"receiver", "right"}, {"power", "cooling"}}));
  EXPECT_EQ(left->next("power"), (Json{{"power", "status"}}));
  EXPECT_EQ(display("r"), (Json{{"tile", "r"}, {"power", "cooling"}}));
}

TEST_F(WallPowerTest, AReasonLastsAsLongAsItIsTrue) {
  begin();
  const Json broken = {{"tile", "l"}, {"power", "unknown"}, {"why", "exit status 3"}};
  left->answers["power"] = {{"tiles", Json::array({broken})}};
  console->expect("power_status", {{"nodes", Json::array({"left"})}});
  EXPECT_EQ(display("l"), broken);
  answer(*left, "l", "on");
  console->expect("power_status", {{"nodes", Json::array({"left"})}});
  EXPECT_EQ(display("l"), (Json{{"tile", "l"}, {"power", "on"}}));
}

TEST_F(WallPowerTest, AnEventTurnsTheDisplaysOn) {
  begin();
  answer(*left, "l", "on");
  answer(*right, "r", "on");
  const Json rule = {{"event", "motion"}, {"power", "on"}, {"acknowledge", true}};
  console->expect("event_rules", {{"rules", Json::array({rule})}});
  console->expect("event_start", {{"name", "motion"}});
  EXPECT_EQ(left->next("power"), (Json{{"power", "on"}}));
  EXPECT_EQ(right->next("power"), (Json{{"power", "on"}}));
  EXPECT_FALSE(console->expect("event_list")["events"][0].contains("shown"))
      << "the wall does not change";
}

TEST_F(WallPowerTest, DisplaysAreOffWhileNothingIsShown) {
  options.wall.power_idle_min = 2;
  options.times.idle_minute_ms = 50;
  begin();
  const auto app = application();
  const auto become = [&](const std::string& power) {
    answer(*left, "l", power);
    answer(*right, "r", power);
  };
  become("off");
  const Json idle = {{"tile", "l"}, {"power", "off"}, {"idle", true}};
  ask_until([&] { return display("l") == idle; });
  become("on");
  open_stream(*app, sail::Rect{0, 0, 1920, 1080});
  ask_until([&] { return display("l") == (Json{{"tile", "l"}, {"power", "on"}}); });
  become("off");
  console->expect("blank", {{"on", true}});
  ask_until([&] { return display("l") == idle; });

  // Somebody else's order replaces it: the next window turns nothing on.
  console->expect("power", {{"power", "off"}});
  EXPECT_EQ(display("l"), (Json{{"tile", "l"}, {"power", "off"}}));
}

TEST_F(WallPowerTest, ADisplayIsWokenOnce) {
  options.wall.power_idle_min = 2;
  options.times.idle_minute_ms = 50;
  begin();
  const auto app = application();
  answer(*left, "l", "off");
  answer(*right, "r", "off");
  ask_until([&] { return display("l").is_object() && display("l").contains("idle"); });
  // The receiver was started again, without a control for its display.
  left->answers["power"] = {{"tiles", Json::array()}};
  open_stream(*app, sail::Rect{0, 0, 1920, 1080});
  ask_until([&] { return !display("l").contains("idle"); });
  EXPECT_EQ(display("l")["wanted"], "on") << "the order waits";
}

TEST_F(WallPowerTest, CurtainsAndTextsOverWhatIsBlankAreShown) {
  const sail::TempFolder folder;
  options.player_program = FAKE_PROGRAM;
  options.state_folder = folder.path();
  options.times.opening_ms = 0;
  options.wall.power_idle_min = 2;
  options.times.idle_minute_ms = 50;
  begin();
  const auto become = [&](const std::string& power) {
    answer(*left, "l", power);
    answer(*right, "r", power);
  };
  const Json area = Json::array({{0, 0, 1920, 1080}});
  for (const Json& blank :
       {Json{{"source", "/film/sea"}}, Json{{"areas", area}, {"text", "back"}}}) {
    become("off");
    console->expect("blank", {{"on", true}});
    ask_until([&] { return display("l").is_object() && display("l").contains("idle"); });
    become("on");
    console->expect("blank", {{"on", false}});
    console->expect("blank", blank);
    ask_until([&] { return display("l") == (Json{{"tile", "l"}, {"power", "on"}}); });
    console->expect("blank", {{"on", false}});
  }
  end();
}

TEST_F(WallPowerTest, ActsOnTheSelectedDisplaysOnly) {
  begin();
  answer(*left, "l", "off");
  answer(*right, "r", "off");
  console->expect("power", {{"power", "off"}, {"nodes", Json::array({"left"})}});
  EXPECT_EQ(left->next("power"), (Json{{"power", "off"}}));
  EXPECT_TRUE(display("r").is_null());
  console->expect("power", {{"power", "off"}, {"tiles", Json::array({"r"})}});
  EXPECT_EQ(right->next("power"), (Json{{"power", "off"}, {"tiles", Json::array({"r"})}}));
  EXPECT_EQ(console->call("power_status", {{"tiles", Json::array({"x"})}}).error().code,
            sail::ErrorCode::kNotFound);
  EXPECT_EQ(console->call("power_status", {{"nodes", Json::array({"x"})}}).error().code,
            sail::ErrorCode::kNotFound);
}

TEST_F(WallPowerTest, AnOrderIsRepeatedUntilTheDisplayObeys) {
  begin();
  answer(*left, "l", "off");
  const Json nodes = Json::array({"left"});
  console->expect("power", {{"power", "on"}, {"nodes", nodes}});
  EXPECT_EQ(display("l")["wanted"], "on");
  EXPECT_EQ(left->next("power"), (Json{{"power", "on"}}));
  EXPECT_EQ(left->next("power"), (Json{{"power", "on"}, {"tiles", Json::array({"l"})}}))
      << "it was ignored";
  answer(*left, "l", "warming");
  ask_until([&] { return left->next("power").value("power", "") == "status"; });
  answer(*left, "l", "on");
  ask_until([&] { return display("l") == Json{{"tile", "l"}, {"power", "on"}}; });
}

TEST_F(WallPowerTest, ADisplayThatDoesNotObeyIsNamedUntilItDoes) {
  options.times.power_ms = 50;
  begin();
  answer(*left, "l", "off");
  console->expect("power", {{"power", "on"}, {"nodes", Json::array({"left"})}});
  const Json problem = wait_for_problem(true);
  EXPECT_EQ(problem["sentence"], "display 'l' did not turn on: it is off");
  EXPECT_EQ(problem["receiver"], "left");
  EXPECT_EQ(problem["state"], "bad");
  EXPECT_EQ(display("l")["disobeyed"], true);
  answer(*left, "l", "on");
  console->expect("power_status", {{"nodes", Json::array({"left"})}});
  wait_for_problem(false);
  EXPECT_EQ(display("l"), (Json{{"tile", "l"}, {"power", "on"}}));
}

TEST_F(WallPowerTest, TheNextManagerContinuesAnOrder) {
  const sail::TempFolder folder;
  options.state_folder = folder.path();
  begin();
  answer(*left, "l", "on");
  answer(*right, "r", "off");
  console->expect("power", {{"power", "off"}});
  EXPECT_EQ(display("l")["wanted"], "off");
  // It is killed: it cannot write anything at its end.
  console.reset();
  left.reset();
  right.reset();
  fs_manager.reset();

  begin();
  EXPECT_TRUE(display("r").is_null()) << "this display had obeyed";
  EXPECT_EQ(display("l")["wanted"], "off");
  answer(*left, "l", "on");
  ask_until([&] { return left->next("power").value("power", "") == "off"; });
  answer(*left, "l", "off");
  ask_until([&] { return display("l") == Json{{"tile", "l"}, {"power", "off"}}; });
  const Json kept = Json::parse(std::ifstream(options.state_folder / "power.json"));
  EXPECT_EQ(kept, (Json{{"pending", Json::array()}}));
}

TEST(PendingPowerTest, ADamagedFileIsRefused) {
  const PowerOrders orders = {{"l", {sail::PowerOrder::kOff, true}},
                              {"r", {sail::PowerOrder::kOn}}};
  EXPECT_EQ(*power_orders_from_json(to_json(orders)), orders);
  for (const Json& damaged : {Json(), Json::object(), Json{{"pending", {{{"tile", "l"}}}}},
                              Json{{"pending", {{{"tile", ""}, {"power", "on"}}}}}}) {
    const auto read = power_orders_from_json(damaged);
    ASSERT_FALSE(read) << damaged;
    EXPECT_EQ(read.error().code, sail::ErrorCode::kBadData);
  }
}

TEST_F(WallPowerTest, DisplaysThatCannotBeReachedAreToldWithTheReason) {
  begin();
  right.reset();
  answer(*left, "r", "on");  // another receiver's
  ask_until([&] {
    const Json displays = console->expect("power_status")["displays"];
    EXPECT_EQ(displays[0]["tile"], "l");
    EXPECT_EQ(displays[0]["power"], "unknown");
    EXPECT_THAT(displays[0]["why"].get<std::string>(), HasSubstr("without \"power\""));
    EXPECT_EQ(displays[1]["tile"], "r");
    EXPECT_EQ(displays[1]["power"], "unknown");
    return displays[1]["why"] == "receiver 'right' is not connected";
  });
}

TEST_F(WallPowerTest, ReceiversMayHaveControlsThatTheWallFileDoesNotName) {
  options.wall.power.reset();
  begin();
  EXPECT_EQ(console->call("power_status").error().code, sail::ErrorCode::kUnavailable);
  answer(*left, "l", "on");
  const Json displays = console->expect("power_status")["displays"];
  ASSERT_EQ(displays.size(), 1U);
  EXPECT_EQ(displays[0]["power"], "on");
}

}  // namespace
}  // namespace manager
