#include "manager/monitor/wall_health.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "manager/wall/director.h"

namespace manager {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// "left" has the tiles a and b, "right" has c, 1000×1000 each, in a row.
sail::Wall three_tiles() {
  sail::Wall wall;
  wall.name = "three";
  wall.size = {3000, 1000};
  wall.receivers = {{"left", ""}, {"right", ""}};
  for (int i = 0; i < 3; ++i) {
    sail::Tile tile;
    tile.name = std::string(1, static_cast<char>('a' + i));
    tile.receiver = i < 2 ? "left" : "right";
    tile.wall_rect = {1000 * i, 0, 1000, 1000};
    tile.resolution = {1000, 1000};
    wall.tiles.push_back(tile);
  }
  return wall;
}

class WallHealthTest : public testing::Test {
 protected:
  WallHealthTest() {
    receivers.find("left")->peer = 1;
    receivers.find("right")->peer = 2;
  }
  Window& open(const sail::Rect& place) {
    Window window;
    window.title = "Film";
    window.wall_rect = place;
    return **windows.open(window);
  }
  Reports reports() const {
    return {.wall = wall,
            .receivers = receivers,
            .hosts = hosts,
            .switches = switches,
            .now_ns = now_ns,
            .now_s = 1};
  }
  bool evaluate(const Troubles& troubles = {}) {
    for (const uint32_t number : windows.order()) evaluate_window(*windows.find(number), reports());
    return health.evaluate(reports(), windows, troubles);
  }
  // Reports a stream of 60 frames a second whose encoding is too slow.
  void report_slow(Window& window) {
    sail::StreamStats stats{.frames_submitted = ++submitted, .frames_shown = 1, .fps_wanted = 60};
    stats.fps_submitted = stats.fps_shown = 40;
    stats.encode_ms = 160 + static_cast<double>(submitted);
    stats.links.push_back({.receiver = "left"});
    take_stats(window, stats, reports());
  }

