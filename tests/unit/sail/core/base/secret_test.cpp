#include "sail/core/base/secret.h"

#include <gtest/gtest.h>

namespace sail {
namespace {

TEST(Secret, AreDifferentEachTime) {
  EXPECT_NE(random_secret(), random_secret());
  EXPECT_NE(random_word(), random_word());
  EXPECT_EQ(random_word().size(), 32U);
}

TEST(Secret, SameTextComparesWholeTexts) {
  EXPECT_TRUE(same_text("abc", "abc"));
  EXPECT_TRUE(same_text("", ""));
  EXPECT_FALSE(same_text("abc", "abd"));
  EXPECT_FALSE(same_text("abc", "Abc"));
  EXPECT_FALSE(same_text("abc", "abcd"));
  EXPECT_FALSE(same_text("abc", ""));
}

}  // namespace
}  // namespace sail
