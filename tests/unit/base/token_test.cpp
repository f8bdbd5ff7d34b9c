#include "sail/base/token.h"

#include <gtest/gtest.h>

namespace sail {
namespace {

TEST(Token, AreDifferentEachTime) {
  EXPECT_NE(random_secret(), random_secret());
  EXPECT_NE(marked_token("word"), marked_token("word"));
}

TEST(Token, MarkedTokenIsAsGoodAsTheToken) {
  EXPECT_TRUE(is_token_or_marked("word", "word"));
  EXPECT_TRUE(is_token_or_marked(marked_token("word"), "word"));
  EXPECT_EQ(marked_token("word").size(), 4 + kTokenMarkBytes);
  EXPECT_FALSE(is_token_or_marked(marked_token("ward"), "word"));
  EXPECT_FALSE(is_token_or_marked(marked_token(""), "word"));
  EXPECT_FALSE(is_token_or_marked("word/", "word"));
  EXPECT_FALSE(is_token_or_marked("word" + std::string(kTokenMarkBytes, 'x'), "word"));
  EXPECT_FALSE(is_token_or_marked("", "word"));
}

TEST(Token, SameTokenComparesWholeTexts) {
  EXPECT_TRUE(same_token("abc", "abc"));
  EXPECT_TRUE(same_token("", ""));
  EXPECT_FALSE(same_token("abc", "abd"));
  EXPECT_FALSE(same_token("abc", "Abc"));
  EXPECT_FALSE(same_token("abc", "abcd"));
  EXPECT_FALSE(same_token("abc", ""));
}

}  // namespace
}  // namespace sail
