#include "receiver/program_update.h"

#include <gtest/gtest.h>

namespace receiver {
namespace {

constexpr int64_t kS = 1'000'000'000;

TEST(UpdatePolicy, AQuietReceiverEndsOnlyAfterAnUpdate) {
  UpdatePolicy policy(60 * kS);
  EXPECT_FALSE(policy.ends(1000 * kS, 0));
  policy.installed(1000 * kS, 0);
  EXPECT_FALSE(policy.ends(1059 * kS, 0)) << "the packages of an update come one by one";
  EXPECT_TRUE(policy.ends(1060 * kS, 0));
}

TEST(UpdatePolicy, MovingPicturesPostponeTheEnd) {
  UpdatePolicy policy(60 * kS);
  policy.active(1000 * kS);
  policy.installed(1001 * kS, 0);
  for (int64_t at_s = 1001; at_s < 5000; at_s += 59) {
    policy.active(at_s * kS);
    EXPECT_FALSE(policy.ends((at_s + 59) * kS, 0));
  }
  policy.active(5000 * kS);
  EXPECT_TRUE(policy.ends(5060 * kS, 0));
}

TEST(UpdatePolicy, ASecondUpdateWaitsAgain) {
  UpdatePolicy policy(60 * kS);
  policy.installed(1000 * kS, 0);
  policy.installed(1050 * kS, 0);
  EXPECT_FALSE(policy.ends(1109 * kS, 0));
  EXPECT_TRUE(policy.ends(1110 * kS, 0));
}

TEST(UpdatePolicy, AProgramThatNoLongerFitsTheOthersEndsAtOnce) {
  UpdatePolicy policy(60 * kS);
  EXPECT_FALSE(policy.ends(999 * kS, 5)) << "without an update a new start would not help";
  policy.installed(1000 * kS, 5);
  policy.active(1001 * kS);
  EXPECT_FALSE(policy.ends(1001 * kS, 5)) << "these were before the update";
  EXPECT_TRUE(policy.ends(1001 * kS, 6));
}

class KeepsPicture : public testing::Test {
 protected:
  KeepsPicture() { scene_.windows = {window(1, {0, 0, 50, 50}), window(2, {200, 0, 50, 50})}; }
  static sail::SceneWindow window(uint32_t number, const sail::Rect& rect) {
    return {.window = number, .wall_rect = rect, .frame_size = {8, 8}, .block_size = {8, 8}};
  }
  bool keeps() const {
    return keeps_picture(scene_,
                         {{.name = "t", .wall_rect = {0, 0, 100, 100}, .resolution = {8, 8}}},
                         [this](uint32_t stream) { return stream != without_sender_; });
  }

  sail::Scene scene_;
  uint32_t without_sender_ = 0;
};

TEST_F(KeepsPicture, SendersSendTheirPicturesAgain) {
  EXPECT_FALSE(keeps());
}

TEST_F(KeepsPicture, OfAFrozenWindow) {
  scene_.windows[1].frozen = true;
  EXPECT_FALSE(keeps()) << "on another node";
  scene_.windows[0].frozen = true;
  EXPECT_TRUE(keeps());
  scene_.windows[0].dark = true;
  EXPECT_FALSE(keeps());
}

TEST_F(KeepsPicture, OfAWindowWhoseProgramHasEnded) {
  without_sender_ = 2;
  EXPECT_FALSE(keeps()) << "on another node";
  without_sender_ = 1;
  EXPECT_TRUE(keeps());
  scene_.windows.push_back(window(3, {0, 0, 60, 60}));
  EXPECT_FALSE(keeps()) << "another window covers it";
  scene_.windows.back().alpha = true;
  EXPECT_TRUE(keeps());
}

}  // namespace
}  // namespace receiver
