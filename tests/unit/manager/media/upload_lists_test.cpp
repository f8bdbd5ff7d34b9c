#include "manager/media/upload_lists.h"

#include <gtest/gtest.h>

#include <string>

namespace manager {
namespace {

constexpr UploadSlots::Limits kLimits{.most = 3, .most_of_address = 2, .idle_ns = 10};

TEST(UploadSlots, AnAddressHasSomeOfThem) {
  UploadSlots slots(kLimits);
  EXPECT_TRUE(slots.take("a", "one", 0));
  EXPECT_TRUE(slots.take("b", "one", 0));
  EXPECT_FALSE(slots.take("c", "one", 0));
  EXPECT_TRUE(slots.take("c", "two", 0));
  EXPECT_FALSE(slots.take("d", "three", 0));
  slots.leave("a");
  EXPECT_TRUE(slots.take("d", "three", 0));
}

TEST(UploadSlots, WhoBringsNothingGivesItUp) {
  UploadSlots slots(kLimits);
  slots.take("a", "one", 0);
  slots.take("b", "one", 0);
  slots.touch("b", 5);
  EXPECT_TRUE(slots.has("a", 9));
  EXPECT_FALSE(slots.take("c", "one", 9));
  EXPECT_FALSE(slots.has("a", 10));
  EXPECT_TRUE(slots.take("c", "one", 10));
  EXPECT_FALSE(slots.take("a", "one", 11)) << "others have them now";
  EXPECT_TRUE(slots.take("b", "one", 11)) << "it has one";
  slots.touch("a", 12);
  EXPECT_FALSE(slots.has("a", 12));
}

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
