// How far a fade is at a presentation time.
#include "receiver/paint/fade.h"

#include <gtest/gtest.h>

#include "sail/core/time/clock.h"

namespace receiver {
namespace {

using sail::kSecondNs;

constexpr int64_t kBeginNs = 5 * kSecondNs;

TEST(FadeTest, TheWeightIsAFunctionOfTheTime) {
  Fade fade;
  EXPECT_FALSE(fade.on());
  fade.begin(kBeginNs, kSecondNs);
  EXPECT_TRUE(fade.on());
  EXPECT_EQ(fade.weight(), 0);
  EXPECT_FALSE(fade.move_to(kBeginNs - 1)) << "a frame of before";
  EXPECT_FALSE(fade.move_to(kBeginNs + Fade::kStepNs - 1));
  EXPECT_TRUE(fade.move_to(kBeginNs + Fade::kStepNs));
  EXPECT_EQ(fade.weight(), 4);  // 256 / 60
  EXPECT_TRUE(fade.move_to(kBeginNs + 30 * Fade::kStepNs));
  EXPECT_EQ(fade.weight(), 128);
  EXPECT_FALSE(fade.over());
  EXPECT_TRUE(fade.move_to(kBeginNs + 3 * kSecondNs));
  EXPECT_EQ(fade.weight(), Fade::kWhole);
  EXPECT_TRUE(fade.over());
  EXPECT_TRUE(fade.on()) << "until its copies are dropped";
  fade.end();
  EXPECT_FALSE(fade.on());
}

// Nodes skip different steps.
TEST(FadeTest, AllNodesAreEquallyFarWhateverTheyShowedBefore) {
  Fade slow;
  slow.begin(kBeginNs, 2 * kSecondNs);
  Fade fast = slow;
  for (int64_t at_ns = kBeginNs; at_ns <= kBeginNs + 700'000'000; at_ns += 1'000'000) {
    fast.move_to(at_ns);
  }
  slow.move_to(kBeginNs + 700'000'000);
  EXPECT_EQ(slow.weight(), fast.weight());
  slow.move_to(kBeginNs + 699'000'000 - Fade::kStepNs);
  EXPECT_EQ(slow.weight(), fast.weight()) << "it never goes back";
}

TEST(FadeTest, NamesItsNextStep) {
  Fade fade;
  EXPECT_EQ(fade.next_ns(), Fade::kNever);
  fade.begin(kBeginNs, 10 * Fade::kStepNs);
  EXPECT_EQ(fade.next_ns(), kBeginNs + Fade::kStepNs);
  fade.move_to(kBeginNs + 4 * Fade::kStepNs + 1);
  EXPECT_EQ(fade.next_ns(), kBeginNs + 5 * Fade::kStepNs);
  fade.move_to(kBeginNs + 10 * Fade::kStepNs);
  EXPECT_TRUE(fade.over());
  EXPECT_EQ(fade.next_ns(), Fade::kNever);
}

TEST(FadeTest, ACutEndsItAtAnyTime) {
  Fade fade;
  fade.begin(kBeginNs, kSecondNs);
  fade.cut();
  EXPECT_TRUE(fade.move_to(0));
  EXPECT_TRUE(fade.over());
}

}  // namespace
}  // namespace receiver
