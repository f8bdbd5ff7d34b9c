// Which module of stills a program accepts.
#include "sail/media/still/still_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sail {
namespace {

using testing::HasSubstr;

TEST(StillLibraryTest, AModuleOfAnotherBuildIsRefused) {
  const auto own = still_library();
  ASSERT_TRUE(own) << own.error().message;
  EXPECT_TRUE(of_this_build(**own));

  StillLibrary other = **own;
  other.build = "0.1.0";
  const auto refused = of_this_build(other);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(refused.error().message, HasSubstr("another version than this program: restart"));
}

}  // namespace
}  // namespace sail
