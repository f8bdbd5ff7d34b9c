#include "manager/monitor/diagnosis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <set>

namespace manager {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A film of 60 fps on two tiles, all of it shown.
class DiagnosisTest : public testing::Test {
 protected:
  DiagnosisTest() {
    flow.codec = "htj2k";
    stats.frames_submitted = stats.frames_shown = 600;
    stats.fps_wanted = stats.fps_submitted = 60;
    stats.fps_encoded = stats.fps_shown = 60;
    stats.source_ms = 4;
    stats.encode_ms = 8;
    for (const char* name : {"left", "right"}) {
      stats.links.push_back({.receiver = name, .mbit_per_s = 120, .busy_pct = 30});
    }
    for (size_t i = 0; i < receivers.size(); ++i) {
      receivers[i] = {.render_ms = 3, .paint_pct = 20, .decode_ms = 5, .decode_pct = 30};
      flow.nodes.push_back({stats.links[i].receiver, &receivers[i]});
    }
    before = stats;
    flow.stats = &stats;
    flow.before = &before;
    flow.open_s = 60;
    flow.now_s = flow.fed_s = kNowS;
  }
  // The application submits everything, but fewer frames are shown.
  void show_only(double fps) {
    stats.fps_encoded = fps;
    stats.fps_shown = fps;
  }
  void keep_decoder_busy() {
    show_only(20);
    receivers[1].decode_pct = 97;
    receivers[1].decode_ms = 48;
  }
  void expect(Grade grade, Cause cause, const testing::Matcher<std::string>& sentence) {
    const Diagnosis diagnosis = diagnose(flow);
    EXPECT_EQ(diagnosis.grade, grade) << diagnosis.sentence;
    EXPECT_STREQ(cause_code(diagnosis.cause), cause_code(cause)) << diagnosis.sentence;
    EXPECT_THAT(diagnosis.sentence, sentence);
  }

