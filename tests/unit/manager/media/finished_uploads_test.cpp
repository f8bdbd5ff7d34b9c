#include "manager/media/finished_uploads.h"

#include <gtest/gtest.h>

#include <string>

namespace manager {
namespace {

TEST(FinishedUploads, AreKnownForAWhileAndInNumber) {
  FinishedUploads uploads;
  uploads.add({.id = "a", .size = 10, .source = "uploads/a.png", .at_ns = 100});
  uploads.add({.id = "b", .size = 20, .source = "uploads/b.png", .at_ns = 200});
  ASSERT_NE(uploads.find("a"), nullptr);
  EXPECT_EQ(uploads.find("a")->source, "uploads/a.png");
  EXPECT_EQ(uploads.find(""), nullptr);
  uploads.forget_before(200);
  EXPECT_EQ(uploads.find("a"), nullptr);
  EXPECT_EQ(uploads.find("b")->size, 20U);
  for (size_t i = 0; i < FinishedUploads::kMost; ++i) {
    uploads.add({.id = std::to_string(i), .size = 1, .source = "", .at_ns = 300});
  }
  EXPECT_EQ(uploads.find("b"), nullptr);
  EXPECT_NE(uploads.find("0"), nullptr);
}

}  // namespace
}  // namespace manager
