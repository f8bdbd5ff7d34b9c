// Saved files: names, limits, damage; and windows that are expected back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "manager/media/play_request.h"
#include "manager/sessions/autosave.h"
#include "manager/sessions/expected_windows.h"
#include "manager/sessions/saved_wall.h"
#include "manager/sessions/saved_walls.h"
#include "tests/support/temp_folder.h"

namespace manager {
namespace {

using sail::ErrorCode;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class SavedTest : public testing::Test {
 protected:
  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories((folder / path).parent_path());
    std::ofstream(folder / path) << text;
  }
  SavedWalls walls(SavedKind kind = SavedKind::kSession) const {
    return {folder, kind, {3840, 2160}, sail::Log("test", sail::LogLevel::kOff)};
  }

  const sail::TempFolder temporary;
  const std::filesystem::path folder = temporary.path();
};

SavedWindow window(uint32_t number, const std::string& title) {
  SavedWindow window;
  window.number = number;
  window.title = title;
  window.owner = "bplay";
  window.frame_size = {1920, 1080};
  window.placement.wall_rect = {10, 20, 192, 108};
  return window;
}

SavedWall full_wall() {
  SavedWall wall;
  wall.saved_at_s = 1'700'000'000;
  wall.wall_size = {3840, 1080};
  wall.windows = {window(3, "film"), window(1, "other")};
  wall.windows[0].placement.locked = true;
  wall.windows[0].placement.before_maximised = sail::Rect{1, 2, 3, 4};
  wall.windows[0].placement.look = {.crop = {1, 2, 3, 4}, .rotate = 90, .opacity = 0.5};
  wall.windows[0].placement.label = {.text = "{title} 東京", .top = true};
  wall.windows[0].content = PlayRequest{};
  wall.windows[0].content->program = kBplay;
  wall.windows[0].content->media = {"/films/a.mp4", "--help"};
  wall.windows[0].content->fps = 25;
  wall.windows[0].content->rate = 0.5;
  wall.windows[0].content->volume = 0.25;
  wall.windows[0].content->transport.delay_ms = 100;
  wall.windows[0].playback = sail::Playback{};
  wall.windows[0].playback->position_s = 12.5;
  wall.windows[0].playback->paused = true;
  wall.windows[0].playback->volume = 0.5;
  wall.windows[0].playback->tracks =
      sail::FilmTracks{.subtitles = {{.language = "eng", .format = "subrip"}},
                       .subtitle = sail::kNoSubtitleTrack,
                       .sound = sail::kAllSoundTracks};
  wall.windows[0].cover = {.blank = "back at 11:15"};
  wall.windows[1].cover = {.frozen = true, .mute = true};
  wall.switches = {.blank_text = "soon",
                   .blank_areas = {{{1, 2, 3, 4}, "here"}, {{5, 6, 7, 8}, ""}}};
  wall.windows[0].mark = "00112233";
  wall.windows[0].group = "panels";
  wall.refused = {1, 0xfedcba9876543210};
  wall.tours = sail::Json::array({{{"name", "gates"}}});
  EXPECT_TRUE(wall.partitions.set({"left", {0, 0, 1920, 1080}}, wall.wall_size));
  return wall;
}

TEST_F(SavedTest, AWallComesBackAsItWas) {
  SavedWalls sessions = walls();
  const SavedWall wall = full_wall();
  ASSERT_TRUE(sessions.save("monday", wall));
  EXPECT_EQ(sessions.all().at("monday").windows, 2U);
  const auto read = walls().load("monday");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(to_json(*read, SavedKind::kSession), to_json(wall, SavedKind::kSession));
  EXPECT_EQ(read->refused, wall.refused);
  EXPECT_EQ(read->switches, wall.switches);
  EXPECT_EQ(read->windows[0].cover, wall.windows[0].cover);
  EXPECT_EQ(read->windows[1].cover, wall.windows[1].cover);
  EXPECT_EQ(read->windows[0].group, "panels");
  const sail::FilmTracks chosen{.subtitle = sail::kNoSubtitleTrack, .sound = sail::kAllSoundTracks};
  EXPECT_EQ(read->windows[0].playback->tracks, chosen) << "the lists are the player's";
  EXPECT_EQ(read->windows[0].placement.look, wall.windows[0].placement.look);
  EXPECT_EQ(read->windows[0].placement.label, wall.windows[0].placement.label);
  EXPECT_EQ(read->windows[1].placement.label, WindowLabel());
  EXPECT_EQ(read->windows[1].placement.look, sail::ViewTransform())
      << "as files of before have none";
  EXPECT_EQ(walls().all().at("monday").saved_at_s, wall.saved_at_s);
  // No temporary file is left.
  EXPECT_FALSE(std::filesystem::exists(folder / "sessions" / "monday.json.part"));
  ASSERT_TRUE(sessions.remove("monday"));
  EXPECT_EQ(sessions.remove("monday").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(sessions.load("monday").error().code, ErrorCode::kNotFound);
}

TEST_F(SavedTest, AnOlderFileHasTheGroupsOfTheContentOnly) {
  SavedWall wall = full_wall();
  wall.windows[0].content->group = "panels";
  sail::Json document = to_json(wall, SavedKind::kSession);
  for (sail::Json& window : document["windows"]) window.erase("group");
  const auto read = saved_wall_from_json(document, SavedKind::kSession);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->windows[0].group, "panels");
  EXPECT_FALSE(read->windows[1].group) << "the application chooses it";
}

TEST_F(SavedTest, WhatAnApplicationPlayedAtAnySpeedComesBackAtOneThatCanBePlayed) {
  SavedWalls sessions = walls();
  for (const auto& [reported, read] :
       {std::pair{0.0, sail::kMinRate}, std::pair{0.01, sail::kMinRate}, std::pair{2.5, 2.5},
        std::pair{sail::kMaxPlaybackValue, sail::kMaxRate}}) {
    SavedWall wall = full_wall();
    wall.windows[0].playback->rate = reported;
    wall.windows[0].playback->position_s = sail::kMaxPlaybackValue;
    ASSERT_TRUE(sessions.save("fast", wall));
    const auto loaded = sessions.load("fast");
    ASSERT_TRUE(loaded) << reported << ": " << loaded.error().message;
    EXPECT_EQ(loaded->windows[0].playback->rate, read);
  }
}

TEST_F(SavedTest, TheHistoryComesBackUnderOtherNumbers) {
  const SavedWall wall = full_wall();
  History history;
  HistoryEntry closed{.author = {1, "Anna", "presenter/anna"}, .what = "closed 'film'"};
  closed.closed = {wall.windows[0]};
  closed.stack = {3, 1};
  history.add(closed);
  history.note({}, "'other' has ended");
  HistoryEntry moved{.author = {2, "Bert"}, .what = "moved 'other'"};
  moved.before = {.windows = {{1, {.wall_rect = {1, 2, 3, 4}, .locked = true}}},
                  .order = std::vector<uint32_t>{3, 1},
                  .partitions = wall.partitions};
  moved.after = {.windows = {{1, {.wall_rect = {5, 6, 7, 8}}}},
                 .order = std::vector<uint32_t>{1, 3},
                 .partitions = Partitions()};
  history.add(moved);
  history.take(true, [](const HistoryEntry&) { return true; });

  auto read = saved_history_from_json(to_json(history));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->done, 2U);
  uint32_t next = 100;
  renumber(*read, {{1, 11}}, [&next] { return next++; });
  ASSERT_EQ(read->entries.size(), 3U);
  EXPECT_EQ(read->entries[0].author.key, "presenter/anna");
  EXPECT_EQ(read->entries[0].closed[0].number, 100U);
  EXPECT_EQ(read->entries[0].closed[0].content->media, wall.windows[0].content->media);
  EXPECT_EQ(read->entries[0].stack, (std::vector<uint32_t>{100, 11}));
  EXPECT_TRUE(read->entries[1].note);
  EXPECT_EQ(read->entries[2].author.name, "Bert");
  EXPECT_TRUE(read->entries[2].before.windows.at(11).locked);
  EXPECT_EQ(read->entries[2].before.order, (std::vector<uint32_t>{100, 11}));
  EXPECT_EQ(read->entries[2].before.partitions, wall.partitions);
  EXPECT_EQ(read->entries[2].after.windows.at(11).wall_rect, (sail::Rect{5, 6, 7, 8}));
}

