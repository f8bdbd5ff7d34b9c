// Pure parts of the overlay: pointers, distribution to receivers, labels.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "manager/monitor/figures.h"
#include "manager/monitor/overlay_feed.h"
#include "manager/monitor/pointers.h"
#include "manager/monitor/window_labels.h"
#include "sail/core/text/limits.h"
#include "sail/core/time/clock.h"
#include "sail/core/wall/label_text.h"
#include "sail/core/wire/rpc.h"
#include "tests/unit/manager/wall/two_tiles.h"

namespace manager {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

using sail::kSecondNs;

TEST(Pointers, HideWhenTheyDoNotMove) {
  Pointers pointers;
  pointers.move(7, 0, "Ada", 0xff0000, {10, 20, false}, kSecondNs);
  pointers.move(7, 1, "Ada", 0xff0000, {30, 40, true}, 2 * kSecondNs);
  pointers.expire(kSecondNs + Pointers::kStaysNs - 1);
  EXPECT_THAT(pointers.overlay(), SizeIs(2));
  const uint64_t revision = pointers.revision();
  pointers.expire(kSecondNs + Pointers::kStaysNs);
  EXPECT_GT(pointers.revision(), revision);
  const std::vector<sail::OverlayPointer> left = pointers.overlay();
  ASSERT_THAT(left, SizeIs(1));
  EXPECT_EQ(left[0].x, 30);
  EXPECT_TRUE(left[0].pressed);
  EXPECT_EQ(pointers.json()["pointers"][0],
            sail::Json::parse(R"({"client": 7, "pointer": 1, "name": "Ada", "colour": "#ff0000",
                                  "at": [30, 40], "pressed": true})"));
  pointers.expire(2 * kSecondNs + Pointers::kStaysNs);
  EXPECT_TRUE(pointers.empty());
}

TEST(Pointers, OneThatStaysPutIsNoChangeButIsShownOn) {
  Pointers pointers;
  pointers.move(7, 0, "Ada", 0, {10, 20, false}, kSecondNs);
  const uint64_t revision = pointers.revision();
  pointers.move(7, 0, "Ada", 0, {10, 20, false}, 5 * kSecondNs);
  EXPECT_EQ(pointers.revision(), revision);
  pointers.expire(4 * kSecondNs + Pointers::kStaysNs);
  EXPECT_FALSE(pointers.empty());
}

TEST(Pointers, ALasersTrailIsShortAndEnds) {
  Pointers pointers;
  const auto laser = [&](int x, int64_t now_ns) {
    pointers.move(7, 0, "Ada", 0, {.x = x, .style = sail::PointerStyle::kLaser}, now_ns);
  };
  for (int i = 0; i < 20; ++i) laser(i, kSecondNs + i);
  std::vector<int> trail = pointers.overlay()[0].trail;
  ASSERT_THAT(trail, SizeIs(2 * sail::kMaxPointerTrail));
  EXPECT_EQ(trail[0], 18) << "newest first";
  const uint64_t revision = pointers.revision();
  pointers.expire(2 * kSecondNs);
  EXPECT_GT(pointers.revision(), revision);
  EXPECT_TRUE(pointers.overlay()[0].trail.empty());
  laser(30, 2 * kSecondNs);
  pointers.move(7, 0, "Ada", 0, {.x = 40}, 2 * kSecondNs);
  pointers.expire(2 * kSecondNs + 1);
  EXPECT_TRUE(pointers.overlay()[0].trail.empty()) << "an arrow has none";
}

TEST(Pointers, GoWithTheirClient) {
  Pointers pointers;
  for (int i = 0; i < Pointers::kMostOfAClient; ++i) pointers.move(7, i, "Ada", 0, {}, kSecondNs);
  pointers.move(8, 0, "Bob", 0, {}, kSecondNs);
  const uint64_t revision = pointers.revision();
  pointers.client_left(9);
  EXPECT_EQ(pointers.revision(), revision);
  pointers.client_left(7);
  EXPECT_GT(pointers.revision(), revision);
  EXPECT_THAT(pointers.overlay(), SizeIs(1));
  pointers.hide(8, 1);
  EXPECT_THAT(pointers.overlay(), SizeIs(1));
  pointers.hide(8, 0);
  EXPECT_TRUE(pointers.empty());
}

TEST(Pointers, TheOneHidesThatHasNotMovedForTheLongestTime) {
  Pointers pointers;
  const auto most = static_cast<int>(sail::kMaxOverlayPointers);
  for (int i = 0; i < most; ++i) {
    pointers.move(static_cast<uint64_t>(i) + 1, 0, "", 0, {i, 0, false}, kSecondNs + i);
  }
  pointers.move(1, 0, "", 0, {0, 1, false}, 2 * kSecondNs);
  pointers.move(9999, 0, "", 0, {9999, 0, false}, 2 * kSecondNs);
  const auto shown = pointers.overlay();
  ASSERT_THAT(shown, SizeIs(sail::kMaxOverlayPointers));
  EXPECT_EQ(shown[0].x, 0);
  EXPECT_EQ(shown[1].x, 2) << "the second client's is gone";
  EXPECT_EQ(shown.back().x, 9999);
}

class OverlayFeedTest : public testing::Test {
 protected:
  OverlayFeedTest() {
    feed_.receiver_joined("left");
    feed_.receiver_joined("right");
  }
  static std::vector<sail::OverlayPointer> at(int x) {
    return {{.x = x, .y = 500, .name = "Ada", .colour = 0}};
  }

