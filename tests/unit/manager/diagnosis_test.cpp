#include "manager/diagnosis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace manager {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A film of 60 fps on two tiles, of which all is shown.
class DiagnosisTest : public testing::Test {
 protected:
  DiagnosisTest() {
    flow.codec = "htj2k";
    flow.stats.frames_submitted = 600;
    flow.stats.fps_wanted = flow.stats.fps_submitted = 60;
    flow.stats.fps_encoded = flow.stats.fps_shown = 60;
    flow.stats.source_ms = 4;
    flow.stats.encode_ms = 8;
    for (const char* name : {"left", "right"}) {
      flow.stats.links.push_back({.receiver = name, .mbit_per_s = 120, .busy_pct = 30});
      flow.nodes.push_back(
          {name, {.render_ms = 3, .paint_pct = 20, .decode_ms = 5, .decode_pct = 30}});
    }
    flow.before = flow.stats;
  }
  // SAIL is handed all, and fewer come through.
  void show_only(double fps) {
    flow.stats.fps_encoded = fps;
    flow.stats.fps_shown = fps;
  }
  void expect(Grade grade, Narrow narrow, const testing::Matcher<std::string>& sentence) {
    const Diagnosis diagnosis = diagnose(flow);
    EXPECT_EQ(diagnosis.grade, grade) << diagnosis.sentence;
    EXPECT_STREQ(narrow_name(diagnosis.narrow), narrow_name(narrow)) << diagnosis.sentence;
    EXPECT_THAT(diagnosis.sentence, sentence);
  }

  Flow flow;
};

TEST_F(DiagnosisTest, AFilmThatIsShownWholeIsWell) {
  expect(Grade::kWell, Narrow::kNone, "all is well: 60 of 60 frames a second are shown");
  flow.stats.fps_shown = 55.5;
  expect(Grade::kWell, Narrow::kNone, HasSubstr("55 of 60"));
}

TEST_F(DiagnosisTest, FewFramesASecondAreCountedWithTolerance) {
  flow.stats.fps_wanted = flow.stats.fps_submitted = flow.stats.fps_encoded = 2;
  flow.stats.fps_shown = 1;
  expect(Grade::kWell, Narrow::kNone, HasSubstr("1.0 of 2.0"));
}

TEST_F(DiagnosisTest, SlowEncodingIsNamedWithTheCodec) {
  flow.stats.fps_submitted = flow.stats.fps_encoded = flow.stats.fps_shown = 6;
  flow.stats.encode_ms = 160.4;
  flow.stats.fps_wanted = 59.999;
  expect(Grade::kBad, Narrow::kEncoding,
         "encoding htj2k takes 160 ms a frame; 16 are allowed for 60 fps: take dxt1:fast, or a "
         "smaller picture");
}

TEST_F(DiagnosisTest, SlowReadingIsNamed) {
  flow.stats.fps_submitted = flow.stats.fps_encoded = flow.stats.fps_shown = 40;
  flow.stats.source_ms = 21.5;
  flow.stats.encode_ms = 3;
  expect(Grade::kSlow, Narrow::kSource,
         AllOf(HasSubstr("reading and decoding takes 21 ms a frame"), HasSubstr("16 are allowed"),
               HasSubstr("vitrail convert")));
}

TEST_F(DiagnosisTest, TwoThatAreTooSlowTogetherAreBothNamed) {
  flow.stats.fps_submitted = flow.stats.fps_encoded = flow.stats.fps_shown = 45;
  flow.stats.source_ms = 9;
  flow.stats.encode_ms = 12;
  expect(Grade::kSlow, Narrow::kEncoding,
         HasSubstr("encoding htj2k takes 12 ms a frame, reading and decoding 9.0; 16 are allowed"));
}

TEST_F(DiagnosisTest, AnApplicationThatHasNoMoreToShowIsWell) {
  flow.stats.fps_submitted = flow.stats.fps_encoded = flow.stats.fps_shown = 5;
  expect(Grade::kWell, Narrow::kNone, HasSubstr("hands over 5.0 frames a second"));
}

TEST_F(DiagnosisTest, NothingThatMovesIsWell) {
  flow.stats.fps_wanted = flow.stats.fps_shown = 0;
  expect(Grade::kWell, Narrow::kStill, "nothing moves");
}

TEST_F(DiagnosisTest, AnApplicationThatSaysNothingOfItsFramesIsWell) {
  flow.stats.fps_wanted = flow.stats.fps_submitted = flow.stats.fps_encoded = 0;
  flow.stats.fps_shown = 24;
  expect(Grade::kWell, Narrow::kNone, "24 frames a second are shown");
}

TEST_F(DiagnosisTest, AWindowThatNoTileShowsIsWell) {
  flow.stats.links.clear();
  flow.stats.fps_shown = 0;
  expect(Grade::kWell, Narrow::kHidden, HasSubstr("no tile shows it"));
}

TEST_F(DiagnosisTest, AReceiverThatIsAwayIsWorseThanAllElse) {
  flow.away = {"right"};
  expect(Grade::kBad, Narrow::kReceiverAway, HasSubstr("since 'right' is away"));
  flow.away = {"left", "right"};
  flow.stats.links.clear();
  expect(Grade::kBad, Narrow::kReceiverAway, HasSubstr("since 'left', 'right' are away"));
  flow.away.clear();
  flow.rank_away = "rank 1 of 4 (sim) is gone";
  expect(Grade::kBad, Narrow::kRankAway, HasSubstr("rank 1 of 4"));
}

