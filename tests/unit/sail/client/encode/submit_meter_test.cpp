#include "sail/client/encode/submit_meter.h"

#include <gtest/gtest.h>

#include "sail/core/time/clock.h"

namespace sail {
namespace {

class SubmitMeterTest : public testing::Test {
 protected:
  SubmitMeterTest() { meter.take(now_ns); }
  // Simulates a frame: the application waits for events, works, and then encodes, for these times.
  void frame(int64_t source_ms, int64_t waited_ms, int64_t encode_ms) {
    waited_ns += waited_ms * kMillisecondNs;
    now_ns += (source_ms + waited_ms) * kMillisecondNs;
    meter.handed_over(now_ns, waited_ns);
    now_ns += encode_ms * kMillisecondNs;
    if (encode_ms > 0) meter.encoded(encode_ms * kMillisecondNs);
    meter.done(now_ns, waited_ns);
  }

  SubmitMeter meter;
  int64_t now_ns = 5 * kSecondNs;
  int64_t waited_ns = 3 * kSecondNs;
};

TEST_F(SubmitMeterTest, TimeIsTheApplicationsOrTheEncoders) {
  frame(7, 0, 10);  // time before the first frame does not count
  for (int i = 0; i < 49; ++i) frame(5, 5, 10);
  now_ns = 6 * kSecondNs;
  const SubmitMeter::Figures figures = meter.take(now_ns);
  EXPECT_DOUBLE_EQ(figures.fps_submitted, 50);
  EXPECT_DOUBLE_EQ(figures.fps_encoded, 50);
  EXPECT_NEAR(figures.source_ms, 5, 0.2);
  EXPECT_DOUBLE_EQ(figures.encode_ms, 10);
}

TEST_F(SubmitMeterTest, FramesThatWereTurnedAwayTookNoEncoding) {
  for (int i = 0; i < 10; ++i) frame(1, 0, i % 2 == 0 ? 20 : 0);
  now_ns = 6 * kSecondNs;
  const SubmitMeter::Figures figures = meter.take(now_ns);
  EXPECT_DOUBLE_EQ(figures.fps_submitted, 10);
  EXPECT_DOUBLE_EQ(figures.fps_encoded, 5);
  EXPECT_DOUBLE_EQ(figures.encode_ms, 20);
}

TEST_F(SubmitMeterTest, FramesThatWereSkippedTookTheirTime) {
  frame(0, 0, 100);
  meter.skipped(9);
  frame(90, 0, 100);
  now_ns = 6 * kSecondNs;
  const SubmitMeter::Figures figures = meter.take(now_ns);
  EXPECT_EQ(figures.skipped, 9U);
  EXPECT_DOUBLE_EQ(figures.fps_skipped, 9);
  EXPECT_NEAR(figures.source_ms, 90 / 11.0, 0.01);
}

TEST_F(SubmitMeterTest, ASecondWithoutFramesKeepsWhatWasMeasured) {
  frame(0, 0, 400);
  now_ns = 6 * kSecondNs;
  meter.take(now_ns);
  now_ns = 7 * kSecondNs;
  const SubmitMeter::Figures figures = meter.take(now_ns);
  EXPECT_DOUBLE_EQ(figures.fps_submitted, 0);
  EXPECT_DOUBLE_EQ(figures.encode_ms, 400);
}

}  // namespace
}  // namespace sail