  sail::Wall wall_ = two_tiles();
  OverlayFeed feed_{wall_};
};

TEST_F(OverlayFeedTest, OnlyReceiversThatShowOrShowedItAreTold) {
  feed_.set_pointers(at(300));
  const auto shown = feed_.take("left");
  ASSERT_TRUE(shown);
  EXPECT_EQ(shown->pointers, at(300));
  EXPECT_FALSE(shown->labels) << "those did not change";
  EXPECT_FALSE(feed_.take("right"));
  EXPECT_FALSE(feed_.take("left")) << "it knows";

  feed_.set_pointers(at(990));  // its name label reaches into both tiles
  EXPECT_EQ(feed_.take("left")->pointers, at(990));
  EXPECT_EQ(feed_.take("right")->pointers, at(990));

  feed_.set_pointers(at(1300));
  EXPECT_EQ(feed_.take("left")->pointers, std::vector<sail::OverlayPointer>());
  EXPECT_EQ(feed_.take("right")->pointers, at(1300));
}

TEST_F(OverlayFeedTest, AReceiverThatJoinsIsToldAll) {
  feed_.set_pointers(at(300));
  feed_.set_labels({{.x = 5, .y = 5, .lines = {"a"}}, {.x = 1500, .y = 5, .lines = {"b"}}});
  ASSERT_TRUE(feed_.take("left"));
  feed_.receiver_left("left");
  EXPECT_THAT(feed_.receivers(), ElementsAre("right"));
  feed_.receiver_joined("left");
  const auto all = feed_.take("left");
  ASSERT_TRUE(all);
  EXPECT_EQ(all->pointers, at(300));
  ASSERT_THAT(*all->labels, SizeIs(1));
  EXPECT_EQ((*all->labels)[0].lines[0], "a");
}

TEST_F(OverlayFeedTest, TheLargestOverlayFitsALine) {
  const std::string long_line(sail::kMaxLabelLine, '"');  // each is escaped to two bytes
  std::vector<sail::OverlayLabel> labels(
      sail::kMaxLabels,
      {.x = 5, .y = 5, .lines = std::vector<std::string>(sail::kMaxLabelLines, long_line)});
  feed_.set_labels(labels);
  feed_.set_pointers(std::vector<sail::OverlayPointer>(
      sail::kMaxOverlayPointers,
      {.x = 5,
       .y = 5,
       .name = std::string(sail::kMaxNameLength, '"'),
       .style = sail::PointerStyle::kLaser,
       .trail = std::vector<int>(2 * sail::kMaxPointerTrail, -sail::kMaxWindowOffset)}));
  const auto all = feed_.take("left");
  ASSERT_TRUE(all);
  EXPECT_GT(all->labels->size(), 100U);
  EXPECT_LE(sail::notification_line("overlay", to_json(*all)).size(), sail::kMaxControlLine);
  EXPECT_TRUE(sail::message_from_json<sail::Overlay>(to_json(*all)));
}

class FigureLabelsTest : public testing::Test {
 protected:
  uint32_t open(const std::string& title, const sail::Rect& place) {
    Window window;
    window.title = title;
    window.codec = "dxt1";
    window.wall_rect = place;
    return (*windows_.open(window))->number;
  }

