#include "sail/core/base/c_library.h"

#include <gtest/gtest.h>

namespace sail {
namespace {

TEST(LoadedLibrary, FindsItsFunctions) {
  const LoadedLibrary library("libc.so.6");
  int (*function)(int) = nullptr;
  ASSERT_TRUE(library.find("abs", function));
  EXPECT_EQ(function(-3), 3);
  EXPECT_FALSE(library.find("no_such_function", function));
  EXPECT_EQ(function, nullptr);
}

TEST(LoadedLibrary, ThatIsNotInstalledHasNone) {
  int (*function)(int) = nullptr;
  EXPECT_FALSE(LoadedLibrary("libvitrail-missing.so.0").find("abs", function));
}

}  // namespace
}  // namespace sail