TEST_F(SavedTest, TheHistoryIsBoundedAndChecked) {
  History history;
  HistoryEntry large{.what = "closed 'film'"};
  large.closed = {full_wall().windows[0]};
  large.closed[0].content->media.assign(200, std::string(4000, 'x'));
  for (int i = 0; i < 5; ++i) history.add(large);
  const sail::Json kept = to_json(history);
  EXPECT_EQ(kept["entries"].size(), 1U);
  EXPECT_EQ(kept["done"], 1U);
  sail::Json damaged = kept;
  damaged["entries"][0]["closed"][0]["rect"] = "somewhere";
  EXPECT_FALSE(saved_history_from_json(damaged));
  damaged = kept;
  damaged["entries"][0].erase("before");
  EXPECT_FALSE(saved_history_from_json(damaged));
  EXPECT_FALSE(saved_history_from_json(sail::Json::array()));
}

TEST_F(SavedTest, ALayoutDoesNotTellWhatPlays) {
  const sail::Json document = to_json(full_wall(), SavedKind::kLayout);
  for (const char* name : {"content", "playback", "mark"}) {
    EXPECT_FALSE(document["windows"][0].contains(name));
  }
  EXPECT_TRUE(saved_wall_from_json(document, SavedKind::kLayout));
  EXPECT_FALSE(saved_wall_from_json(document, SavedKind::kSession));
}

