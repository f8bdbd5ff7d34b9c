#include "manager/api/recent_answers.h"

#include <gtest/gtest.h>

#include <string>

namespace manager {
namespace {

using Answer = RecentAnswers::Answer;
using Refusal = RecentAnswers::Refusal;

bool is_new(const auto& found) {
  return std::holds_alternative<RecentAnswers::New>(found);
}

TEST(RecentAnswers, ARepeatedRequestGetsTheFirstAnswerForTenMinutes) {
  RecentAnswers recent;
  ASSERT_TRUE(is_new(recent.begin("a", "hash", 0)));
  EXPECT_EQ(std::get<Refusal>(recent.begin("a", "hash", 1)), Refusal::kRunning);
  recent.finish("a", {404, "none"});
  const auto again = recent.begin("a", "hash", RecentAnswers::kKeepNs - 1);
  EXPECT_EQ(std::get<Answer>(again).status, 404);
  EXPECT_EQ(std::get<Answer>(again).body, "none");
  EXPECT_EQ(std::get<Refusal>(recent.begin("a", "other", 2)), Refusal::kOtherBody);
  EXPECT_TRUE(is_new(recent.begin("a", "hash", RecentAnswers::kKeepNs)));
}

TEST(RecentAnswers, OldAnswersMakeRoomButRunningRequestsStay) {
  RecentAnswers recent;
  ASSERT_TRUE(is_new(recent.begin("running", "h", 0)));
  for (size_t i = 1; i < RecentAnswers::kMostAnswers; ++i) {
    const std::string name = std::to_string(i);
    ASSERT_TRUE(is_new(recent.begin(name, "h", 0)));
    recent.finish(name, {200, {}});
  }
  EXPECT_TRUE(is_new(recent.begin("new", "h", 1)));
  EXPECT_TRUE(is_new(recent.begin("1", "h", 1))) << "the oldest answer is gone";
  EXPECT_EQ(std::get<Refusal>(recent.begin("running", "h", 1)), Refusal::kRunning);
  EXPECT_EQ(std::get<Answer>(recent.begin("3", "h", 1)).status, 200);
}

TEST(RecentAnswers, RunningRequestsAreLimited) {
  RecentAnswers recent;
  for (size_t i = 0; i < RecentAnswers::kMostAnswers; ++i) {
    ASSERT_TRUE(is_new(recent.begin(std::to_string(i), "h", 0)));
  }
  EXPECT_EQ(std::get<Refusal>(recent.begin("one more", "h", 0)), Refusal::kFull);
}

TEST(RecentAnswers, BytesAreLimited) {
  RecentAnswers recent;
  const std::string half(RecentAnswers::kMostBytes / 2, 'x');
  for (const char* name : {"a", "b", "c"}) {
    ASSERT_TRUE(is_new(recent.begin(name, "h", 0)));
    recent.finish(name, {200, half});
  }
  EXPECT_TRUE(is_new(recent.begin("a", "h", 1)));
  EXPECT_EQ(std::get<Answer>(recent.begin("c", "h", 1)).body, half);
}

}  // namespace
}  // namespace manager