  sail::Wall wall_ = two_tiles();
  WindowStack windows_;
  ReceiverRoster roster_{wall_};
  FigureLabels labels_;
};

TEST_F(FigureLabelsTest, WindowsHaveTheirsAtTheTopLeftOfWhatIsSeen) {
  windows_.find(open("beneath", {-50, -20, 500, 500}));
  open("over", {-100, -100, 200, 300});
  open("hidden", {300, 300, 10, 10});
  open("over that", {290, 290, 100, 100});
  sail::StreamStats stats;
  stats.fps_shown = 59.94;
  stats.mbit_per_s = 120.51;
  stats.frames_dropped = 3;
  stats.latency_ms_p50 = 12.5;
  stats.latency_ms_p99 = 20.1;
  stats.skew_us_p99 = 90.4;
  windows_.find(1)->stats = stats;
  const auto labels = labels_.make(wall_, windows_, roster_, kSecondNs);
  ASSERT_THAT(labels, SizeIs(3)) << "nothing is seen of one";
  EXPECT_EQ(labels[0].x, 100);
  EXPECT_EQ(labels[0].y, 0);
  EXPECT_FALSE(labels[0].above);
  EXPECT_THAT(labels[0].lines,
              ElementsAre("beneath", "dxt1  59.9 fps  120.5 Mbit/s",
                          "skipped 0  dropped 3  latency 12.5 / 20.1 ms  skew 90 us"));
  EXPECT_THAT(labels[1].lines, ElementsAre("over", "dxt1"));
  EXPECT_EQ(labels[1].x, 0);
  EXPECT_EQ(labels[1].y, 0);
}

TEST_F(FigureLabelsTest, ASlowWindowSaysWhyInItsColour) {
  Window& window = *windows_.find(open("slow", {0, 0, 500, 500}));
  window.stats = sail::StreamStats{.fps_wanted = 60, .fps_shown = 6.1};
  const uint32_t white = labels_.make(wall_, windows_, roster_, kSecondNs)[0].colour;
  for (int i = 0; i < StreamHealth::kReports; ++i) {
    window.health.report({Grade::kBad, Cause::kEncoding,
                          "encoding j2k takes 160 ms per frame; the limit is 16 ms for 60 "
                          "fps: use dxt1:fast or a smaller picture"});
  }
  const auto labels = labels_.make(wall_, windows_, roster_, kSecondNs);
  EXPECT_NE(labels[0].colour, white);
  EXPECT_THAT(labels[0].lines,
              ElementsAre("slow", "dxt1  6.1 of 60.0 fps  0.0 Mbit/s",
                          "skipped 0  dropped 0  latency 0.0 / 0.0 ms  skew 0 us",
                          "encoding j2k takes 160 ms per frame; the limit is 16 ms",
                          "for 60 fps: use dxt1:fast or a smaller picture"));
}

TEST_F(FigureLabelsTest, ReceiversHaveTheirsAtTheBottomLeft) {
  ReceiverEntry& right = *roster_.find("right");
  right.peer = 5;
  right.stats = sail::ReceiverStats{.frames_shown = 1000, .render_ms = 2.5, .clock_error_us = 30};
  EXPECT_THAT(labels_.make(wall_, windows_, roster_, kSecondNs), SizeIs(1));
  right.stats->frames_shown = 1090;
  const auto labels = labels_.make(wall_, windows_, roster_, 5 * kSecondNs / 2);
  ASSERT_THAT(labels, SizeIs(1)) << "the other is not connected";
  EXPECT_EQ(labels[0].x, 1000);
  EXPECT_EQ(labels[0].y, 1000);
  EXPECT_TRUE(labels[0].above);
  EXPECT_THAT(labels[0].lines,
              ElementsAre("right", "60 frames/s  dropped 0", "render 2.5 ms  clock 30 us"));
}

TEST_F(FigureLabelsTest, ALabelAtTheTopIsTheHeading) {
  windows_.find(open("film", {0, 0, 500, 500}))->label = {.text = "now: {title}", .top = true};
  EXPECT_THAT(labels_.make(wall_, windows_, roster_, kSecondNs)[0].lines,
              ElementsAre("now: film", "dxt1"));
}

TEST_F(FigureLabelsTest, LongTitlesAreCut) {
  std::string title;
  for (int i = 0; i < 66; ++i) title += "語";
  open(title, {0, 0, 100, 100});
  const auto labels = labels_.make(wall_, windows_, roster_, kSecondNs);
  EXPECT_EQ(labels[0].lines[0].size(), sail::kMaxLabelLine);
}

class WindowLabelsTest : public testing::Test {
 protected:
  Window& open(const std::string& text, const sail::Rect& place) {
    Window window;
    window.title = "film";
    window.owner_name = "bplay";
    window.wall_rect = place;
    window.label.text = text;
    return **windows_.open(window);
  }
  std::vector<sail::OverlayLabel> labels(bool with_heads = false) const {
    std::vector<sail::OverlayLabel> labels;
    const auto all = [](const Window&) { return true; };
    const auto none = [](const Window&) { return false; };
    add_window_labels(wall_, windows_, 0, with_heads ? +all : +none, labels);
    return labels;
  }