TEST_F(DiagnosisTest, AReceiverThatFramesDoNotReachIsNamedWithWhatIsWrong) {
  show_only(0);
  flow.stats.links[1].trouble = sail::LinkTrouble::kRefusedPort;
  flow.stats.links[1].trouble_text = "connection refused";
  flow.stats.links[1].trouble_s = 0.5;
  expect(Grade::kBad, Narrow::kUnknown, HasSubstr("nothing measured"));
  flow.stats.links[1].trouble_s = 1.5;
  expect(Grade::kBad, Narrow::kUnreachable,
         AllOf(HasSubstr("'right'"), HasSubstr("connection refused"), HasSubstr("doctor")));
  flow.stats.links[0].trouble = sail::LinkTrouble::kNotReady;
  flow.stats.links[0].trouble_s = 9;
  expect(Grade::kBad, Narrow::kUnreachable, AllOf(HasSubstr("'left'"), HasSubstr("1 more")));
}

TEST_F(DiagnosisTest, ABusyDecoderIsNamed) {
  show_only(20);
  flow.nodes[1].stats.decode_pct = 97;
  flow.nodes[1].stats.decode_ms = 48;
  expect(Grade::kBad, Narrow::kDecoding,
         AllOf(HasSubstr("'right' spends 97 % of its time decoding, 48 ms a frame"),
               HasSubstr("16 are allowed")));
}

TEST_F(DiagnosisTest, ABusyPainterIsNamed) {
  show_only(40);
  flow.nodes[0].stats.paint_pct = 92;
  flow.nodes[0].stats.render_ms = 23;
  expect(Grade::kSlow, Narrow::kPainting,
         HasSubstr("'left' spends 92 % of its time painting, 23 ms a picture"));
}

TEST_F(DiagnosisTest, AFullConnectionIsNamedWithWhatIsNeeded) {
  show_only(30);
  flow.stats.links[1].busy_pct = 99;
  expect(Grade::kSlow, Narrow::kLink,
         HasSubstr("the way to receiver 'right' carries 120 Mbit/s, and 60 fps need 240"));
}

TEST_F(DiagnosisTest, ALimitThatPacketsMetIsNamed) {
  show_only(30);
  sail::LinkStats& link = flow.stats.links[0];
  link.transport = sail::Transport::kUdp;
  link.limit_mbit_per_s = 80;
  link.mbit_per_s = 75;
  expect(Grade::kSlow, Narrow::kLink,
         HasSubstr("the way to receiver 'left' carries 80 Mbit/s, and 60 fps need 150"));
}

TEST_F(DiagnosisTest, LostPacketsAreNamedWithTheWay) {
  show_only(45);
  flow.stats.dropped.lost = 14;
  flow.stats.links[1].counters.frames_lost = 14;
  expect(Grade::kSlow, Narrow::kLoss,
         AllOf(HasSubstr("on the way to receiver 'right'"), HasSubstr("14 frames a second")));
}

TEST_F(DiagnosisTest, LossesOfFormerSecondsAreNoCause) {
  show_only(45);
  flow.stats.dropped.lost = 1000;
  flow.before->dropped.lost = 1000;
  expect(Grade::kSlow, Narrow::kUnknown, HasSubstr("45 of 60"));
}

TEST_F(DiagnosisTest, AReceiverThatOthersWaitForIsNamed) {
  show_only(45);
  flow.stats.links[1].held_up_ms = 21;
  expect(Grade::kSlow, Narrow::kBarrier,
         HasSubstr("all others wait 21 ms a frame for receiver 'right'"));
}

TEST_F(DiagnosisTest, WhatNobodyKnowsIsSaidSo) {
  show_only(45);
  flow.before.reset();
  expect(Grade::kSlow, Narrow::kUnknown, HasSubstr("nothing measured says why"));
}

TEST_F(DiagnosisTest, EncodingIsNotBlamedForFramesThatWereTurnedAway) {
  show_only(20);
  flow.stats.encode_ms = 15;
  flow.nodes[0].stats.decode_pct = 95;
  expect(Grade::kBad, Narrow::kDecoding, Not(HasSubstr("encoding")));
}

TEST(StreamHealth, AGradeLastsWhenSeveralReportsSaySo) {
  StreamHealth health;
  const Diagnosis slow{Grade::kSlow, Narrow::kUnknown, "slow"};
  const Diagnosis well{Grade::kWell, Narrow::kNone, "well"};
  health.report(slow);
  health.report(slow);
  EXPECT_EQ(health.diagnosis(), slow);
  EXPECT_EQ(health.lasting(), Grade::kWell);
  health.report(well);
  health.report(slow);
  health.report(slow);
  EXPECT_EQ(health.lasting(), Grade::kWell) << "not in a row";
  health.report(slow);
  EXPECT_EQ(health.lasting(), Grade::kSlow);
  health.report(well);
  health.report(well);
  EXPECT_EQ(health.lasting(), Grade::kSlow);
  health.report(well);
  EXPECT_EQ(health.lasting(), Grade::kWell);
}

}  // namespace
}  // namespace manager
