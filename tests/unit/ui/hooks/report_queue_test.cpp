// Reports that wait for a webhook: order, attempts, limits.
#include "ui/hooks/report_queue.h"

#include <gtest/gtest.h>

namespace ui {
namespace {

TEST(ReportQueue, ReportsAreSentInOrderAndOneAtATime) {
  ReportQueue queue("desk");
  EXPECT_EQ(queue.begin(0), nullptr);
  EXPECT_LT(queue.pause_ms(0), 0);
  queue.add({"1", "one"});
  queue.add({"2", "two"});
  ASSERT_NE(queue.begin(0), nullptr);
  EXPECT_EQ(queue.begin(0), nullptr);
  queue.delivered();
  const WallReport* next = queue.begin(0);
  ASSERT_NE(next, nullptr);
  EXPECT_EQ(next->id, "2");
  queue.delivered();
  EXPECT_EQ(queue.state().delivered, 2);
  EXPECT_EQ(queue.state().waiting, 0);
}

TEST(ReportQueue, AReportIsRepeatedWithGrowingPauses) {
  ReportQueue queue("desk");
  queue.add({"1", "one"});
  int64_t now_ms = 0;
  for (const int64_t pause_ms : {1000, 2000, 4000, 8000, 16'000, 32'000, 64'000}) {
    ASSERT_NE(queue.begin(now_ms), nullptr);
    queue.failed("no answer", now_ms);
    EXPECT_EQ(queue.pause_ms(now_ms), pause_ms);
    EXPECT_EQ(queue.begin(now_ms + pause_ms - 1), nullptr);
    EXPECT_EQ(queue.state().error, "no answer");
    now_ms += pause_ms;
  }
  EXPECT_EQ(queue.state().retries, 7);
  ASSERT_NE(queue.begin(now_ms), nullptr);
  queue.delivered();
  EXPECT_EQ(queue.state().retries, 0);
  EXPECT_EQ(queue.state().error, "");
}

TEST(ReportQueue, AReportIsGivenUpAfterAllAttempts) {
  ReportQueue queue("desk");
  queue.add({"1", "one"});
  queue.add({"2", "two"});
  int64_t now_ms = 0;
  for (int i = 0; i < ReportQueue::kMostAttempts; ++i) {
    const WallReport* report = queue.begin(now_ms);
    ASSERT_NE(report, nullptr);
    EXPECT_EQ(report->id, "1");
    queue.failed("no answer", now_ms);
    now_ms += queue.pause_ms(now_ms);
  }
  EXPECT_EQ(queue.state().failed, 1);
  const WallReport* next = queue.begin(now_ms);
  ASSERT_NE(next, nullptr);
  EXPECT_EQ(next->id, "2");
}

TEST(ReportQueue, TheNewestReportsWait) {
  ReportQueue queue("desk");
  queue.add({"0", ""});
  ASSERT_NE(queue.begin(0), nullptr);
  for (int i = 1; i < 150; ++i) queue.add({std::to_string(i), ""});
  EXPECT_EQ(queue.state().waiting, 100);
  EXPECT_EQ(queue.state().dropped, 50);
  // The one that is being sent stays.
  queue.delivered();
  EXPECT_EQ(queue.begin(0)->id, "51");
}

TEST(ReportQueue, ARefusalDisablesTheWebhookUntilATestSucceeds) {
  ReportQueue queue("desk");
  queue.add({"1", ""});
  queue.add({"2", ""});
  ASSERT_NE(queue.begin(0), nullptr);
  queue.refused("gone");
  EXPECT_TRUE(queue.state().disabled);
  EXPECT_EQ(queue.state().dropped, 2);
  queue.add({"3", ""});
  EXPECT_EQ(queue.state().dropped, 3);
  EXPECT_EQ(queue.begin(0), nullptr);
  queue.enable();
  EXPECT_FALSE(queue.state().disabled);
  queue.add({"4", ""});
  EXPECT_EQ(queue.begin(0)->id, "4");
}

}  // namespace
}  // namespace ui