  sail::Wall wall = three_tiles();
  WindowStack windows;
  WallSwitches switches;
  ReceiverRoster receivers{wall};
  Hosts hosts;
  WallHealth health;
  int64_t now_ns = 1;
  uint64_t submitted = 0;
};

TEST_F(WallHealthTest, AWallOfWhichNothingIsMissingIsWell) {
  EXPECT_FALSE(evaluate());
  EXPECT_EQ(health.grade(), Grade::kWell);
  EXPECT_EQ(health.sentence(), "all is well");
}

TEST_F(WallHealthTest, AReceiverThatIsAwayIsNamedWithItsTiles) {
  receivers.find("left")->peer = 0;
  EXPECT_TRUE(evaluate());
  EXPECT_FALSE(evaluate()) << "told already";
  EXPECT_EQ(health.grade(), Grade::kBad);
  EXPECT_EQ(health.sentence(), "receiver 'left' is disconnected: nothing is shown on 'a', 'b'");
  EXPECT_EQ(to_json(health)["problems"][0]["receiver"], "left");
  receivers.find("left")->peer = 3;
  EXPECT_TRUE(evaluate());
  EXPECT_THAT(health.problems(), IsEmpty());
}

TEST_F(WallHealthTest, WhatPeopleHaveSwitchedOffIsNamedAndWell) {
  switches = {.blank = true, .sound = {.muted = true}};
  EXPECT_TRUE(evaluate());
  EXPECT_EQ(health.grade(), Grade::kWell);
  ASSERT_THAT(health.problems(), SizeIs(2));
  EXPECT_EQ(health.problems()[0].cause, Cause::kBlank);
  EXPECT_THAT(health.problems()[0].sentence, HasSubstr("`vitrail blank off`"));
  EXPECT_EQ(health.problems()[1].cause, Cause::kMuted);
  EXPECT_THAT(health.problems()[1].sentence, HasSubstr("`vitrail master-volume --unmute`"));
  switches = {.blank_areas = {{{0, 0, 10, 10}, ""}}};
  EXPECT_TRUE(evaluate());
  ASSERT_THAT(health.problems(), SizeIs(1));
  EXPECT_THAT(health.problems()[0].sentence, HasSubstr("`vitrail unblank`"));
  switches = {.sound = {.volume = 0}};
  EXPECT_TRUE(evaluate());
  ASSERT_THAT(health.problems(), SizeIs(1));
  EXPECT_THAT(health.problems()[0].sentence, HasSubstr("`vitrail master-volume 100%`"));
  receivers.find("left")->peer = 0;
  EXPECT_TRUE(evaluate());
  EXPECT_EQ(health.problems()[0].cause, Cause::kReceiverAway) << "trouble comes first";
}

TEST_F(WallHealthTest, AReceiverThatWaitsForItsNewProgramIsNamedAndWell) {
  receivers.find("left")->stats = sail::ReceiverStats{.update = "version 9 is installed"};
  EXPECT_TRUE(evaluate());
  EXPECT_EQ(health.grade(), Grade::kWell);
  EXPECT_EQ(health.sentence(), "receiver 'left': version 9 is installed");
  EXPECT_EQ(to_json(health)["problems"][0]["cause"], "update");
  EXPECT_EQ(to_json(health)["problems"][0]["receiver"], "left");
  receivers.find("left")->peer = 0;
  EXPECT_TRUE(evaluate());
  ASSERT_THAT(health.problems(), SizeIs(1)) << "it restarts";
  EXPECT_EQ(health.problems()[0].cause, Cause::kReceiverAway);
}

TEST_F(WallHealthTest, ADisplayThatDoesNotTurnOnOrOffIsNamed) {
  auto& power = receivers.find("left")->power;
  power["a"] = {.state = sail::PowerState::kOff, .wanted = sail::PowerOrder::kOn};
  EXPECT_FALSE(evaluate()) << "it still has time";
  power["a"].disobeyed = true;
  EXPECT_TRUE(evaluate());
  EXPECT_EQ(health.grade(), Grade::kBad);
  EXPECT_EQ(health.sentence(), "display 'a' did not turn on: it is off");
  power["a"] = {.why = "projector tv: no", .wanted = sail::PowerOrder::kOff, .disobeyed = true};
  EXPECT_TRUE(evaluate());
  EXPECT_EQ(health.grade(), Grade::kSlow) << "the picture is there";
  EXPECT_EQ(health.sentence(), "display 'a' did not turn off: projector tv: no");
  EXPECT_EQ(to_json(health)["problems"][0]["cause"], "power");
}

TEST_F(WallHealthTest, AWindowWithoutASignalIsNamedAtOnce) {
  Window& window = open({0, 0, 500, 500});
  window.playback = sail::Playback{.live = true, .silent_since_s = 1'000'000};
  EXPECT_TRUE(evaluate());
  EXPECT_EQ(health.grade(), Grade::kBad);
  EXPECT_THAT(health.sentence(), HasSubstr("no signal since"));
}

TEST_F(WallHealthTest, AWindowThatStaysSlowIsNamed) {
  Window& window = open({0, 0, 500, 500});
  for (int i = 0; i < StreamHealth::kReports; ++i) {
    report_slow(window);
    EXPECT_FALSE(evaluate());
    EXPECT_EQ(window.health.grade(), Grade::kWell) << "window and wall are judged alike";
  }
  report_slow(window);
  EXPECT_TRUE(evaluate());
  EXPECT_EQ(window.health.grade(), Grade::kSlow);
  EXPECT_EQ(to_json(health)["problems"][0]["cause"], "encoding");
  EXPECT_EQ(health.sentence(), "window 1 “Film” shows fewer frames than it should");
  report_slow(window);
  EXPECT_FALSE(evaluate()) << "figures change all the time";
}

TEST_F(WallHealthTest, ARankThatIsAwayIsNamedAtOnce) {
  Window& window = open({0, 0, 1000, 1000});
  window.parts = {{.owner = 1, .owner_name = "sim", .region = {0, 0, 100, 50}},
                  {.owner = 2, .owner_name = "sim", .region = {0, 50, 100, 50}},
                  {.owner = 3, .owner_name = "sim", .region = {0, 100, 100, 50}}};
  EXPECT_FALSE(evaluate());
  window.parts[1].silent = true;
  window.parts[1].since_s = 1'000'000'000;
  ASSERT_TRUE(evaluate());
  EXPECT_THAT(health.sentence(), HasSubstr("window 1 “Film”: rank 1 of 3 (sim) has submitted "
                                           "no frames since "));
  EXPECT_THAT(health.sentence(), HasSubstr(": the others wait for it"));
  window.absent = sail::AbsentPart::kDark;
  window.parts[1].owner = 0;
  window.parts[2].owner = 0;
  ASSERT_TRUE(evaluate());
  EXPECT_THAT(health.sentence(), HasSubstr("rank 1 of 3 (sim) has been gone since "));
  EXPECT_THAT(health.sentence(), HasSubstr(": its part is dark (and 1 more)"));
  EXPECT_EQ(window.measured_stream(), window.parts[0].stream) << "of a rank that tells some";
}

TEST_F(WallHealthTest, WhatIsWorseComesFirst) {
  for (int i = 0; i < 3; ++i) {
    Window& window = open({0, 0, 500, 500});
    for (int k = 0; k < 3; ++k) report_slow(window);
  }
  EXPECT_TRUE(evaluate({.disk = "no space left on device"}));
  EXPECT_THAT(health.problems(), SizeIs(4));
  EXPECT_EQ(health.sentence(), "the wall cannot be saved: no space left on device (and 3 more)");
}

TEST_F(WallHealthTest, AJournalThatCannotBeKeptIsTold) {
  EXPECT_TRUE(evaluate({.journal = "no space left on device"}));
  EXPECT_EQ(health.grade(), Grade::kBad);
  EXPECT_EQ(health.sentence(), "the journal cannot be kept: no space left on device");
}

TEST_F(WallHealthTest, AWitnessThatIsAwayIsTold) {
  Troubles troubles{.witness = "the witness etcd://head3:2379 does not answer: head3:2379: x"};
  EXPECT_TRUE(evaluate(troubles));
  ASSERT_THAT(health.problems(), SizeIs(1));
  EXPECT_EQ(health.problems()[0].cause, Cause::kWitness);
  EXPECT_EQ(health.grade(), Grade::kSlow);
  EXPECT_THAT(health.sentence(), HasSubstr("head3:2379: x; without a standby the manager ends"));
  troubles.has_standby = true;
  EXPECT_TRUE(evaluate(troubles));
  EXPECT_THAT(health.sentence(), HasSubstr("head3:2379: x; the wall has a manager only while"));
}

TEST_F(WallHealthTest, AWindowWithADarkPartIsToldByItsReceiver) {
  Window& window = open({0, 0, 500, 500});
  report_slow(window);
  receivers.find("left")->peer = 0;
  EXPECT_TRUE(evaluate());
  EXPECT_THAT(health.problems(), SizeIs(1));
  EXPECT_EQ(window.health.diagnosis().cause, Cause::kReceiverAway);
}

TEST_F(WallHealthTest, AStreamPassesTheReceiversThatShowIt) {
  Window& window = open({500, 0, 1000, 1000});
  receivers.find("left")->stats = sail::ReceiverStats{.decode_pct = 12};
  receivers.find("right")->stats = sail::ReceiverStats{.decode_pct = 34};
  receivers.find("left")->measured_ns = now_ns;
  window.stats = sail::StreamStats{};
  window.stats->links.push_back({.receiver = "left"});
  now_ns += 1'500'000'000;
  const Flow flow = flow_of(window, reports());
  ASSERT_THAT(flow.nodes, SizeIs(1));
  EXPECT_EQ(flow.nodes[0].name, "left");
  EXPECT_EQ(flow.nodes[0].stats->decode_pct, 12);
  EXPECT_EQ(flow.nodes[0].age_s, 1.5);
  EXPECT_THAT(flow.away, IsEmpty());
}

TEST_F(WallHealthTest, AReceiverWithoutItsDisplayIsNamed) {
  ReceiverEntry& left = *receivers.find("left");
  left.stats = sail::ReceiverStats{};
  left.measured_ns = now_ns;
  left.stats->display = sail::DisplayStats{.driver = "memory"};
  EXPECT_FALSE(evaluate()) << "memory was requested";
  left.stats->display->trouble = "no display: x11 not available";
  EXPECT_TRUE(evaluate());
  EXPECT_EQ(health.grade(), Grade::kBad);
  EXPECT_EQ(health.sentence(), "receiver 'left' shows on nothing: no display: x11 not available");
  EXPECT_EQ(to_json(health)["problems"][0]["cause"], "display");
  left.stats->display = sail::DisplayStats{
      .driver = "x11", .trouble = "left has no output B", .windows = {{.tile = "a"}}};
  EXPECT_TRUE(evaluate());
  EXPECT_EQ(health.grade(), Grade::kBad);
  EXPECT_EQ(health.sentence(), "receiver 'left' does not show all its tiles: left has no output B");
  left.stats->display = sail::DisplayStats{
      .driver = "x11", .trouble = "the window moved", .windows = {{.tile = "a"}, {.tile = "b"}}};
  EXPECT_TRUE(evaluate());
  EXPECT_EQ(health.grade(), Grade::kSlow);
  EXPECT_EQ(health.sentence(), "receiver 'left' shows tiles at a wrong place: the window moved");
  left.stats->display = sail::DisplayStats{.driver = "x11", .uncorrected = "tile 'a' is odd"};
  EXPECT_TRUE(evaluate());
  EXPECT_EQ(health.grade(), Grade::kSlow);
  EXPECT_EQ(health.sentence(), "receiver 'left': tile 'a' is odd");
}

TEST_F(WallHealthTest, ATestPatternIsNotForgotten) {
  Director director(wall, windows);
  director.set_pattern(sail::TestPattern::kGrid, now_ns);
  Reports with_director = reports();
  with_director.director = &director;
  EXPECT_TRUE(health.evaluate(with_director, windows, {}));
  ASSERT_THAT(health.problems(), SizeIs(1));
  EXPECT_THAT(health.problems()[0].sentence, HasSubstr("`vitrail wall calibrate off`"));
}

TEST_F(WallHealthTest, ReceiversBeneathAWindowThatAreAwayAreFound) {
  Window& window = open({1500, 0, 1000, 1000});
  receivers.find("left")->peer = 0;
  receivers.find("right")->peer = 0;
  EXPECT_THAT(flow_of(window, reports()).away, ElementsAre("left", "right"));
  window.wall_rect.x = 2000;
  EXPECT_THAT(flow_of(window, reports()).away, ElementsAre("right"));
}

TEST_F(WallHealthTest, WhoTellsNothingAnyMoreIsNamedWithoutAReport) {
  Window& window = open({0, 0, 500, 500});
  receivers.find("left")->stats = sail::ReceiverStats{};
  receivers.find("left")->measured_ns = now_ns;
  for (int i = 0; i < 3; ++i) report_slow(window);
  now_ns += 2'000'000'000;
  EXPECT_TRUE(evaluate());
  EXPECT_EQ(window.health.diagnosis().cause, Cause::kProgramStopped);
  EXPECT_EQ(health.problems()[0].cause, Cause::kReceiverStopped);
  EXPECT_EQ(health.problems()[0].receiver, "left");
  EXPECT_EQ(health.problems()[1].window, window.number);
}

TEST_F(WallHealthTest, AReceiverThatStandsStillIsNamedWithTheCommandThatHelps) {
  Window& window = open({0, 0, 500, 500});
  ReceiverEntry& left = *receivers.find("left");
  left.run = ReceiverRun{.runs = true, .starts = 1};
  left.was_connected = true;
  left.stats = sail::ReceiverStats{};
  left.measured_ns = now_ns;
  now_ns += 2'000'000'000;
  EXPECT_TRUE(evaluate());
  EXPECT_EQ(health.problems()[0].cause, Cause::kReceiverStopped);
  EXPECT_THAT(health.sentence(), HasSubstr("`vitrail restart left`"));
  // The manager has closed its connection, but its program still runs.
  left.peer = 0;
  left.stats.reset();
  EXPECT_TRUE(evaluate());
  EXPECT_EQ(health.problems()[0].cause, Cause::kReceiverStopped);
  EXPECT_THAT(health.sentence(), HasSubstr("`vitrail restart left`"));
  EXPECT_EQ(window.health.diagnosis().cause, Cause::kReceiverStopped);
  EXPECT_THAT(window.health.diagnosis().sentence, HasSubstr("`vitrail restart left`"));
  left.was_connected = false;  // started again
  EXPECT_TRUE(evaluate());
  EXPECT_EQ(health.problems()[0].cause, Cause::kReceiverAway);
  EXPECT_EQ(window.health.diagnosis().cause, Cause::kReceiverAway);
}

TEST_F(WallHealthTest, APlayerThatStandsStillIsNamed) {
  EXPECT_TRUE(evaluate({.hanging = {"the player of “Film” does not answer"}}));
  EXPECT_EQ(health.grade(), Grade::kBad);
  EXPECT_EQ(health.problems()[0].cause, Cause::kProgramStopped);
}

TEST_F(WallHealthTest, WhatIsBeingOpenedForLongIsNamed) {
  EXPECT_TRUE(evaluate({.opening = {"giga.jpg", "film.mp4"}}));
  EXPECT_EQ(health.grade(), Grade::kSlow);
  EXPECT_THAT(health.sentence(), HasSubstr("“giga.jpg” and 1 more"));
  EXPECT_EQ(health.problems()[0].cause, Cause::kOpening);
}

}  // namespace
}  // namespace manager