  static constexpr int64_t kNowS = 1'800'000'000;
  sail::StreamStats stats;
  sail::StreamStats before;
  std::array<sail::ReceiverStats, 2> receivers{};
  sail::HostStats host{.host = "render", .load = {.cores = 2, .wanting = 1, .waits_pct = 5}};
  Flow flow;
};

TEST_F(DiagnosisTest, AFilmThatIsShownWholeIsWell) {
  expect(Grade::kWell, Cause::kNone, "all is well: 60 of 60 frames/s are shown");
  stats.fps_shown = 55.5;
  expect(Grade::kWell, Cause::kNone, HasSubstr("55 of 60"));
}

TEST_F(DiagnosisTest, FewFramesASecondAreCountedWithTolerance) {
  stats.fps_wanted = stats.fps_submitted = stats.fps_encoded = 2;
  stats.fps_shown = 1;
  expect(Grade::kWell, Cause::kNone, HasSubstr("1.0 of 2.0"));
}

TEST_F(DiagnosisTest, SlowEncodingIsNamedWithTheCodec) {
  stats.fps_submitted = stats.fps_encoded = stats.fps_shown = 6;
  stats.encode_ms = 160.4;
  stats.fps_wanted = 59.999;
  expect(Grade::kBad, Cause::kEncoding,
         "encoding htj2k takes 160 ms per frame; the limit is 16 ms for 60 fps: use dxt1:fast or "
         "a smaller picture");
}

TEST_F(DiagnosisTest, SlowReadingIsNamed) {
  stats.fps_submitted = stats.fps_encoded = stats.fps_shown = 40;
  stats.source_ms = 21.5;
  stats.encode_ms = 3;
  expect(Grade::kSlow, Cause::kSource,
         AllOf(HasSubstr("reading and decoding takes 21 ms per frame"), HasSubstr("limit is 16 ms"),
               HasSubstr("vitrail convert")));
}

TEST_F(DiagnosisTest, TwoThatAreTooSlowTogetherAreBothNamed) {
  stats.fps_submitted = stats.fps_encoded = stats.fps_shown = 45;
  stats.source_ms = 9;
  stats.encode_ms = 12;
  expect(Grade::kSlow, Cause::kEncoding,
         HasSubstr(
             "encoding htj2k takes 12 ms per frame, reading and decoding 9.0; the limit is 16 ms"));
}

TEST_F(DiagnosisTest, AnApplicationThatHasNoMoreToShowIsWell) {
  stats.fps_submitted = stats.fps_encoded = stats.fps_shown = 5;
  expect(Grade::kWell, Cause::kNone, HasSubstr("submits 5.0 of 60 frames/s"));
}

TEST_F(DiagnosisTest, NothingThatMovesIsWell) {
  stats.fps_wanted = stats.fps_shown = 0;
  expect(Grade::kWell, Cause::kStill, "the picture does not change");
}

TEST_F(DiagnosisTest, AnApplicationThatSaysNothingOfItsFramesIsWell) {
  stats.fps_wanted = stats.fps_submitted = stats.fps_encoded = 0;
  stats.fps_shown = 24;
  expect(Grade::kWell, Cause::kNone, "24 frames/s are shown");
}

TEST_F(DiagnosisTest, AWindowThatNoTileShowsIsWell) {
  stats.links.clear();
  stats.fps_shown = 0;
  expect(Grade::kWell, Cause::kHidden, HasSubstr("no tile shows the window"));
}

TEST_F(DiagnosisTest, AWindowOfABlankWallIsHiddenOnPurpose) {
  flow.blank = true;
  expect(Grade::kWell, Cause::kBlank, HasSubstr("`vitrail blank off`"));
  stats.links.clear();
  stats.fps_shown = 0;
  expect(Grade::kWell, Cause::kBlank, HasSubstr("`vitrail blank off`"));
  flow.gone = "its program is gone";
  expect(Grade::kBad, Cause::kProgramGone, flow.gone);
}

TEST_F(DiagnosisTest, AFrozenOrBlankWindowIsStillOnPurpose) {
  flow.frozen = true;
  stats.fps_shown = 0;
  expect(
      Grade::kWell, Cause::kFrozen,
      AllOf(HasSubstr("black on receivers that started later"), HasSubstr("`vitrail unfreeze`")));
  flow.window_blank = true;
  expect(Grade::kWell, Cause::kBlank, HasSubstr("`vitrail unblank`"));
  flow.gone = "its program is gone";
  expect(Grade::kBad, Cause::kProgramGone, flow.gone);
}

TEST_F(DiagnosisTest, AReceiverThatIsAwayIsWorseThanAllElse) {
  flow.away = {"right"};
  expect(Grade::kBad, Cause::kReceiverAway, HasSubstr("because 'right' is disconnected"));
  flow.away = {"left", "right"};
  stats.links.clear();
  expect(Grade::kBad, Cause::kReceiverAway, HasSubstr("because 'left', 'right' are disconnected"));
  flow.away.clear();
  flow.rank_away = "rank 1 of 4 (sim) is gone";
  expect(Grade::kBad, Cause::kRankAway, HasSubstr("rank 1 of 4"));
}

TEST_F(DiagnosisTest, AReceiverThatFramesDoNotReachIsNamedWithWhatIsWrong) {
  show_only(0);
  stats.links[1].trouble = sail::LinkTrouble::kRefusedPort;
  stats.links[1].trouble_text = "connection refused";
  stats.links[1].trouble_s = 0.5;
  expect(Grade::kBad, Cause::kUnreachable, HasSubstr("'right'"));
  show_only(60);
  expect(Grade::kWell, Cause::kNone, HasSubstr("60 of 60"));
  stats.links[1].trouble_s = 1.5;
  expect(Grade::kBad, Cause::kUnreachable,
         AllOf(HasSubstr("'right'"), HasSubstr("connection refused"), HasSubstr("doctor")));
  stats.links[0].trouble = sail::LinkTrouble::kNotReady;
  stats.links[0].trouble_s = 9;
  expect(Grade::kBad, Cause::kNotReady, AllOf(HasSubstr("'left'"), HasSubstr("1 more")));
}

TEST_F(DiagnosisTest, AReceiverWithoutUdpIsNamedWhetherAllIsWellOrNot) {
  stats.links[1].instead_of = sail::Transport::kUdp;
  const auto named = AllOf(HasSubstr("; receiver 'right' does not answer UDP packets"),
                           HasSubstr("over TCP until the stream is reopened"));
  expect(Grade::kWell, Cause::kNone, AllOf(HasSubstr("60 of 60"), named));
  keep_decoder_busy();
  expect(Grade::kBad, Cause::kDecoding, AllOf(HasSubstr("decoding, 48 ms per frame"), named));
}

TEST_F(DiagnosisTest, AReceiverWithoutMulticastIsNamedWhetherAllIsWellOrNot) {
  stats.links[1].multicast_trouble = "no packet of the group came within 1000 ms";
  const auto named = AllOf(HasSubstr("; receiver 'right' is sent its frames alone"),
                           HasSubstr("no packet of the group came within 1000 ms"));
  expect(Grade::kWell, Cause::kNone, AllOf(HasSubstr("60 of 60"), named));
  keep_decoder_busy();
  expect(Grade::kBad, Cause::kDecoding, AllOf(HasSubstr("decoding, 48 ms per frame"), named));
}

TEST_F(DiagnosisTest, AReceiverWithoutSharedMemoryIsNamedWhetherAllIsWellOrNot) {
  stats.links[1].memory_trouble = "the receiver runs as another user";
  const auto named = AllOf(HasSubstr("; receiver 'right' is on the sender's host"),
                           HasSubstr("the receiver runs as another user"));
  expect(Grade::kWell, Cause::kNone, AllOf(HasSubstr("60 of 60"), named));
  keep_decoder_busy();
  expect(Grade::kBad, Cause::kDecoding, AllOf(HasSubstr("decoding, 48 ms per frame"), named));
}

TEST_F(DiagnosisTest, ABusyDecoderIsNamed) {
  keep_decoder_busy();
  expect(Grade::kBad, Cause::kDecoding,
         AllOf(HasSubstr("'right' spends 97 % of its time decoding, 48 ms per frame"),
               HasSubstr("limit is 16 ms")));
}

TEST_F(DiagnosisTest, ABusyPainterIsNamed) {
  show_only(40);
  receivers[0].paint_pct = 92;
  receivers[0].render_ms = 23;
  expect(Grade::kSlow, Cause::kPainting,
         HasSubstr("'left' spends 92 % of its time painting, 23 ms per picture"));
}

TEST_F(DiagnosisTest, AFullConnectionIsNamedWithWhatIsNeeded) {
  show_only(30);
  stats.links[1].busy_pct = 99;
  expect(Grade::kSlow, Cause::kLink,
         HasSubstr("the connection to receiver 'right' carries 120 Mbit/s, and 60 fps need 240"));
}

TEST_F(DiagnosisTest, ALimitThatPacketsMetIsNamed) {
  show_only(30);
  sail::LinkStats& link = stats.links[0];
  link.transport = sail::Transport::kUdp;
  link.limit_mbit_per_s = 80;
  link.mbit_per_s = 75;
  expect(Grade::kSlow, Cause::kLink,
         HasSubstr("the connection to receiver 'left' carries 80 Mbit/s, and 60 fps need 150"));
}

TEST_F(DiagnosisTest, AReceiverThatCannotDecodeACarriedStreamIsNamed) {
  flow.codec = "h264";
  show_only(40);
  stats.dropped.incomplete = before.dropped.incomplete + 20;
  receivers[1].blocks_concealed = 20;
  expect(Grade::kSlow, Cause::kDecoding,
         AllOf(HasSubstr("receiver 'right' cannot decode 20 of 60 frames/s of the h264 source"),
               HasSubstr("`vitrail logs right`"), HasSubstr("without --codec carried")));
  flow.codec = "htj2k";  // has no pictures that depend on others
  EXPECT_THAT(diagnose(flow).sentence, Not(HasSubstr("cannot decode")));
}

TEST_F(DiagnosisTest, OthersContinueWithoutAReceiverThatCannotDecode) {
  flow.codec = "h264";
  show_only(40);
  stats.dropped.incomplete = before.dropped.incomplete + 20;
  receivers[1].blocks_concealed = 20;
  stats.links[1].trouble = sail::LinkTrouble::kNotReady;
  stats.links[1].trouble_s = 0.5;
  expect(Grade::kSlow, Cause::kDecoding, HasSubstr("receiver 'right' cannot decode 20 of 60"));
}

TEST_F(DiagnosisTest, AReceiverThatHasDecodedNothingForLongIsNamed) {
  flow.codec = "h264";
  stats.fps_wanted = stats.fps_shown = 0;
  flow.playback = sail::Playback{.paused = true};
  stats.links[1].trouble = sail::LinkTrouble::kUndecoded;
  stats.links[1].trouble_s = 2;
  stats.links[1].trouble_text = "it cannot decode the access units";
  expect(Grade::kBad, Cause::kDecoding,
         AllOf(testing::StartsWith("receiver 'right' shows no new picture: it cannot decode"),
               HasSubstr("without --codec carried")));
}

TEST_F(DiagnosisTest, AWindowThatIsDarkBecauseNothingIsDecodedSaysSo) {
  flow.codec = "h264";
  stats.fps_wanted = stats.fps_shown = 0;
  stats.frames_shown = 0;
  stats.dropped.incomplete = 3;
  receivers[1].blocks_concealed = 3;
  flow.before = nullptr;
  expect(Grade::kBad, Cause::kDecoding, HasSubstr("receiver 'right' cannot decode any frame"));
}

TEST_F(DiagnosisTest, LostPacketsAreNamedWithTheWay) {
  show_only(45);
  stats.dropped.lost = 14;
  stats.links[1].counters.frames_lost = 14;
  expect(Grade::kSlow, Cause::kLoss,
         AllOf(HasSubstr("packets to receiver 'right' are lost"), HasSubstr("14 frames/s")));
}

TEST_F(DiagnosisTest, LossesOfFormerSecondsAreNoCause) {
  show_only(45);
  stats.dropped.lost = 1000;
  before.dropped.lost = 1000;
  expect(Grade::kSlow, Cause::kUnknown, HasSubstr("45 of 60"));
}

TEST_F(DiagnosisTest, AReceiverThatOthersWaitForIsNamed) {
  show_only(45);
  stats.links[1].held_up_ms = 21;
  expect(Grade::kSlow, Cause::kBarrier,
         HasSubstr("all others wait 21 ms per frame for receiver 'right'"));
}

TEST_F(DiagnosisTest, WhatNobodyKnowsIsSaidSo) {
  show_only(45);
  expect(Grade::kSlow, Cause::kUnknown, HasSubstr("no measurement explains why"));
  flow.before = nullptr;
  expect(Grade::kWell, Cause::kNone, HasSubstr("no statistics"));
}

TEST_F(DiagnosisTest, EncodingIsNotBlamedForFramesThatWereTurnedAway) {
  show_only(20);
  stats.encode_ms = 15;
  receivers[0].decode_pct = 95;
  expect(Grade::kBad, Cause::kDecoding, Not(HasSubstr("encoding")));
}

// --- missing or unresponsive programs

TEST_F(DiagnosisTest, AProgramThatTellsNothingAnyMoreStandsStill) {
  flow.age_s = 1.9;
  expect(Grade::kWell, Cause::kNone, HasSubstr("60 of 60"));
  flow.age_s = 2;
  expect(Grade::kBad, Cause::kProgramStopped, HasSubstr("has sent no report since"));
  flow.gone = "'render' is lost";
  expect(Grade::kBad, Cause::kProgramGone, "'render' is lost");
}

TEST_F(DiagnosisTest, AReceiverThatTellsNothingAnyMoreStandsStill) {
  flow.nodes[1].age_s = 2.5;
  expect(Grade::kBad, Cause::kReceiverStopped, HasSubstr("receiver 'right'"));
}

TEST_F(DiagnosisTest, AWindowWithoutAFrameIsBeingOpened) {
  stats.frames_submitted = stats.frames_shown = 0;
  flow.open_s = 2;
  expect(Grade::kWell, Cause::kOpening, HasSubstr("no frame yet"));
  flow.open_s = 4;
  expect(Grade::kSlow, Cause::kOpening, HasSubstr("no frame yet"));
  flow.stats = nullptr;
  flow.age_s = 100;
  expect(Grade::kWell, Cause::kOpening, HasSubstr("no statistics"));
  flow.starts_s = kNowS + 60;
  expect(Grade::kWell, Cause::kScheduled, HasSubstr("begins at"));
}

// --- the source

TEST_F(DiagnosisTest, ALiveSourceThatGivesNothingIsSilent) {
  flow.playback = sail::Playback{.live = true};
  stats.fps_submitted = stats.fps_encoded = stats.fps_shown = 0;
  flow.fed_s = kNowS - 2;
  expect(Grade::kBad, Cause::kSilent, HasSubstr("no signal since"));
  flow.fed_s = kNowS;
  flow.playback->silent_since_s = kNowS - 100;
  expect(Grade::kBad, Cause::kSilent, HasSubstr("no signal since"));
  flow.playback->fallback = true;
  expect(Grade::kSlow, Cause::kSilent, HasSubstr("fallback"));
  flow.playback->silent_since_s = 0;
  flow.playback->paused = true;
  stats.fps_wanted = 0;
  expect(Grade::kWell, Cause::kPaused, HasSubstr("paused"));
}

TEST_F(DiagnosisTest, ASourceWhoseTimeStampsJumpIsNamedForAWhile) {
  flow.playback = sail::Playback{.live = true, .jumped_s = kNowS - 9};
  expect(Grade::kSlow, Cause::kTimeStamps, HasSubstr("time stamps of its live source jumped at"));
  flow.playback->jumped_s = kNowS - 10;
  expect(Grade::kWell, Cause::kNone, HasSubstr("60 of 60"));
  flow.playback = sail::Playback{.jumped_s = kNowS};
  expect(Grade::kSlow, Cause::kTimeStamps, HasSubstr("time stamps of its film jumped at"));
}

TEST_F(DiagnosisTest, AFilmThatHandsOverTooFewFramesIsLate) {
  flow.playback = sail::Playback{};
  stats.fps_submitted = stats.fps_encoded = stats.fps_shown = 0;
  expect(Grade::kBad, Cause::kApplication, HasSubstr("0.0 of 60"));
  flow.playback->ended = true;
  stats.fps_wanted = 0;
  expect(Grade::kWell, Cause::kEnded, HasSubstr("ended"));
}

TEST_F(DiagnosisTest, AProgramThatWaitsForItsDataIsToldFromOneThatDecodes) {
  stats.fps_submitted = stats.fps_encoded = stats.fps_shown = 6;
  stats.source_ms = 160;
  stats.encode_ms = 1;
  host.load.own_pct = 95;  // 158 ms a frame
  flow.host = &host;
  expect(Grade::kBad, Cause::kSource, HasSubstr("reading and decoding takes 160 ms"));
  host.load.own_pct = 10;  // 17 ms a frame
  expect(Grade::kBad, Cause::kStorage, HasSubstr("reading takes 160 ms"));
}

// --- busy machines

TEST_F(DiagnosisTest, ABusyMachineIsNamedWithItsPrograms) {
  host.load = {.cores = 2, .wanting = 15, .waits_pct = 95, .busy = {"ffmpeg", "cc1plus"}};
  flow.host = &host;
  stats.fps_submitted = stats.fps_encoded = stats.fps_shown = 17;
  stats.encode_ms = 40;
  expect(
      Grade::kBad, Cause::kMachine,
      AllOf(HasSubstr(
                "machine 'render' is overloaded: 8 programs compete for each of its 2 processors"),
            HasSubstr("(ffmpeg, cc1plus)")));
  stats.encode_ms = 160;  // 21 ms without the machine's load
  expect(Grade::kBad, Cause::kEncoding, HasSubstr("encoding htj2k takes 160 ms"));
  stats.source_ms = stats.encode_ms = 1;
  expect(Grade::kBad, Cause::kMachine, HasSubstr("'render'"));
}

// For example a machine that is busy with work of the lowest priority, which delays no other
// program.
TEST_F(DiagnosisTest, ABusyMachineIsNoCauseWhileFramesAreInTime) {
  host.load = {.cores = 2, .wanting = 15, .waits_pct = 95, .busy = {"cc1plus"}};
  flow.host = flow.nodes[0].host = flow.nodes[1].host = &host;
  expect(Grade::kWell, Cause::kNone, HasSubstr("60 of 60"));
}

TEST_F(DiagnosisTest, ABusyMachineOfAReceiverIsNamed) {
  host.load = {.cores = 4, .wanting = 12, .waits_pct = 80};
  flow.nodes[0].host = &host;
  expect(Grade::kWell, Cause::kNone, HasSubstr("60 of 60"));
  show_only(40);
  receivers[0].decode_pct = 95;
  expect(Grade::kSlow, Cause::kMachine,
         HasSubstr("3 programs compete for each of its 4 processors"));
}

// --- receivers that are not ready

TEST_F(DiagnosisTest, AReceiverThatIsNeverReadyIsNamed) {
  show_only(0);
  stats.links[1].left_behind = 1;
  expect(Grade::kBad, Cause::kNotReady, HasSubstr("receiver 'right'"));
}

TEST_F(DiagnosisTest, AClockThatIsNotKnownIsNamed) {
  show_only(40);
  receivers[1].clock_error_us = 50'000;
  expect(Grade::kSlow, Cause::kClock, HasSubstr("the clock of receiver 'right'"));
}

TEST_F(DiagnosisTest, AStillPictureThatWasNeverShownIsNotWell) {
  stats.frames_submitted = 3;
  stats.frames_shown = 0;
  stats.fps_wanted = stats.fps_submitted = stats.fps_shown = 0;
  stats.dropped.unsent = 3;
  expect(Grade::kBad, Cause::kQueue, HasSubstr("dropped"));
}

TEST_F(DiagnosisTest, ALayoutWithoutItsFrameIsNamed) {
  flow.layout_waits = true;
  show_only(53);
  expect(Grade::kSlow, Cause::kLayout, HasSubstr("current layout"));
  stats.fps_wanted = 0;
  expect(Grade::kSlow, Cause::kLayout, HasSubstr("current layout"));
}

TEST_F(DiagnosisTest, AWindowThatShowsNearlyAllIsWellThoughALayoutWasShownWithoutIt) {
  flow.layout_waits = true;
  show_only(54);
  expect(Grade::kWell, Cause::kNone, HasSubstr("54 of 60"));
}

// --- the list of causes

TEST(Causes, EachHasACodeOfItsOwn) {
  std::set<std::string> codes;
  for (const Cause cause : all_causes()) codes.insert(cause_code(cause));
  EXPECT_EQ(codes.size(), all_causes().size());
}

TEST(StreamHealth, FollowsRatesWhenTwoReportsSaySo) {
  StreamHealth health;
  const Diagnosis slow{Grade::kSlow, Cause::kUnknown, "slow"};
  const Diagnosis well{Grade::kWell, Cause::kNone, "well"};
  health.report(well);
  health.report(slow);
  EXPECT_EQ(health.grade(), Grade::kWell);
  health.report(well);
  health.report(slow);
  EXPECT_EQ(health.diagnosis(), well) << "not in a row";
  health.report(slow);
  EXPECT_EQ(health.diagnosis(), slow);
  const Diagnosis slower{Grade::kSlow, Cause::kUnknown, "slower"};
  health.report(slower);
  EXPECT_EQ(health.diagnosis(), slower) << "figures are new ones at once";
  health.report(well);
  EXPECT_EQ(health.grade(), Grade::kSlow);
  health.report(well);
  EXPECT_EQ(health.diagnosis(), well);
}

TEST(StreamHealth, TakesFactsAtOnce) {
  StreamHealth health;
  const Diagnosis stopped{Grade::kBad, Cause::kProgramStopped, "stopped"};
  const Diagnosis well{Grade::kWell, Cause::kNone, "well"};
  health.report(well);
  health.evaluate({Grade::kSlow, Cause::kEncoding, "by old figures"});
  EXPECT_EQ(health.grade(), Grade::kWell);
  health.evaluate(stopped);
  EXPECT_EQ(health.diagnosis(), stopped);
  health.evaluate(well);
  EXPECT_EQ(health.diagnosis(), well);
}

}  // namespace
}  // namespace manager
