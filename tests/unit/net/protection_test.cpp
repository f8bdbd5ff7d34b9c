#include "sail/net/protection.h"

#include <gtest/gtest.h>

namespace sail {
namespace {

TEST(Protection, IsForWhatLeavesTheMachine) {
  for (const char* here : {"127.0.0.1", "127.8.0.1", "::1", "localhost"}) {
    EXPECT_FALSE(is_protected({here, 1}, "")) << here;
    EXPECT_TRUE(is_protected({here, 1}, "always")) << here;
  }
  for (const char* there : {"192.168.1.1", "10.0.0.1", "fe80::1", "wall.example"}) {
    EXPECT_TRUE(is_protected({there, 1}, "")) << there;
    EXPECT_FALSE(is_protected({there, 1}, "never")) << there;
    EXPECT_TRUE(is_protected({there, 1}, "perhaps")) << there;
  }
}

}  // namespace
}  // namespace sail