  sail::Wall wall_ = two_tiles();
  WindowStack windows_;
};

TEST_F(WindowLabelsTest, StandAtTheBottomLeftOfWhatIsSeenOrAtTheTop) {
  open("one", {900, 100, 300, 200});  // on both tiles
  open("", {0, 500, 100, 100});
  EXPECT_EQ(
      labels(),
      (std::vector<sail::OverlayLabel>{{.x = 900, .y = 300, .above = true, .lines = {"one"}}}));
  open("", {800, 200, 150, 200});  // over the bottom left
  EXPECT_EQ(labels()[0].x, 950);
  EXPECT_EQ(labels()[0].y, 300);
  windows_.find(1)->label.top = true;
  EXPECT_EQ(labels(), (std::vector<sail::OverlayLabel>{{.x = 900, .y = 100, .lines = {"one"}}}));
  EXPECT_THAT(labels(true), testing::IsEmpty()) << "the other label is there";
  windows_.find(1)->label.top = false;
  EXPECT_THAT(labels(true), SizeIs(1));
  windows_.find(1)->cover.blank = "";
  EXPECT_THAT(labels(), testing::IsEmpty()) << "what is blank is not named";
}

TEST_F(WindowLabelsTest, PlaceholdersAreReplaced) {
  Window& window = open("{title} · {source} · {state} {title", {0, 0, 900, 100});
  EXPECT_EQ(label_text(window, 0), "film · bplay · live {title");
  window.media = {"rtsp://camera/1"};
  window.playback = sail::Playback{.paused = true};
  EXPECT_EQ(label_text(window, 0), "film · rtsp://camera/1 · paused {title");
  const auto state = [&window](const sail::Playback& playback) {
    window.playback = playback;
    window.label.text = "{state}";
    return label_text(window, 0);
  };
  EXPECT_EQ(state({}), "playing");
  EXPECT_EQ(state({.ended = true}), "ended");
  EXPECT_EQ(state({.live = true}), "live");
  EXPECT_EQ(state({.live = true, .silent_since_s = 5}), "no signal");
  window.lost = LostProgram{"render", "killed", 1};
  EXPECT_EQ(state({}), "lost");
  EXPECT_FALSE(shows_clock(window));
  window.label.text = "at {clock}";
  EXPECT_TRUE(shows_clock(window));
  EXPECT_THAT(label_text(window, 0), testing::MatchesRegex("at [0-9]{2}:[0-9]{2}:[0-9]{2}"));
}

TEST_F(WindowLabelsTest, OnlyKnownPlaceholdersAreAccepted) {
  EXPECT_EQ(sail::label_mistake("{title} {source}{clock} {state} }"), "");
  for (const char* wrong : {"{", "{}", "a {titel}", "{{title}}", "{title} {"}) {
    EXPECT_NE(sail::label_mistake(wrong), "") << wrong;
  }
  EXPECT_THAT(sail::label_mistake("a {titel} b"), HasSubstr("'{titel}'"));
}

TEST_F(WindowLabelsTest, AreCutToTheirWindow) {
  open("a long label", {0, 0, 60, 100});
  open("a long label", {100, 0, 100, 100});
  open("a long label", {300, 0, 10, 100});
  const auto all = labels();
  ASSERT_THAT(all, SizeIs(2)) << "one has no room for a letter";
  EXPECT_THAT(all[0].lines, ElementsAre("a long l…"));
  EXPECT_THAT(all[1].lines, ElementsAre("a long label"));
}

TEST_F(WindowLabelsTest, AThousandLabelsReachTheirReceiver) {
  std::string title;
  for (int i = 0; i < 66; ++i) title += "語";
  for (int i = 0; i < kMaxWindowLabels; ++i) {
    Window& window = open("{title}", {i / 40 * 40, i % 40 * 25, 40, 25});
    window.title = title;
  }
  OverlayFeed feed(wall_);
  feed.receiver_joined("left");
  feed.set_labels(labels());
  const auto news = feed.take("left");
  ASSERT_TRUE(news);
  EXPECT_THAT(*news->labels, SizeIs(kMaxWindowLabels));
  EXPECT_LE(sail::notification_line("overlay", to_json(*news)).size(), sail::kMaxControlLine);
}

}  // namespace
}  // namespace manager