TEST_F(SavedTest, WhereWindowsStandIsToldWithoutReadingAgain) {
  using testing::ElementsAre;
  SavedWalls layouts = walls(SavedKind::kLayout);
  SavedWall wall = full_wall();
  wall.wall_size = {3840, 2160};
  ASSERT_TRUE(layouts.save("here", wall));
  wall.wall_size = {1920, 1080};
  ASSERT_TRUE(layouts.save("small", wall));
  wall.windows.assign(100, window(1, "one of many"));
  for (size_t i = 0; i < 100; ++i) {
    wall.windows[i].number = static_cast<uint32_t>(i + 1);
    wall.windows[i].placement.wall_rect.x = static_cast<int>(i);
  }
  wall.wall_size = {3840, 2160};
  ASSERT_TRUE(layouts.save("many", wall));
  for (const auto& all : {layouts.all(), walls(SavedKind::kLayout).all()}) {
    const sail::Rect as_saved{10, 20, 192, 108};
    EXPECT_THAT(all.at("here").rects, ElementsAre(as_saved, as_saved));
    EXPECT_EQ(all.at("small").rects[0], (sail::Rect{20, 40, 384, 216})) << "in proportion";
    ASSERT_EQ(all.at("many").rects.size(), SavedWalls::kMostRects);
    EXPECT_EQ(all.at("many").windows, 100U);
    EXPECT_EQ(all.at("many").rects.back().x, 99) << "the topmost";
  }
}

TEST_F(SavedTest, NoNameLeadsOutOfTheFolder) {
  SavedWalls sessions = walls();
  const std::vector<std::string> names = {"..",     ".",    "/etc/passwd", "../../up", "a/b",
                                          "%2e%2e", "a\\b", "Wand ä",      ".hidden",  "x.json"};
  for (const std::string& name : names) {
    ASSERT_TRUE(sessions.save(name, full_wall())) << name;
    EXPECT_TRUE(walls().all().contains(name)) << name;
  }
  size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) ++files;
    EXPECT_NE(entry.path().filename().string().front(), '.');
  }
  EXPECT_EQ(files, names.size());
  for (const std::string& name : {std::string(), std::string("a\nb"), std::string(65, 'x')}) {
    EXPECT_EQ(sessions.save(name, full_wall()).error().code, ErrorCode::kInvalidParams);
  }
}

TEST_F(SavedTest, DamagedFilesAreLeftAlone) {
  const std::string good = to_json(full_wall(), SavedKind::kSession).dump();
  write("sessions/good.json", good);
  write("sessions/half.json", good.substr(0, good.size() / 2));
  write("sessions/empty.json", "");
  write("sessions/list.json", "[1,2]");
  write("sessions/%zz.json", good);
  write("sessions/large.json", std::string(SavedFiles::kMostBytes + 1, ' '));
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  write("sessions/later.json", with("\"version\":1", "\"version\":2"));
  write("sessions/program.json", with("\"program\":\"bplay\"", "\"program\":\"/bin/sh\""));
  write("sessions/twice.json", with("\"number\":3", "\"number\":1"));
  write("sessions/off.json", with("[0,0,1920,1080]", "[0,0,9920,1080]"));
  const SavedWalls sessions = walls();
  EXPECT_EQ(sessions.all().size(), 1U);
  EXPECT_TRUE(sessions.all().contains("good"));
  for (const char* name : {"half", "empty", "list", "later", "program", "twice", "off", "large"}) {
    const auto read = sessions.load(name);
    ASSERT_FALSE(read) << name;
    EXPECT_EQ(read.error().code, ErrorCode::kBadData) << name;
    EXPECT_TRUE(std::filesystem::exists(folder / "sessions" / (std::string(name) + ".json")));
  }
  EXPECT_THAT(sessions.load("later").error().message, HasSubstr("'version'"));
}

