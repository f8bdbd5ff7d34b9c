#include "sail/core/webrtc/picture_gate.h"

#include <gtest/gtest.h>

namespace sail {
namespace {

constexpr bool kKey = true;

TEST(PictureGate, BeginsWithAKeyPicture) {
  PictureGate gate;
  EXPECT_FALSE(gate.lets_through(!kKey, 0));
  EXPECT_FALSE(gate.is_open());
  EXPECT_TRUE(gate.lets_through(kKey, 0));
  EXPECT_TRUE(gate.lets_through(!kKey, PictureGate::kMostWaiting));
  EXPECT_TRUE(gate.is_open());
}

TEST(PictureGate, AfterADroppedPictureComesTheNextKeyPictureThatFits) {
  PictureGate gate;
  EXPECT_TRUE(gate.lets_through(kKey, 0));
  EXPECT_FALSE(gate.lets_through(!kKey, PictureGate::kMostWaiting + 1));
  EXPECT_FALSE(gate.lets_through(!kKey, 0));
  EXPECT_FALSE(gate.lets_through(kKey, PictureGate::kMostWaiting + 1));
  EXPECT_TRUE(gate.lets_through(kKey, 0));
}

}  // namespace
}  // namespace sail
