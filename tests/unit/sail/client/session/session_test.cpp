// Sessions, streams and events as an application sees them; also runs the examples.
#include <sail/sail.hpp>

#include <cstdlib>
#include <future>
#include <set>

#include "sail/core/wall/block_grid.h"
#include "sail/core/wire/input.h"
#include "tests/unit/sail/client/session/application_test.h"

namespace sail {
namespace {

using SessionTest = ApplicationTest;

TEST_F(SessionTest, TheManagerHearsWhoWeAreAndWhatWeWant) {
  open_session();
  sail_stream_options options{};
  options.title = "my film";
  options.width = 640;
  options.height = 360;
  options.place = {-10, 20, 1000, 500};
  options.transport = "tcp";
  stream = sail_stream_open(session, &options, nullptr);
  ASSERT_NE(stream, nullptr);
  EXPECT_EQ(sail_stream_id(stream), 5U);
  const auto [hello, open] =
      wall.run([this] { return std::pair(manager->hellos.at(0), manager->opens.at(0)); });
  EXPECT_EQ(hello.role, Role::kApplication);
  EXPECT_EQ(hello.name, "tester");
  EXPECT_EQ(open.title, "my film");
  EXPECT_EQ(open.frame_size, (Size{640, 360}));
  EXPECT_EQ(open.block_size, kDefaultBlockSize);
  EXPECT_EQ(open.codecs, std::vector<std::string>{"dxt1"});
  EXPECT_EQ(open.place, (Rect{-10, 20, 1000, 500}));
  EXPECT_EQ(open.transport, Transport::kTcp);
}

TEST_F(SessionTest, TheDisplaysAreKnownAndOrdinaryByDefault) {
  sail_display_colors colors{};
  EXPECT_EQ(sail_wall_display_colors(nullptr, &colors), SAIL_INVALID);
  open_session();
  EXPECT_EQ(sail_wall_display_colors(session, nullptr), SAIL_INVALID);
  ASSERT_EQ(sail_wall_display_colors(session, &colors), SAIL_OK);
  EXPECT_EQ(colors.primaries, SAIL_PRIMARIES_BT709);
  EXPECT_EQ(colors.peak_nits, 203);
  EXPECT_EQ(colors.gamma, 2.2);
}

TEST_F(SessionTest, TheManagerSaysWhatTheDisplaysShow) {
  wall.run([this] {
    manager->welcome = {
        {"display", {{"primaries", "p3"}, {"peak_nits", 300}, {"gamma", "srgb"}, {"new", 1}}}};
  });
  open_session();
  sail_display_colors colors{};
  ASSERT_EQ(sail_wall_display_colors(session, &colors), SAIL_OK);
  EXPECT_EQ(colors.primaries, SAIL_PRIMARIES_P3);
  EXPECT_EQ(colors.peak_nits, 300);
  EXPECT_EQ(colors.gamma, 0);
}

TEST_F(SessionTest, DisplaysThatThisLibraryDoesNotKnowAreOrdinary) {
  wall.run([this] { manager->welcome = {{"display", {{"primaries", "ultraviolet"}}}}; });
  open_session();
  sail_display_colors colors{};
  ASSERT_EQ(sail_wall_display_colors(session, &colors), SAIL_OK);
  EXPECT_EQ(colors.primaries, SAIL_PRIMARIES_BT709);
}

TEST_F(SessionTest, TheWindowIsKnownOnceTheStreamIsOpen) {
  open_stream();
  sail_rect rect{};
  int visible = 0;
  ASSERT_EQ(sail_stream_window(stream, &rect, &visible), SAIL_OK);
  EXPECT_EQ(visible, 1);
  EXPECT_EQ((Rect{rect.x, rect.y, rect.width, rect.height}), (Rect{100, 200, 640, 480}));
}

TEST_F(SessionTest, EventsArrive) {
  open_stream();
  wall.run([this] {
    manager->notify("event", to_json(AppEvent{5, "pause", 0}));
    manager->notify("event", to_json(AppEvent{5, "seek", 12.5}));
    manager->notify("event", to_json(AppEvent{5, "rate", 0.5}));
    manager->notify("event", to_json(AppEvent{5, "resume", 0}));
    manager->notify("event", to_json(AppEvent{999, "pause", 0}));
    manager->send_routes(5, 2, {1, 2, 3, 4}, {});
    manager->send_routes(5, 3, {1, 2, 3, 4}, both_routes());
    manager->notify("event", to_json(AppEvent{5, "close", 0}));
  });
  const auto next = [this] {
    sail_event event{};
    EXPECT_EQ(sail_poll_event(session, &event, static_cast<int>(kTestDeadlineMs)), SAIL_OK);
    EXPECT_EQ(event.stream, stream);
    return event;
  };
  EXPECT_EQ(next().type, SAIL_EVENT_PAUSE);
  const sail_event seek = next();
  EXPECT_EQ(seek.type, SAIL_EVENT_SEEK);
  EXPECT_EQ(seek.value, 12.5);
  const sail_event rate = next();
  EXPECT_EQ(rate.type, SAIL_EVENT_RATE);
  EXPECT_EQ(rate.value, 0.5);
  EXPECT_EQ(next().type, SAIL_EVENT_RESUME);
  const sail_event resize = next();
  EXPECT_EQ(resize.type, SAIL_EVENT_RESIZE);
  EXPECT_EQ(resize.rect.x, 1);
  EXPECT_EQ(resize.rect.height, 4);
  sail_rect window{};
  EXPECT_EQ(sail_stream_window(stream, &window, nullptr), SAIL_OK);
  EXPECT_EQ(window.x, 1) << "the event was there first";
  EXPECT_EQ(next().type, SAIL_EVENT_CLOSE);  // the second map did not move the window
  sail_event none{};
  EXPECT_EQ(sail_poll_event(session, &none, 0), SAIL_TIMEOUT);
}

TEST_F(SessionTest, InputComesToThoseWhoTakeIt) {
  const auto press = [this](uint32_t number) {
    manager->notify("input", to_json(StreamInput{.stream = number,
                                                 .client = 9,
                                                 .input = {.type = InputType::kDown,
                                                           .at = InputPoint{30.25, 40},
                                                           .button = 2,
                                                           .buttons = 2}}));
    manager->notify("event", to_json(AppEvent{number, "volume", 0.25}));
    manager->notify("event", to_json(AppEvent{number, "loop", 1}));
    manager->notify("event", to_json(AppEvent{number, "page", 12}));
    manager->notify("event", to_json(AppEvent{number, "subtitles", -1}));
    manager->notify("event", to_json(AppEvent{number, "sound_track", 2}));
  };
  open_stream();
  wall.run([&] { press(5); });
  EXPECT_EQ(next_event(SAIL_EVENT_VOLUME)->value, 0.25);
  EXPECT_EQ(next_event(SAIL_EVENT_LOOP)->value, 1);
  EXPECT_EQ(next_event(SAIL_EVENT_PAGE)->value, 12);
  EXPECT_EQ(next_event(SAIL_EVENT_SUBTITLES)->value, -1);
  EXPECT_EQ(next_event(SAIL_EVENT_SOUND_TRACK)->value, 2);
  EXPECT_FALSE(wall.run([this] { return manager->opens.at(0).takes_input; }));

  sail_stream_options options{};
  options.width = kFrameSize.width;
  options.height = kFrameSize.height;
  options.takes_input = 1;
  const char* const media[] = {"/films/a.mp4", "test:"};
  const sail_content content{.media = media, .media_count = 2, .program = "bplay", .loop = 1};
  options.content = &content;
  options.codec_reason = "the receivers decode it";
  sail_stream* const other = sail_stream_open(session, &options, nullptr);
  ASSERT_NE(other, nullptr);
  const OpenStream open = wall.run([this] { return manager->opens.at(1); });
  EXPECT_TRUE(open.takes_input);
  EXPECT_EQ(open.codec_reason, "the receivers decode it");
  const Content expected{.media = {"/films/a.mp4", "test:"}, .program = "bplay", .loop = true};
  EXPECT_EQ(open.content, expected);
  wall.run([&] { press(6); });
  const auto event = next_event(SAIL_EVENT_INPUT);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->stream, other);
  EXPECT_EQ(event->input.type, SAIL_INPUT_DOWN);
  EXPECT_EQ(event->input.client, 9u);
  EXPECT_EQ(event->input.x, 30.25);
  EXPECT_EQ(event->input.button, 2);
}

TEST_F(SessionTest, WhatTheApplicationWantedIsTold) {
  open_session();
  sail_stream_options options{};
  options.width = kFrameSize.width;
  options.height = kFrameSize.height;
  options.fps = 40;
  stream = sail_stream_open(session, &options, nullptr);
  ASSERT_NE(stream, nullptr);
  ASSERT_EQ(submit(1), SAIL_OK);
  ASSERT_EQ(submit(2), SAIL_OK);
  EXPECT_EQ(sail_skip(stream, 5), SAIL_OK);
  EXPECT_EQ(sail_skip(nullptr, 1), SAIL_INVALID);
  const auto reported = [&](double wanted) {
    return wall.wait([&] {
      return !manager->stats.empty() && manager->stats.back().frames_skipped == 5 &&
             manager->stats.back().fps_wanted == wanted;
    });
  };
  ASSERT_TRUE(reported(40));
  EXPECT_GT(wall.run([this] { return manager->stats.back().encode_ms; }), 0);
  sail_playback playback{};
  playback.rate = 1.5;
  ASSERT_EQ(sail_set_playback(stream, &playback), SAIL_OK);
  EXPECT_TRUE(reported(60)) << "it plays faster";
  playback.paused = 1;
  ASSERT_EQ(sail_set_playback(stream, &playback), SAIL_OK);
  EXPECT_TRUE(reported(0));
}

TEST_F(SessionTest, TracksAreToldWithThePlayback) {
  open_stream();
  const std::string title(100, 'x');
  const sail_subtitle_track subtitle{.language = "eng",
                                     .title = title.c_str(),
                                     .format = "subrip",
                                     .file = nullptr,
                                     .pictures = 0,
                                     .forced = 1};
  const sail_sound_track sound{
      .language = nullptr, .title = nullptr, .format = "aac", .layout = "5.1", .channels = 6};
  sail_tracks tracks{.subtitles = &subtitle,
                     .subtitle_count = 1,
                     .sounds = &sound,
                     .sound_count = 1,
                     .subtitle = SAIL_OTHER_SUBTITLES,
                     .sound = 1};
  ASSERT_EQ(sail_set_tracks(stream, &tracks), SAIL_OK);
  const sail_playback playback{};
  ASSERT_EQ(sail_set_playback(stream, &playback), SAIL_OK);
  ASSERT_TRUE(wall.wait([this] { return !manager->playbacks.empty(); }));
  const auto reported = wall.run([this] { return manager->playbacks[0].playback.tracks; });
  const FilmTracks wanted{
      .subtitles = {{.language = "eng",
                     .format = "subrip",
                     .forced = true,
                     .title = std::string(kMaxTrackTitle, 'x')}},
      .sounds = {{.language = "", .title = "", .format = "aac", .channels = 6, .layout = "5.1"}},
      .subtitle = std::nullopt,
      .sound = 1};
  EXPECT_EQ(reported, wanted);
  tracks.sound = 100;
  EXPECT_EQ(sail_set_tracks(stream, &tracks), SAIL_INVALID);
  tracks.sound_count = 100;
  EXPECT_EQ(sail_set_tracks(stream, &tracks), SAIL_INVALID);
  EXPECT_EQ(sail_set_tracks(stream, nullptr), SAIL_INVALID);
}

TEST_F(SessionTest, PlaybackIsToldWhenItChangesAndToANewManager) {
  open_stream();
  sail_playback playback{};
  playback.position_s = 12;
  playback.duration_s = 60;
  playback.paused = 1;
  playback.has_sound = 1;
  playback.volume = 0.5;
  for (int i = 0; i < 3; ++i) ASSERT_EQ(sail_set_playback(stream, &playback), SAIL_OK);
  ASSERT_TRUE(wall.wait([this] { return !manager->playbacks.empty(); }));
  playback.paused = 0;
  ASSERT_EQ(sail_set_playback(stream, &playback), SAIL_OK);
  ASSERT_TRUE(wall.wait([this] { return manager->playbacks.size() == 2; }));
  const auto reported = wall.run([this] { return manager->playbacks; });
  EXPECT_EQ(reported[0].stream, 5u);
  EXPECT_TRUE(reported[0].playback.paused);
  EXPECT_EQ(reported[0].playback.position_s, 12);
  EXPECT_EQ(reported[0].playback.rate, 1);
  EXPECT_EQ(reported[0].playback.volume, 0.5);
  EXPECT_GT(reported[0].playback.at_ns, FakeManager::kClockAheadNs);
  EXPECT_FALSE(reported[1].playback.paused);

  playback.volume = 1.5;
  EXPECT_EQ(sail_set_playback(stream, &playback), SAIL_INVALID);
  EXPECT_EQ(sail_set_playback(stream, nullptr), SAIL_INVALID);

  wall.run([this] { manager->stop(); });
  ASSERT_TRUE(next_event(SAIL_EVENT_DISCONNECTED));
  wall.run([this] { manager->start(); });
  ASSERT_TRUE(next_event(SAIL_EVENT_CONNECTED));
  ASSERT_TRUE(wall.wait([this] { return manager->playbacks.size() == 3; }));
  EXPECT_EQ(wall.run([this] { return manager->playbacks[2].stream; }), 6u);
}

TEST_F(SessionTest, ClosingAStreamTakesItFromTheWall) {
  open_stream();
  ASSERT_EQ(submit(1), SAIL_OK);
  ASSERT_TRUE(wait_frames(*left, 1));
  wall.run([this] { manager->notify("event", to_json(AppEvent{5, "pause", 0})); });
  ASSERT_TRUE(next_event(SAIL_EVENT_PAUSE));
  wall.run([this] { manager->notify("event", to_json(AppEvent{5, "resume", 0})); });
  sail_stream_close(stream);
  ASSERT_TRUE(wall.wait([this] { return manager->closed_streams.size() == 1; }));
  EXPECT_EQ(wall.run([this] { return manager->closed_streams[0]; }), 5U);
  ASSERT_TRUE(wall.wait([this] { return left->connections_lost == 1; }));
  // No event for a closed stream.
  sail_event event{};
  EXPECT_EQ(sail_poll_event(session, &event, 0), SAIL_TIMEOUT);
  // Another stream can be opened.
  open_stream();
  EXPECT_EQ(sail_stream_id(stream), 6U);
}

TEST_F(SessionTest, StreamsStandBesideOneAnother) {
  open_stream();
  sail_stream* const first = stream;
  open_stream();
  sail_stream* const second = stream;
  EXPECT_NE(sail_stream_id(first), sail_stream_id(second));
  stream = first;
  ASSERT_EQ(submit(1), SAIL_OK);
  stream = second;
  ASSERT_EQ(submit(2), SAIL_OK);
  ASSERT_TRUE(wait_frames(*left, 2));
  // Streams do not wait for each other.
  const std::set<uint32_t> streams = {frame_of(*left, 0).stream, frame_of(*left, 1).stream};
  EXPECT_EQ(streams, (std::set<uint32_t>{sail_stream_id(first), sail_stream_id(second)}));
  sail_stream_close(first);
  ASSERT_EQ(submit(3), SAIL_OK);
  ASSERT_TRUE(wait_frames(*left, 3));
}

TEST_F(SessionTest, TheCppHandlesCloseThemselves) {
  const std::string address = wall.run([this] { return address_text(manager->address()); });
  {
    sail_session_options session_options{};
    session_options.manager = address.c_str();
    session_options.quiet = 1;
    Session own(session_options);
    ASSERT_TRUE(own);
    sail_stream_options stream_options{};
    stream_options.width = kFrameSize.width;
    stream_options.height = kFrameSize.height;
    std::string error;
    Stream opened = own.open(stream_options, &error);
    ASSERT_TRUE(opened) << error;
    EXPECT_TRUE(opened.visible());
    EXPECT_EQ(opened.window().width, 640);
    const std::vector<uint8_t> pixels = make_pixels(kFrameSize, 1);
    EXPECT_EQ(opened.submit(bgra_frame(pixels, kFrameSize)), SAIL_OK);
    EXPECT_EQ(opened.stats().frames_submitted, 1U);
    EXPECT_FALSE(own.poll());
  }
  EXPECT_TRUE(wall.wait([this] { return manager->closed_streams.size() == 1; }));
}

class ExampleTest : public ApplicationTest, public testing::WithParamInterface<const char*> {};

TEST_P(ExampleTest, ShowsItsFramesAndEnds) {
  wall.run([this] { manager->first_routes = {left->route({{0, 0, 10, 12}})}; });
  const std::string address = wall.run([this] { return address_text(manager->address()); });
  const std::string command = "VITRAIL_MANAGER=" + address + " " + GetParam() + " 3";
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(wall.run([this] { return manager->opens.at(0).title; }), "hello");
  EXPECT_GE(wall.run([this] { return left->frames.size(); }), 1U);
}

// A user paints, then closes the window.
TEST_F(ApplicationTest, TheDrawingExamplePaintsUnderThePointer) {
  wall.run([this] { manager->first_routes = {left->route({{0, 0, 10, 12}})}; });
  const std::string address = wall.run([this] { return address_text(manager->address()); });
  const std::string command = "VITRAIL_MANAGER=" + address + " " DRAW_C;
  auto ended = std::async(std::launch::async, [&] { return std::system(command.c_str()); });
  ASSERT_TRUE(wait_frames(*left, 1));
  EXPECT_TRUE(wall.run([this] { return manager->opens.at(0).takes_input; }));
  wall.run([this] {
    manager->notify(
        "input",
        to_json(StreamInput{
            .stream = 5,
            .input = {.type = InputType::kDown, .at = InputPoint{200, 100}, .buttons = 1}}));
  });
  ASSERT_TRUE(wait_frames(*left, 2));
  // Only the block of 128×64 pixels with the dot is sent.
  EXPECT_EQ(frame_of(*left, 1).came, (std::set<std::pair<int, int>>{{1, 1}}));
  wall.run([this] { manager->notify("event", to_json(AppEvent{5, "close", 0})); });
  EXPECT_EQ(ended.get(), 0);
}

INSTANTIATE_TEST_SUITE_P(, ExampleTest, testing::Values(HELLO_C, HELLO_CPP),
                         [](const auto& test) { return test.index == 0 ? "c" : "cpp"; });

}  // namespace
}  // namespace sail