// A folder of the file's name cannot be read by anybody, not even by root.
TEST_F(SavedTest, WhatCannotBeReadIsNotMissing) {
  std::filesystem::create_directories(folder / "sessions/closed.json");
  SavedWalls sessions = walls();
  EXPECT_EQ(sessions.load("none").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(sessions.load("closed").error().code, ErrorCode::kIo);
  EXPECT_THAT(sessions.load("closed").error().message, HasSubstr("closed.json"));
  ASSERT_TRUE(sessions.save("closed", full_wall()));
  EXPECT_TRUE(std::filesystem::exists(folder / "sessions/closed.json.unreadable"));
  EXPECT_TRUE(sessions.load("closed"));
}

TEST_F(SavedTest, AFolderThatCannotBeWrittenIsAnError) {
  write("sessions", "a file");
  EXPECT_EQ(walls().save("a", full_wall()).error().code, ErrorCode::kIo);
  SavedWalls nowhere({}, SavedKind::kLayout, {3840, 2160}, sail::Log("test", sail::LogLevel::kOff));
  EXPECT_EQ(nowhere.save("a", full_wall()).error().code, ErrorCode::kUnavailable);
}

TEST(SavedWall, StandsInProportionOnAnotherWall) {
  SavedWall wall = full_wall();
  wall.windows[0].placement.wall_rect = {0, 0, 1920, 1080};
  wall.windows[1].placement.wall_rect = {5000, 5000, 10, 10};
  const SavedWall half = on_wall_of(wall, {1920, 540});
  EXPECT_EQ(half.windows[0].placement.wall_rect, (sail::Rect{0, 0, 960, 540}));
  EXPECT_EQ(intersect(half.windows[1].placement.wall_rect, {0, 0, 1920, 540}),
            half.windows[1].placement.wall_rect);
  EXPECT_EQ(half.partitions.find("left")->rect, (sail::Rect{0, 0, 960, 540}));
}

TEST(ExpectedWindows, AreKnownByTheirMarkOrTheirName) {
  ExpectedWindows expected;
  SavedWindow marked = window(11, "film");
  marked.mark = "m1";
  expected.expect({marked, window(12, "film"), window(13, "map")});
  EXPECT_FALSE(expected.take("m2", "film", "bplay"));
  EXPECT_EQ(expected.take("", "film", "bplay")->number, 12U);
  EXPECT_FALSE(expected.take("", "film", "bplay"));
  EXPECT_EQ(expected.take("m1", "another film of its list", "bplay")->number, 11U);
  expected.opened(11, 1);
  expected.opened(12, 2);
  EXPECT_THAT(expected.order(), ElementsAre(1, 2, 13));
  EXPECT_FALSE(expected.take("", "map", "another program"));
  EXPECT_EQ(expected.take_rest({}).size(), 1U);
  EXPECT_TRUE(expected.empty());
}

TEST(ExpectedWindows, OfOneProgramAreKnownByTheirTitle) {
  ExpectedWindows expected;
  SavedWindow first = window(11, "clock");
  SavedWindow second = window(12, "map");
  first.mark = second.mark = "m1";
  expected.expect({first, second});
  EXPECT_EQ(expected.take("m1", "map", "demo")->number, 12U);
  EXPECT_EQ(expected.take("m1", "map", "demo")->number, 11U);
}

// The session is older than the running programs: other marks, or windows missing.
TEST(ExpectedWindows, WhatIsThereAlreadyIsNotStartedOnceMore) {
  PlayRequest film;
  film.media = {"/a.mp4"};
  PlayRequest other;
  other.media = {"/b.mp4"};
  SavedWindow old_mark = window(11, "a");
  old_mark.mark = "m1";
  old_mark.content = film;
  SavedWindow twin = old_mark;
  twin.number = 12;
  SavedWindow gone = window(13, "b");
  gone.content = other;
  Window present;
  present.number = 1;
  present.content = film;

  ExpectedWindows expected;
  expected.expect({old_mark, twin, gone});
  const auto rest = expected.take_rest({present});
  ASSERT_EQ(rest.size(), 2U);
  EXPECT_EQ(rest[0].number, 12U);
  EXPECT_EQ(rest[1].number, 13U);

  // An expected window matches only itself.
  expected.expect({old_mark, twin});
  ASSERT_TRUE(expected.take("m1", "a", "bplay"));
  expected.opened(11, 1);
  EXPECT_EQ(expected.take_rest({present}).size(), 1U);
}

// A manager that died may have started the other program, and not have saved its mark.
TEST(ExpectedWindows, AnotherProgramMayShowTheSame) {
  SavedWindow film = window(11, "a");
  film.mark = "m1";
  film.content.emplace();
  film.content->media = {"/a.mp4"};
  ExpectedWindows expected;
  expected.expect({film});
  const auto playing = [](const char* medium) {
    return sail::Content{.media = {medium}, .program = "bplay"};
  };
  EXPECT_TRUE(expected.shows("m2", playing("/a.mp4")));
  EXPECT_FALSE(expected.shows("m2", playing("/b.mp4")));
  EXPECT_TRUE(expected.shows("m1", std::nullopt));
  EXPECT_FALSE(expected.shows("m2", std::nullopt));
  EXPECT_FALSE(expected.shows("", sail::Content()));
  EXPECT_FALSE(expected.empty()) << "several programs may come";
}

TEST(ExpectedWindows, ANewerDecorationTakesThePlaceOfAnOlderOne) {
  SavedWindow wallpaper = window(11, "a");
  wallpaper.content.emplace();
  wallpaper.content->decoration = Decoration{.area = "left"};
  ExpectedWindows expected;
  expected.expect({wallpaper, window(12, "film")});
  expected.forget_decoration({.kind = DecorationKind::kLogo, .area = "left"});
  expected.forget_decoration({.area = "right"});
  EXPECT_EQ(expected.take_rest({}).size(), 2U);
  expected.expect({wallpaper, window(12, "film")});
  expected.forget_decoration({.area = "left", .fit = WallpaperFit::kContain});
  const auto rest = expected.take_rest({});
  ASSERT_EQ(rest.size(), 1U);
  EXPECT_EQ(rest[0].number, 12U);
}

TEST(SavedWindow, KnowsWhereItsFilmIsNow) {
  Window playing;
  playing.playback =
      sail::Playback{.position_s = 10, .at_ns = 1'000'000'000, .duration_s = 60, .rate = 2};
  EXPECT_DOUBLE_EQ(saved_window(playing, 6'000'000'000).playback->position_s, 20);
  EXPECT_DOUBLE_EQ(saved_window(playing, 100'000'000'000).playback->position_s, 60);
  playing.playback->loop = true;
  EXPECT_DOUBLE_EQ(saved_window(playing, 31'000'000'000).playback->position_s, 10);
  playing.playback->paused = true;
  EXPECT_DOUBLE_EQ(saved_window(playing, 31'000'000'000).playback->position_s, 10);
  playing.playback->live = true;
  EXPECT_DOUBLE_EQ(saved_window(playing, 31'000'000'000).playback->position_s, 0);
}

// Timers run in the order of their times, and equal ones in the order of their starts.
TEST_F(SavedTest, AChangeAfterAQuietTimeIsSavedAtOnce) {
  sail::Loop loop;
  SavedWalls sessions = walls();
  bool saved = false;
  const auto wall = [&] {
    saved = true;
    return full_wall();
  };
  Autosave autosave(loop, sessions,
                    {.wall = wall, .on_list_changed = [] {}, .notice = [](auto&) {}});
  autosave.wall_changed();
  bool first = false;
  sail::Timer next(loop);
  next.start(0, 0, [&] {
    first = saved;
    loop.stop();
  });
  loop.run();
  EXPECT_TRUE(first);
}

}  // namespace
}  // namespace manager
