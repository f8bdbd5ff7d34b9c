#include "ui/pointer/wand.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/unit/ui/pointer/fake_session.h"
#include "tests/unit/ui/pointer/osc_writer.h"
#include "tests/unit/ui/pointer/recording.h"
#include "ui/pointer/wands.h"

namespace ui {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::vector<uint8_t> bytes_of(const std::string& text) {
  return {text.begin(), text.end()};
}

std::string refusal(const std::string& text) {
  const auto poses = read_wand_poses(bytes_of(text));
  return poses ? "" : poses.error().message;
}

// A rotation about a unit axis.
std::array<double, 4> turned(const Vector& axis, double degrees) {
  const double half = degrees * std::numbers::pi / 360;
  return {axis[0] * std::sin(half), axis[1] * std::sin(half), axis[2] * std::sin(half),
          std::cos(half)};
}

TEST(WandMessages, JsonIsRead) {
  const auto poses = read_wand_poses(bytes_of(
      R"({"id":"a","pos":[1,2.5,-3],"quat":[0,0,0,2],"buttons":5,"t":12.5,"battery":"full"})"
      "\n\n"
      R"({"id":7,"pos":[0,0,0],"quat":[0,1,0,0]})"
      "\n"));
  ASSERT_TRUE(poses) << poses.error().message;
  ASSERT_THAT(*poses, SizeIs(2));
  EXPECT_EQ((*poses)[0].id, "a");
  EXPECT_EQ((*poses)[0].position, (Vector{1, 2.5, -3}));
  EXPECT_EQ((*poses)[0].orientation[3], 1) << "brought to length 1";
  EXPECT_EQ((*poses)[0].buttons, 5u);
  EXPECT_EQ((*poses)[0].time_s, 12.5);
  EXPECT_EQ((*poses)[1].id, "7");
  EXPECT_EQ((*poses)[1].time_s, std::nullopt);
}

TEST(WandMessages, OscIsReadAlsoFromAnotherProgram) {
  const auto datagrams = recording("6dof.txt");
  ASSERT_THAT(datagrams, SizeIs(3));
  std::vector<WandPose> all;
  for (const auto& datagram : datagrams) {
    const auto poses = read_wand_poses(datagram.bytes);
    ASSERT_TRUE(poses) << poses.error().message;
    all.insert(all.end(), poses->begin(), poses->end());
  }
  ASSERT_THAT(all, SizeIs(3));
  EXPECT_EQ(all[0].id, "wand");
  EXPECT_EQ(all[1].position, (Vector{0.5, 0.25, 2}));
  EXPECT_EQ(all[1].buttons, 1u);
  EXPECT_EQ(all[1].time_s, 12.5);
  EXPECT_EQ(all[2].id, "7");
  EXPECT_EQ(all[2].buttons, 4u);

  Osc tagged("/vitrail/6dof");
  tagged.s("w").f(0).f(0).f(1).f(0).f(0).f(0).f(1).i(0).t((uint64_t{100} << 32) + (1U << 31));
  const auto poses = read_wand_poses(bundle({tagged.bytes(), Osc("/other").bytes()}));
  ASSERT_TRUE(poses);
  ASSERT_THAT(*poses, SizeIs(1));
  EXPECT_EQ(poses->front().time_s, 100.5);
}

TEST(WandMessages, NonsenseIsRefused) {
  const std::string good = R"({"id":"a","pos":[1,2,3],"quat":[0,0,0,1]})";
  ASSERT_EQ(refusal(good), "");
  EXPECT_THAT(refusal(""), HasSubstr("empty"));
  EXPECT_NE(refusal("garbage"), "");
  EXPECT_NE(refusal("[1,2,3]"), "");
  EXPECT_NE(refusal(good + "\n{"), "") << "all lines, or none";
  EXPECT_THAT(refusal(R"({"pos":[1,2,3],"quat":[0,0,0,1]})"), HasSubstr("'id'"));
  EXPECT_THAT(refusal(R"({"id":"a","pos":[1,2],"quat":[0,0,0,1]})"), HasSubstr("'pos'"));
  EXPECT_THAT(refusal(R"({"id":"a","pos":[1,2,"3"],"quat":[0,0,0,1]})"), HasSubstr("'pos'"));
  EXPECT_THAT(refusal(R"({"id":"a","pos":[1,2,3e9],"quat":[0,0,0,1]})"), HasSubstr("10 km"));
  EXPECT_THAT(refusal(R"({"id":"a","pos":[1,2,3],"quat":[0,0,0,0]})"), HasSubstr("orientation"));
  EXPECT_THAT(refusal(R"({"id":"a","pos":[1,2,3],"quat":[0,0,0,1],"buttons":-1})"),
              HasSubstr("'buttons'"));
  EXPECT_THAT(refusal(R"({"id":"\u0007","pos":[1,2,3],"quat":[0,0,0,1]})"), HasSubstr("id"));
  const auto bytes = Osc("/vitrail/6dof").s("a").f(1).bytes();
  EXPECT_THAT(read_wand_poses(bytes).error().message, HasSubstr("PX PY PZ"));
  std::string many;
  for (int i = 0; i < 300; ++i) many += good + "\n";
  EXPECT_THAT(refusal(many), HasSubstr("too many"));
}

TEST(WallPlane, RaysMeetIt) {
  const WallPlane wall = centred_plane(4, 2);
  WandPose pose;
  pose.position = {0, 0, 3};
  auto met = intersection(pose, wall);
  ASSERT_TRUE(met);
  EXPECT_NEAR(met->u, 0.5, 1e-12);
  EXPECT_NEAR(met->v, 0.5, 1e-12);
  pose.position = {1, 0.5, 3};
  met = intersection(pose, wall);
  EXPECT_NEAR(met->u, 0.75, 1e-12);
  EXPECT_NEAR(met->v, 0.25, 1e-12);
  // Turned left by 45° about the vertical: at three metres distance it points three metres to the
  // left.
  pose.position = {0, 0, 1};
  pose.orientation = turned({0, 1, 0}, 45);
  met = intersection(pose, wall);
  EXPECT_NEAR(met->u, 0.25, 1e-12);
  EXPECT_NEAR(met->v, 0.5, 1e-12);
  // Upwards.
  pose.orientation = turned({1, 0, 0}, 26.565051177077994);  // tan⁻¹ ½
  met = intersection(pose, wall);
  EXPECT_NEAR(met->u, 0.5, 1e-12);
  EXPECT_NEAR(met->v, 0.25, 1e-12);
}

TEST(WallPlane, IsMissedFromBehindAndAlong) {
  WandPose pose;
  pose.position = {0, 0, 3};
  pose.orientation = turned({0, 1, 0}, 180);
  EXPECT_FALSE(intersection(pose, centred_plane(4, 2)));
  pose.orientation = turned({0, 1, 0}, 90);
  EXPECT_FALSE(intersection(pose, centred_plane(4, 2)));
}

TEST(WallPlane, IsParsed) {
  // A leaning wall on the left side of the room.
  const auto plane = parse_plane("-2,2,1 0,0,-4 0.5,-2,0");
  ASSERT_TRUE(plane) << plane.error().message;
  WandPose pose;
  pose.position = {0, 1, 0};
  pose.orientation = turned({0, 1, 0}, 90);  // towards −x
  const auto met = intersection(pose, *plane);
  ASSERT_TRUE(met);
  EXPECT_NEAR(met->u, 0.25, 1e-12);
  EXPECT_NEAR(met->v, 0.5, 1e-12);
  for (const char* wrong : {"", "1,2,3", "0,0,0 1,0,0 2,0,0", "0,0,0 1,0,0 0,1,0 x",
                            "0,0,0 nan,0,0 0,1,0", "0,0,0 0,0,0 0,1,0"}) {
    EXPECT_FALSE(parse_plane(wrong)) << wrong;
  }
}

struct WandsTest : testing::Test {
  WandsTest() { session.open(1, {400, 200, 200, 100}, {{"input", true}}); }
  // Aims straight at this place on a wall of 10 m × 5 m.
  void aim(double x, double y, uint32_t buttons = 0, const std::string& id = "w",
           std::optional<double> time_s = std::nullopt) {
    WandPose pose;
    pose.id = id;
    pose.position = {x / 100 - 5, 2.5 - y / 100, 2};
    pose.buttons = buttons;
    pose.time_s = time_s;
    taken = wands.take(pose, centred_plane(10, 5), session.wall.size(), now_ms);
  }
  FakeSession session;
  PointerMapper hands{session};
  Wands wands{hands, false, 100};
  int64_t now_ms = 0;
  bool taken = false;
};

TEST_F(WandsTest, TheFirstButtonDrags) {
  aim(500, 250);
  EXPECT_NEAR(session.pointers.at(0).at.x, 500, 1e-6);
  aim(500, 250, 1);
  aim(520, 240, 1);
  aim(520, 240, 0);
  EXPECT_EQ(session.wall.find(1)->wall_rect, (sail::Rect{420, 190, 200, 100}));
  EXPECT_TRUE(session.placed.back().last);
}

TEST_F(WandsTest, TheOthersGiveInputAndRaise) {
  aim(500, 250, 2);
  aim(510, 250, 2);
  aim(510, 250, 0);
  std::vector<std::string> types;
  for (const auto& input : session.inputs) types.push_back(input["type"]);
  EXPECT_THAT(types, testing::ElementsAre("enter", "down", "move", "up", "leave"));
  aim(510, 250, 4);
  ASSERT_THAT(session.asked, SizeIs(1));
  EXPECT_EQ(session.asked[0].verb, "raise");
}

TEST_F(WandsTest, WaitsAtTheEdgeAndGoesBeyond) {
  aim(-50, 250);
  EXPECT_EQ(session.pointers.at(0).at.x, 0);
  aim(-150, 250);
  EXPECT_THAT(session.pointers, IsEmpty());
  aim(500, 250);
  EXPECT_THAT(session.pointers, SizeIs(1));
}

TEST_F(WandsTest, SilentOnesArePutAway) {
  aim(500, 250, 1);
  EXPECT_TRUE(hands.holds(100));
  wands.expire(now_ms + Wands::kSilentMs);
  EXPECT_THAT(session.pointers, IsEmpty());
  EXPECT_TRUE(wands.empty());
}

TEST_F(WandsTest, LateMessagesAreLeftOutUnlessTheClockBeganAnew) {
  aim(500, 250, 0, "w", 10.0);
  aim(600, 250, 0, "w", 10.1);
  aim(500, 250, 0, "w", 10.05);
  EXPECT_NEAR(session.pointers.at(0).at.x, 600, 1e-6);
  EXPECT_EQ(wands.late(), 1u);
  aim(500, 250, 0, "w", 1.0);
  EXPECT_NEAR(session.pointers.at(0).at.x, 500, 1e-6);
}

TEST_F(WandsTest, AreBounded) {
  for (int i = 0; i < 40; ++i) {
    aim(500, 250, 0, std::to_string(i));
    EXPECT_EQ(taken, i < static_cast<int>(Wands::kMaxWands));
  }
}

TEST(OneEuroFilter, SteadiesATrembleAndFollowsASwing) {
  std::mt19937 random(3);
  std::normal_distribution<double> tremble(0, 0.002);
  OneEuro filter(1, 30);
  double worst = 0;
  for (int i = 0; i < 500; ++i) {
    const double value = filter.filter(0.5 + tremble(random), 0.01);
    if (i > 100) worst = std::max(worst, std::abs(value - 0.5));
  }
  EXPECT_LT(worst, 0.002) << "of ±0.006";
  double behind = 0;
  for (int i = 0; i < 50; ++i) behind = 0.5 + i * 0.01 - filter.filter(0.5 + i * 0.01, 0.01);
  EXPECT_LT(behind, 0.02) << "two samples";
}

}  // namespace
}  // namespace ui
