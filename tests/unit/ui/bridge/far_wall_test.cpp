#include "ui/bridge/far_wall.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/receiver/frame/frames.h"

namespace ui {
namespace {

constexpr uint32_t kWindow = 3;
constexpr uint32_t kStream = 7;

// A far wall that cannot be reached, because its address is wrong: no window opens.
class FarWallTest : public testing::Test {
 protected:
  void pass(FarWall& far, uint64_t number, uint32_t stream = kStream) {
    far.pass(*receiver::received(frame_, stream, {1, number}), 0);
  }
  static sail::Session no_session() {
    const sail_session_options options{
        .name = "test", .manager = "127.0.0.1:port", .encode_threads = -1, .quiet = 1};
    return sail::Session(options);
  }
  static sail::Scene scene(const std::string& owner) {
    return {.epoch = 1,
            .windows = {{.window = kStream,
                         .secret = 1,
                         .epoch = 1,
                         .wall_rect = {0, 0, 128, 64},
                         .frame_size = {128, 64},
                         .block_size = {128, 64},
                         .source = sail::WindowSource{.window = kWindow, .owner = owner}}}};
  }

  const sail::Log log_{"test", sail::LogLevel::kOff};
  std::mt19937 random_{1};
  const receiver::TestFrame frame_ =
      receiver::noise_frame(sail::BlockGrid({128, 64}, {128, 64}), random_);
};

TEST_F(FarWallTest, CountsFramesAndDropsAllButTheNewestUntilTheWindowOpens) {
  FarWall far(no_session(), {.at = "far"}, log_);
  pass(far, 1);
  EXPECT_EQ(far.counts().received, 0U) << "no scene has the stream yet";
  far.follow(scene("bplay"));
  pass(far, 1);
  EXPECT_EQ(far.counts().dropped, 0U) << "it waits";
  pass(far, 1);
  EXPECT_EQ(far.counts().received, 1U) << "sent again for a new layout";
  pass(far, 2);
  pass(far, 3);
  pass(far, 1, kStream + 1);
  EXPECT_EQ(far.counts().received, 3U);
  EXPECT_EQ(far.counts().dropped, 2U);
  EXPECT_EQ(far.counts().sent, 0U);
}

TEST_F(FarWallTest, TakesOnlyTheWindowsThatWereChosen) {
  FarWall far(no_session(), {.at = "far", .windows = {kWindow + 1}}, log_);
  far.follow(scene("bplay"));
  pass(far, 1);
  EXPECT_EQ(far.counts().received, 0U);
}

TEST_F(FarWallTest, DoesNotPassOnWhatABridgeShows) {
  FarWall far(no_session(), {.at = "far"}, log_);
  far.follow(scene("vitrail-bridge from lab"));
  pass(far, 1);
  EXPECT_EQ(far.counts().received, 0U);
}

}  // namespace
}  // namespace ui
