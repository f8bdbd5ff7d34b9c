// Small pure parts: window stack, grids, changes, command lines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "manager/media/play_request.h"
#include "manager/peers/change_feed.h"
#include "manager/programs/player_starter.h"
#include "manager/wall/arrange.h"
#include "manager/wall/window_stack.h"
#include "sail/core/text/limits.h"

namespace manager {
namespace {

using testing::ElementsAre;

std::vector<uint32_t> order(const WindowStack& stack) {
  std::vector<uint32_t> numbers;
  for (const Window& window : stack.bottom_to_top()) numbers.push_back(window.number);
  return numbers;
}

TEST(WindowStack, NumbersAreNeverUsedTwice) {
  WindowStack stack;
  EXPECT_EQ((*stack.open({}))->number, 1U);
  EXPECT_EQ((*stack.open({}))->number, 2U);
  EXPECT_TRUE(stack.remove(2));
  EXPECT_FALSE(stack.remove(2));
  EXPECT_EQ((*stack.open({}))->number, 3U);
  EXPECT_EQ(stack.find(2), nullptr);
}

TEST(WindowStack, NoTwoWindowsHaveAMulticastGroup) {
  const sail::IpAddress one = *sail::parse_ip("ff18::2");
  const sail::MulticastRange range{.first = one, .prefix = 127};  // the last one is for tests
  WindowStack windows;
  const auto open = [&] {
    Window window;
    window.multicast = windows.free_multicast_group(range);
    return (*windows.open(window))->number;
  };
  const uint32_t first = open();
  EXPECT_EQ(windows.find(first)->multicast, one);
  EXPECT_EQ(windows.find(open())->multicast, sail::IpAddress()) << "all are taken";
  windows.remove(first);
  EXPECT_EQ(windows.find(open())->multicast, one);
}

TEST(WindowStack, RaiseAndLowerKeepTheOthersInOrder) {
  WindowStack stack;
  for (int i = 0; i < 4; ++i) (void)stack.open({});
  EXPECT_TRUE(stack.reorder(raised(stack.order(), {2})));
  EXPECT_THAT(order(stack), ElementsAre(1, 3, 4, 2));
  EXPECT_FALSE(stack.reorder(raised(stack.order(), {2})));
  EXPECT_TRUE(stack.reorder(lowered(stack.order(), {4})));
  EXPECT_THAT(order(stack), ElementsAre(4, 1, 3, 2));
  EXPECT_FALSE(stack.reorder(lowered(stack.order(), {4})));
  EXPECT_FALSE(stack.reorder(raised(stack.order(), {9})));
  // Several windows keep their relative order.
  EXPECT_TRUE(stack.reorder(raised(stack.order(), {3, 4})));
  EXPECT_THAT(order(stack), ElementsAre(1, 2, 4, 3));
}

TEST(WindowStack, ReorderLeavesWindowsAloneThatItDoesNotName) {
  WindowStack stack;
  for (int i = 0; i < 5; ++i) (void)stack.open({});
  EXPECT_TRUE(stack.reorder({4, 9, 2}));
  EXPECT_THAT(order(stack), ElementsAre(1, 4, 3, 2, 5));
  EXPECT_FALSE(stack.reorder({4, 9, 2}));
  EXPECT_FALSE(stack.reorder({2, 2, 4}));
  EXPECT_TRUE(stack.remove(4));
  for (const uint32_t number : {1U, 2U, 3U, 5U}) EXPECT_EQ(stack.find(number)->number, number);
}

TEST(WindowStack, HasABound) {
  WindowStack stack;
  for (int i = 0; i < sail::kMaxWindows; ++i) ASSERT_TRUE(stack.open({}));
  const auto refused = stack.open({});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, sail::ErrorCode::kLimit);
}

TEST(WindowPlace, SidesAndOffsetsAreBounded) {
  EXPECT_EQ(window_place({-5, 7, 1, sail::kMaxWindowSide}),
            (sail::Rect{-5, 7, 1, sail::kMaxWindowSide}));
  const int64_t side = sail::kMaxWindowSide;
  const int64_t offset = sail::kMaxWindowOffset;
  for (const WideRect& wrong :
       {WideRect{0, 0, 0, 1}, WideRect{0, 0, 1, -1}, WideRect{0, 0, side + 1, 1},
        WideRect{0, 0, 1, side + 1}, WideRect{offset + 1, 0, 1, 1}, WideRect{0, -offset - 1, 1, 1},
        WideRect{INT64_MAX, INT64_MIN, INT64_MAX, INT64_MIN}}) {
    const auto place = window_place(wrong);
    ASSERT_FALSE(place);
    EXPECT_EQ(place.error().code, sail::ErrorCode::kLimit);
  }
}

TEST(Arrange, FitKeepsTheAspectInTheMiddle) {
  EXPECT_EQ(fit_into({1920, 1080}, {0, 0, 3840, 2160}), (sail::Rect{0, 0, 3840, 2160}));
  EXPECT_EQ(fit_into({100, 100}, {10, 20, 400, 200}), (sail::Rect{110, 20, 200, 200}));
  EXPECT_EQ(fit_into({100, 100}, {0, 0, 200, 400}), (sail::Rect{0, 100, 200, 200}));
  EXPECT_EQ(fit_into({16384, 1}, {0, 0, 100, 100}), (sail::Rect{0, 49, 100, 1}));
  const sail::Rect most = fit_into({2, 1}, {0, 0, sail::kMaxWallSide, sail::kMaxWallSide});
  EXPECT_EQ(most.width, sail::kMaxWindowSide);
  EXPECT_EQ(most.x, (sail::kMaxWallSide - sail::kMaxWindowSide) / 2);
}

TEST(Arrange, GridUsesTheWallWell) {
  const sail::Rect area{0, 0, 4000, 2000};
  EXPECT_TRUE(arrange_grid(area, {}, 0).rects.empty());
  const std::vector<sail::Size> four(4, sail::Size{200, 100});
  EXPECT_THAT(arrange_grid(area, four, 0).rects,
              ElementsAre(sail::Rect{0, 0, 2000, 1000}, sail::Rect{2000, 0, 2000, 1000},
                          sail::Rect{0, 1000, 2000, 1000}, sail::Rect{2000, 1000, 2000, 1000}));
  // Upright pictures are placed side by side; a short last row is centred.
  const std::vector<sail::Size> two(2, sail::Size{100, 100});
  EXPECT_THAT(arrange_grid(area, two, 0).rects,
              ElementsAre(sail::Rect{0, 0, 2000, 2000}, sail::Rect{2000, 0, 2000, 2000}));
  const std::vector<sail::Size> three(3, sail::Size{200, 100});
  EXPECT_THAT(arrange_grid(area, three, 0).rects,
              ElementsAre(sail::Rect{0, 0, 2000, 1000}, sail::Rect{2000, 0, 2000, 1000},
                          sail::Rect{1000, 1000, 2000, 1000}));
}

TEST(ChangeFeed, EachTellingIsOneRevision) {
  ChangeFeed feed;
  EXPECT_TRUE(feed.take().empty());
  const uint64_t before = feed.revision();
  feed.window_changed(2);
  feed.window_changed(1);
  feed.window_changed(2);
  feed.receiver_changed("left");
  const auto sets = feed.take();
  ASSERT_EQ(sets.size(), 1U);
  EXPECT_EQ(sets[0].revision, before + 1);
  EXPECT_THAT(sets[0].windows, ElementsAre(1, 2));
  EXPECT_THAT(sets[0].receivers, ElementsAre("left"));
  EXPECT_FALSE(sets[0].order);
  EXPECT_FALSE(sets[0].switches);
  EXPECT_TRUE(feed.take().empty());
  feed.switches_changed();
  EXPECT_TRUE(feed.take().at(0).switches);
  feed.window_changed(2);
  EXPECT_FALSE(feed.take().at(0).switches);
}

TEST(ChangeFeed, WindowThatCameAndWentIsOnlyGone) {
  ChangeFeed feed;
  feed.window_changed(1);
  feed.window_removed(1);
  const auto sets = feed.take();
  ASSERT_EQ(sets.size(), 1U);
  EXPECT_TRUE(sets[0].windows.empty());
  EXPECT_THAT(sets[0].removed, ElementsAre(1));
  EXPECT_TRUE(sets[0].order);
}

TEST(ChangeFeed, ManyChangesComeInPortions) {
  ChangeFeed feed;
  for (uint32_t number = 1; number <= 600; ++number) feed.window_changed(number);
  feed.order_changed();
  const auto sets = feed.take();
  ASSERT_EQ(sets.size(), 3U);
  size_t windows = 0;
  for (size_t i = 0; i < sets.size(); ++i) {
    windows += sets[i].windows.size();
    EXPECT_EQ(sets[i].revision, sets[0].revision + i);
    EXPECT_EQ(sets[i].order, i + 1 == sets.size());
  }
  EXPECT_EQ(windows, 600U);
}

TEST(PlayerArguments, MediaAreNeverOptions) {
  EXPECT_THAT(
      player_arguments("bplay",
                       {.media = {"--help", "a b;c"}, .place = {}, .fps = 29.97, .start_s = 12}),
      ElementsAre("bplay", "--fps", "29.97", "--start", "12", "--", "--help", "a b;c"));
  EXPECT_THAT(player_arguments("/x/bplay", {.media = {"f"}, .place = {}, .fps = {}, .start_s = {}}),
              ElementsAre("/x/bplay", "--", "f"));
}

TEST(PlayerArguments, StillsAreDrawnForTheirPlace) {
  EXPECT_THAT(
      player_arguments("vitrail-show", {.media = {"a.png"},
                                        .program = kShow,
                                        .place = sail::Rect{-5, 6, 70, 80},
                                        .fps = {},
                                        .start_s = {}}),
      ElementsAre("vitrail-show", "--place=-5,6,70x80", "--animations=close", "--", "a.png"));
}

TEST(PlayerArguments, DecorationsKeepTheShapeOfTheirPictureAndLogosTheirTransparency) {
  PlayRequest request;
  request.media = {"a.png"};
  request.place = sail::Rect{0, 0, 70, 80};
  request.decoration = Decoration{};
  request.program = player_for(request);
  EXPECT_THAT(player_arguments("show", request),
              ElementsAre("show", "--animations=close", "--", "a.png"));
  request.decoration->fit = WallpaperFit::kStretch;
  request.program = player_for(request);
  EXPECT_THAT(player_arguments("bplay", request), ElementsAre("bplay", "--", "a.png"));
  request.decoration = Decoration{.kind = DecorationKind::kLogo};
  request.program = player_for(request);
  EXPECT_THAT(player_arguments("bplay", request),
              ElementsAre("bplay", "--codec=dxt5", "--", "a.png"));
  request.media = {"a.mp4"};
  EXPECT_THAT(player_arguments("bplay", request), ElementsAre("bplay", "--", "a.mp4"));
  request.media = {"a.pdf"};
  EXPECT_STREQ(player_for(request), kShow);
}

TEST(PlayerArguments, PagesAndDesktopsAreNeverOptions) {
  PlayRequest request;
  request.media = {"web:https://vitrail.example/--help"};
  request.program = player_for(request);
  request.page_size = sail::Size{1920, 1080};
  EXPECT_THAT(player_arguments("w", request),
              ElementsAre("w", "--size=1920x1080", "--", "https://vitrail.example/--help"));
  request.media = {"vnc://-x:1"};
  request.program = player_for(request);
  EXPECT_THAT(player_arguments("v", request), ElementsAre("v", "--", "-x:1"));
}

TEST(PlayerArguments, TellHowItPlays) {
  PlayRequest request;
  request.media = {"f"};
  request.rate = 0.5;
  request.volume = 0;
  EXPECT_THAT(player_arguments("bplay", request),
              ElementsAre("bplay", "--rate", "0.5", "--volume", "0", "--", "f"));
  request = {.media = {"udp://h:1"}, .place = {}, .fps = {}, .start_s = {}, .fallback = "--x"};
  EXPECT_STREQ(player_for(request), kBplay);
  EXPECT_THAT(player_arguments("bplay", request),
              ElementsAre("bplay", "--fallback=--x", "--", "udp://h:1"));
  EXPECT_EQ(play_request_from_json(to_json(request), "it")->fallback, "--x");
  request = {.media = {"f"},
             .place = {},
             .fps = {},
             .start_s = {},
             .deinterlace = "off",
             .missing = "stop",
             .sound_track = "all"};
  EXPECT_STREQ(player_for(request), kBplay);
  EXPECT_THAT(
      player_arguments("bplay", request),
      ElementsAre("bplay", "--deinterlace=off", "--missing=stop", "--sound-track=all", "--", "f"));
  EXPECT_EQ(play_request_from_json(to_json(request), "it")->sound_track, "all");
  EXPECT_EQ(play_request_from_json(to_json(request), "it")->deinterlace, "off");
  EXPECT_EQ(play_request_from_json(to_json(request), "it")->missing, "stop");
  request.deinterlace.clear();
  request.missing.clear();
  request.sound_track.clear();
  request.program = kShow;
  EXPECT_THAT(player_arguments("show", request),
              ElementsAre("show", "--animations=close", "--", "f"));
  request.at_end = AtEnd::kLoop;
  EXPECT_THAT(player_arguments("show", request),
              ElementsAre("show", "--loop", "--animations=hold", "--", "f"));
}

TEST(PlayerArguments, TellTheCodecAsForThePlayer) {
  for (const char* codec : {"carried", "auto", "raw", "dxt1+lz4", "dxt5ycocg:fast", "htj2k:2bpp"}) {
    const auto request = play_request_from_json({{"media", {"f"}}, {"codec", codec}}, "it");
    ASSERT_TRUE(request) << codec;
    EXPECT_STREQ(player_for(*request), kBplay);
    EXPECT_THAT(player_arguments("bplay", *request),
                ElementsAre("bplay", std::string("--codec=") + codec, "--", "f"));
  }
  for (const char* codec : {"jpeg", "h264", "dxt1:lossless", "raw:fast", "--raw"}) {
    EXPECT_FALSE(play_request_from_json({{"media", {"f"}}, {"codec", codec}}, "it")) << codec;
  }
}

TEST(PlayerArguments, OfALogoHaveOneCodec) {
  PlayRequest request{.media = {"f.png"}, .place = {}, .fps = {}, .start_s = {}};
  request.decoration = Decoration{.kind = DecorationKind::kLogo};
  EXPECT_THAT(player_arguments("bplay", request), testing::Contains("--codec=dxt5"));
  request.codec = "dxt1";
  EXPECT_THAT(player_arguments("bplay", request), testing::Not(testing::Contains("--codec=dxt5")));
}

TEST(PlayerArguments, TellWhatComesAtTheEnd) {
  PlayRequest request;
  request.media = {"f"};
  request.at_end = AtEnd::kHold;
  EXPECT_THAT(player_arguments("bplay", request), ElementsAre("bplay", "--hold", "--", "f"));
  request.at_end = AtEnd::kLoop;
  EXPECT_THAT(player_arguments("bplay", request),
              ElementsAre("bplay", "--loop", "--hold", "--", "f"))
      << "whoever ends the loop does not lose the window";
  request.at_end = AtEnd::kClose;
  EXPECT_THAT(player_arguments("bplay", request), ElementsAre("bplay", "--", "f"));
}

TEST(PlayerChoice, StillsAreShownAndFilmsPlayed) {
  const auto choice = [](std::vector<std::string> media) {
    PlayRequest request;
    request.media = std::move(media);
    return player_for(request);
  };
  EXPECT_EQ(choice({"a.png", "talk.PDF", "/x/y.tiff"}), std::string(kShow));
  EXPECT_EQ(choice({"a.png", "b.mp4"}), std::string(kBplay));
  EXPECT_EQ(choice({"name.%05d.png"}), std::string(kBplay));
  EXPECT_EQ(choice({"http://host/a.png"}), std::string(kBplay));
  EXPECT_EQ(choice({"test:64x64"}), std::string(kBplay));
  EXPECT_EQ(choice({".png"}), std::string(kBplay));
  EXPECT_EQ(choice({"web:http://host/a.png"}), std::string(kWeb));
  EXPECT_EQ(choice({"vnc://[::1]:1"}), std::string(kVnc));

  PlayRequest request;
  request.media = {"a.png"};
  request.fps = 25;
  EXPECT_EQ(player_for(request), std::string(kBplay)) << "a rate is for films";
  request.fps.reset();
  request.volume = 0.5;
  EXPECT_EQ(player_for(request), std::string(kBplay)) << "so is a volume";
}

TEST(PlayRequest, ATitleThatAPersonChoseIsKept) {
  const auto kept = [](std::vector<std::string> media, const char* program, const char* title) {
    return play_request_for({std::move(media), program, false}, title)->title;
  };
  EXPECT_EQ(kept({"/films/a.mp4"}, kBplay, "Welcome"), "Welcome");
  EXPECT_EQ(kept({"/films/a.mp4", "/films/b.mp4"}, kBplay, "b.mp4"), "") << "a film's own";
  EXPECT_EQ(kept({"rtsp://ann:secret@camera/1?key=2"}, kBplay, "1"), "");
  EXPECT_EQ(kept({"rtsp://ann:secret@camera/1"}, kBplay, "rtsp://ann:secret@camera/1"), "");
  EXPECT_EQ(kept({"test:64x36@10"}, kBplay, "test:64x36@10"), "");
  EXPECT_EQ(kept({"/a.png"}, kShow, "Welcome"), "") << "it follows from the pictures";

  const auto request = play_request_for({{"/films/a.mp4"}, kBplay, false}, "Welcome");
  EXPECT_EQ(play_request_from_json(to_json(*request), "test")->title, "Welcome");
  EXPECT_THAT(player_arguments("bplay", *request),
              ElementsAre("bplay", "--title=Welcome", "--", "/films/a.mp4"));
}

TEST(PlayRequest, AProgramHasWhatItPlaysAndNothingElse) {
  const auto known = [](std::vector<std::string> media, const char* program) {
    return play_request_for({std::move(media), program, false}, "").has_value();
  };
  const std::string page = "web:https://vitrail.example/";
  const std::string desktop = "vnc://lab7:1";
  EXPECT_TRUE(known({page}, kWeb));
  EXPECT_TRUE(known({desktop}, kVnc));
  EXPECT_TRUE(known({"/a.mp4", "/b.mp4"}, kBplay));
  EXPECT_FALSE(known({page}, kBplay));
  EXPECT_FALSE(known({page}, kVnc));
  EXPECT_FALSE(known({desktop}, kWeb));
  EXPECT_FALSE(known({"/etc/passwd"}, kWeb));
  EXPECT_FALSE(known({page, page}, kWeb));
  EXPECT_FALSE(known({page}, "vitrail-share"));
  for (const char* wrong :
       {"web:file:///etc/passwd", "web:javascript:x", "web:https://ann:secret@vitrail.example/",
        "web:https://vitrail.example/?password=x", "web:chrome://version", "web:"}) {
    EXPECT_FALSE(known({wrong}, kWeb)) << wrong;
  }
  for (const char* wrong : {"vnc://", "vnc://ann@lab7", "vnc://lab7/x", "vnc://lab7 -x", "lab7"}) {
    EXPECT_FALSE(known({wrong}, kVnc)) << wrong;
  }
}

TEST(PlayerArguments, TellHowFramesTravel) {
  PlayRequest request;
  request.media = {"f"};
  request.transport = {sail::Transport::kUdp, 0, 9000};
  EXPECT_THAT(
      player_arguments("bplay", request),
      ElementsAre("bplay", "--transport", "udp", "--delay-ms", "0", "--mtu", "9000", "--", "f"));
  request.volume = 0.5;
  request.transport = {.transport = sail::Transport::kTcp};
  EXPECT_THAT(player_arguments("bplay", request),
              ElementsAre("bplay", "--volume", "0.5", "--transport", "tcp", "--", "f"));
}

}  // namespace
}  // namespace manager
