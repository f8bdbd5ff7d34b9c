#include "ui/pointer/tuio.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/ui/pointer/osc_writer.h"
#include "tests/unit/ui/pointer/recording.h"

namespace ui {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using enum TouchChange::Kind;

class Tuio : public testing::Test {
 protected:
  std::vector<TouchChange> take(const Bytes& datagram, const std::string& from = "table:1") {
    const auto messages = read_osc(datagram);
    EXPECT_TRUE(messages);
    return messages ? reader.take(from, *messages, now_ms) : std::vector<TouchChange>();
  }

  TuioReader reader;
  int64_t now_ms = 1000;
};

TEST_F(Tuio, AFingerComesMovesAndGoes) {
  EXPECT_THAT(take(touch_frame(1, {7}, {{7, 0.25F, 0.5F}})),
              ElementsAre(TouchChange{kDown, 1, 0.25, 0.5}));
  EXPECT_THAT(take(touch_frame(2, {7}, {{7, 0.5F, 0.5F}})),
              ElementsAre(TouchChange{kMove, 1, 0.5, 0.5}));
  EXPECT_THAT(take(touch_frame(3, {7}, {})), IsEmpty());
  EXPECT_THAT(take(touch_frame(4, {}, {})), ElementsAre(TouchChange{kUp, 1, 0.5, 0.5}));
  EXPECT_THAT(take(touch_frame(5, {7}, {{7, 0, 0}})), ElementsAre(TouchChange{kDown, 2, 0, 0}))
      << "numbers are not used again";
  EXPECT_EQ(reader.counters().frames, 5u);
}

TEST_F(Tuio, LateFramesAreLeftOutAndLostOnesCounted) {
  take(touch_frame(10, {1}, {{1, 0.5F, 0.5F}}));
  take(touch_frame(14, {1}, {{1, 0.75F, 0.5F}}));
  EXPECT_EQ(reader.counters().lost, 3u);
  EXPECT_THAT(take(touch_frame(12, {}, {})), IsEmpty()) << "it would lift the finger";
  EXPECT_EQ(reader.counters().late, 1u);
  // A long frame arrives in several bundles with one number.
  EXPECT_THAT(take(touch_frame(14, {1, 2}, {{2, 0, 0}})), SizeIs(1));
  EXPECT_EQ(reader.counters().late, 1u);
}

TEST_F(Tuio, ATrackerThatBeganAnewIsHeard) {
  take(touch_frame(5000, {1}, {{1, 0.5F, 0.5F}}));
  EXPECT_THAT(take(touch_frame(1, {}, {})), ElementsAre(TouchChange{kUp, 1, 0.5, 0.5}));
  EXPECT_EQ(reader.counters().late, 0u);
  EXPECT_EQ(reader.counters().lost, 0u);
}

TEST_F(Tuio, TheLargestNumberOfAFrameIsTaken) {
  const auto frame = [this](int64_t number) {
    const OscMessage end{.address = "/tuio/2Dcur", .arguments = {std::string("fseq"), number}};
    reader.take("table:1", std::span(&end, 1), now_ms);
  };
  frame(INT64_MAX);  // With the sanitizer, an overflow ends the test.
  frame(0);
  EXPECT_EQ(reader.counters().frames, 2u);
  EXPECT_EQ(reader.counters().lost, 0u);
}

TEST_F(Tuio, FramesWithoutANumberAlwaysCount) {
  take(touch_frame(100, {1}, {{1, 0.5F, 0.5F}}));
  EXPECT_THAT(take(touch_frame(-1, {1}, {{1, 0.25F, 0.5F}})), SizeIs(1));
  EXPECT_THAT(take(touch_frame(101, {1}, {{1, 0.125F, 0.5F}})), SizeIs(1));
  EXPECT_EQ(reader.counters().lost, 0u);
}

TEST_F(Tuio, SourcesAreToldApart) {
  take(touch_frame(1, {1}, {{1, 0.5F, 0.5F}}, "left@wall"));
  take(touch_frame(900, {1}, {{1, 0.25F, 0.5F}}, "right@wall"));
  EXPECT_THAT(take(touch_frame(2, {}, {}, "left@wall")),
              ElementsAre(TouchChange{kUp, 1, 0.5, 0.5}));
  // Without a source name the address identifies the tracker.
  EXPECT_THAT(take(touch_frame(3, {1}, {{1, 0, 0}}), "10.0.0.1:5"), SizeIs(1));
  EXPECT_THAT(take(touch_frame(3, {1}, {{1, 0, 0}}), "10.0.0.2:5"), SizeIs(1));
  EXPECT_EQ(reader.counters().late, 0u);
}

TEST_F(Tuio, ObjectsTouchToo) {
  const std::string address = "/tuio/2Dobj";
  const Bytes frame = bundle(
      {Osc(address).s("alive").i(3).bytes(),
       Osc(address).s("set").i(3).i(42).f(0.5F).f(0.25F).f(1).f(0).f(0).f(0).f(0).f(0).bytes(),
       Osc(address).s("fseq").i(1).bytes()});
  EXPECT_THAT(take(frame), ElementsAre(TouchChange{kDown, 1, 0.5, 0.25}));
  // A cursor with the same number is another touch.
  EXPECT_THAT(take(touch_frame(2, {3}, {{3, 0, 0}})), ElementsAre(TouchChange{kDown, 2, 0, 0}));
}

TEST_F(Tuio, OneNumberEndsAllProfilesOfABundle) {
  const auto frame = [](int32_t number, float x) {
    const std::string objects = "/tuio/2Dobj";
    const std::string cursors = "/tuio/2Dcur";
    return bundle(
        {Osc(objects).s("source").s("python").bytes(), Osc(objects).s("alive").i(3).bytes(),
         Osc(objects).s("set").i(3).i(42).f(x).f(0.25F).f(1).f(0).f(0).f(0).f(0).f(0).bytes(),
         Osc(cursors).s("source").s("python").bytes(), Osc(cursors).s("alive").i(4).bytes(),
         Osc(cursors).s("set").i(4).f(x).f(0.75F).f(0).f(0).f(0).bytes(),
         Osc(cursors).s("fseq").i(number).bytes()});
  };
  EXPECT_THAT(take(frame(1, 0.5F)),
              ElementsAre(TouchChange{kDown, 1, 0.5, 0.75}, TouchChange{kDown, 2, 0.5, 0.25}));
  EXPECT_THAT(take(frame(2, 0.25F)),
              ElementsAre(TouchChange{kMove, 1, 0.25, 0.75}, TouchChange{kMove, 2, 0.25, 0.25}));
  EXPECT_THAT(take(frame(1, 0.75F)), IsEmpty()) << "late";
  EXPECT_EQ(reader.counters().refused, 0u);
}

TEST_F(Tuio, SilentTrackersLetGo) {
  take(touch_frame(1, {1}, {{1, 0.5F, 0.5F}}));
  now_ms += TuioReader::kSilentMs - 1;
  EXPECT_THAT(reader.expire(now_ms), IsEmpty());
  EXPECT_THAT(reader.expire(now_ms + 1), ElementsAre(TouchChange{kUp, 1, 0.5, 0.5}));
  EXPECT_THAT(reader.expire(now_ms + 1), IsEmpty());
}

TEST_F(Tuio, RefusesNonsenseAndBoundsWhatItKeeps) {
  const std::string address = "/tuio/2Dcur";
  take(Osc(address).s("set").i(1).s("left").f(0).bytes());
  take(Osc(address).s("dance").bytes());
  take(Osc(address).i(1).bytes());
  take(Osc(address).s("fseq").bytes());
  EXPECT_EQ(reader.counters().refused, 4u);
  EXPECT_THAT(take(Osc("/other").s("set").bytes()), IsEmpty());
  EXPECT_EQ(reader.counters().refused, 4u);

  std::vector<int32_t> alive;
  std::vector<Finger> moved;
  for (int32_t i = 0; i < 200; ++i) {
    alive.push_back(i);
    moved.push_back({i, 2, -1});
  }
  const auto changes = take(touch_frame(1, alive, moved));
  EXPECT_THAT(changes, SizeIs(TuioReader::kMaxTouches));
  EXPECT_EQ(changes[0].x, 1) << "kept within the frame";
  EXPECT_EQ(changes[0].y, 0);
}

TEST_F(Tuio, ManySourcesPushOutIdleOnesOnly) {
  for (size_t i = 0; i < TuioReader::kMaxSources; ++i) {
    take(touch_frame(1, {1}, {{1, 0, 0}}, "busy" + std::to_string(i)));
  }
  EXPECT_THAT(take(touch_frame(1, {1}, {{1, 0, 0}}, "one more")), IsEmpty());
  EXPECT_GT(reader.counters().refused, 0u);
  take(touch_frame(2, {}, {}, "busy3"));
  EXPECT_THAT(take(touch_frame(1, {1}, {{1, 0, 0}}, "one more")), SizeIs(1));
}

TEST_F(Tuio, ARecordedPinch) {
  std::vector<TouchChange> all;
  for (const auto& datagram : recording("pinch.txt")) {
    for (const TouchChange& change : take(datagram.bytes)) all.push_back(change);
  }
  ASSERT_THAT(all, SizeIs(2 + 16 + 2));
  EXPECT_EQ(all.front(), (TouchChange{kDown, 1, 0.25, 0.5}));
  EXPECT_EQ(all[all.size() - 2], (TouchChange{kUp, 1, 0.1875, 0.5}));
  EXPECT_EQ(all.back(), (TouchChange{kUp, 2, 0.4375, 0.5}));
}

}  // namespace
}  // namespace ui
