#include "ui/impair/impairment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sail {
namespace {

TEST(Impairment, WordsBecomeValues) {
  const auto parsed = parse_impairment(
      "loss=1%,burst=8,delay=50ms,jitter=300us,reorder=0.005,duplicate=0.1%,rate=800mbit,"
      "queue=2s,seed=7,both");
  ASSERT_TRUE(parsed) << parsed.error().message;
  const Impairment expected{.loss = 0.01,
                            .burst = 8,
                            .delay_ms = 50,
                            .jitter_ms = 0.3,
                            .reorder = 0.005,
                            .duplicate = 0.001,
                            .rate_bit_per_s = 800e6,
                            .queue_ms = 2000,
                            .seed = 7,
                            .both = true};
  EXPECT_EQ(*parsed, expected);
}

TEST(Impairment, TheTextMeansTheSame) {
  for (const char* text : {"none", "loss=2.5%", "delay=0.25ms,both", "rate=64kbit,queue=1s",
                           "loss=100%,burst=3.5,jitter=7us,reorder=1%,duplicate=3%,seed=99"}) {
    const auto parsed = parse_impairment(text);
    ASSERT_TRUE(parsed) << text;
    const auto again = parse_impairment(impairment_text(*parsed));
    ASSERT_TRUE(again) << impairment_text(*parsed);
    EXPECT_EQ(*again, *parsed) << text << " became " << impairment_text(*parsed);
  }
  EXPECT_EQ(impairment_text(*parse_impairment("delay=50ms,loss=1%")), "loss=1%,delay=50ms");
}

TEST(Impairment, ChangesLeaveTheRest) {
  const Impairment base = *parse_impairment("loss=1%,delay=20ms,seed=4,both");
  const auto limited = parse_impairment("rate=10mbit", base);
  EXPECT_EQ(limited->loss, 0.01);
  EXPECT_EQ(limited->rate_bit_per_s, 10e6);
  EXPECT_EQ(parse_impairment("rate=0", *limited), base);
  const auto nothing = parse_impairment("none", base);
  EXPECT_EQ(nothing->loss, 0);
  EXPECT_EQ(nothing->delay_ms, 0);
  EXPECT_EQ(nothing->seed, 4U);
  EXPECT_TRUE(nothing->both);
}

TEST(Impairment, NonsenseIsRefusedByName) {
  for (const char* text :
       {"loss",        "loss=",    "loss=101%",  "loss=-1%",           "loss=1ms",   "loss=nan",
        "burst=0",     "burst=2x", "delay=50",   "delay=11s",          "delay=1 ms", "rate=5",
        "rate=999bit", "rate=inf", "rate=2tbit", "seed=1.5",           "seed=-1",    "speed=5",
        "both=1",      "=",        ",",          "loss=1%,,delay=1ms", "none,both"}) {
    const auto parsed = parse_impairment(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().code, ErrorCode::kInvalidParams) << text;
  }
  EXPECT_THAT(parse_impairment("loss=1%,delay=50").error().message,
              testing::HasSubstr("delay=50: must be a time"));
}

TEST(Impairment, BackGoesTheDelayOrAll) {
  const Impairment there = *parse_impairment("loss=1%,delay=20ms,jitter=1ms,rate=1mbit,seed=4");
  EXPECT_EQ(backward(there), *parse_impairment("delay=20ms,seed=5"));
  const Impairment both = *parse_impairment("both", there);
  EXPECT_EQ(backward(both).loss, 0.01);
  EXPECT_EQ(backward(both).rate_bit_per_s, 1e6);
  EXPECT_NE(backward(both).seed, both.seed) << "or both directions lose the same packets";
}

TEST(Schedule, EachEntryChangesWhatWasGiven) {
  const Impairment base = *parse_impairment("delay=20ms,seed=4");
  const auto schedule = parse_schedule("0s:loss=1%;1500ms:rate=40mbit,loss=2%;20s:none", base);
  ASSERT_TRUE(schedule) << schedule.error().message;
  ASSERT_EQ(schedule->size(), 3U);
  EXPECT_EQ((*schedule)[0].after_ms, 0);
  EXPECT_EQ((*schedule)[0].impairment, *parse_impairment("loss=1%,delay=20ms,seed=4"));
  EXPECT_EQ((*schedule)[1].after_ms, 1500);
  EXPECT_EQ((*schedule)[1].impairment, *parse_impairment("rate=40mbit,loss=2%,delay=20ms,seed=4"));
  EXPECT_EQ((*schedule)[2].after_ms, 20000);
  EXPECT_EQ((*schedule)[2].impairment, *parse_impairment("seed=4"));
  EXPECT_TRUE(parse_schedule("", base)->empty());
}

TEST(Schedule, NonsenseIsRefused) {
  for (const char* text : {"loss=1%", "x:loss=1%", "5s:loss=x", "5s:none;4s:none", "-1s:none",
                           "48000s:none;90000s:none", "5:none"}) {
    const auto schedule = parse_schedule(text, {});
    ASSERT_FALSE(schedule) << text;
    EXPECT_EQ(schedule.error().code, ErrorCode::kInvalidParams) << text;
  }
}

}  // namespace
}  // namespace sail
