// Tours on a manager with fake players.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/manager/peers/fake_players_test.h"

namespace manager {
namespace {

using sail::ErrorCode;
using sail::Json;
using testing::HasSubstr;

constexpr sail::Rect kLeftCell{0, 0, 1920, 1080};
constexpr sail::Rect kRightCell{1920, 0, 1920, 1080};

class ToursTest : public FakePlayersTest {
 protected:
  ToursTest() {
    options.times.scene_ms = 2000;
    options.times.opening_ms = 0;
  }
  static std::string camera(int number) { return fmt::format("/camera/{}", number); }
  static std::vector<std::string> cameras(int count) {
    std::vector<std::string> names;
    for (int i = 0; i < count; ++i) names.push_back(camera(i));
    return names;
  }
  // It changes only when asked.
  static Json tour_of(const std::vector<std::string>& sources) {
    return {{"name", "gates"}, {"sources", sources}, {"columns", 2}, {"every_s", 3600}};
  }
  static Json playlist_of(const std::vector<std::string>& media) {
    Json items = Json::array();
    for (const std::string& medium : media) items.push_back({{"source", medium}});
    return {{"name", "gates"}, {"items", items}};
  }
  void save_playlist(const std::vector<std::string>& media) {
    console->expect("playlist_save", playlist_of(media));
  }
  void wait_windows(size_t count) {
    wait([&] { return fs_manager->desk().windows().order().size() == count; });
  }
  Json step(const std::string& action) {
    return console->expect("tour_control", {{"name", "gates"}, {"action", action}});
  }
  Json tour() {
    const Json tours = console->expect("tour_list")["tours"];
    return tours.empty() ? Json() : tours[0];
  }
  // Expects that the call is refused, and returns the message.
  std::string refused(ErrorCode code, const Json& params, const char* verb = "tour_start") {
    const auto answer = console->call(verb, params);
    EXPECT_FALSE(answer) << params;
    if (answer) return "";
    EXPECT_EQ(answer.error().code, code) << answer.error().message;
    return answer.error().message;
  }
};

TEST_F(ToursTest, WindowsOpenBeforeTheirTurnAndCloseAfterIt) {
  begin();
  const Json started = console->expect("tour_start", tour_of(cameras(6)));
  EXPECT_EQ(started["cells"][0]["source"], camera(0));
  EXPECT_EQ(started["cells"][1]["source"], camera(1));
  EXPECT_EQ(titled(camera(0))->wall_rect, kLeftCell);
  EXPECT_EQ(titled(camera(1))->wall_rect, kRightCell);
  EXPECT_FALSE(titled(camera(0))->sound.muted);
  wait_windows(4);
  for (const int waits : {2, 3}) EXPECT_TRUE(titled(camera(waits))->hidden);
  console->expect("session_save", {{"name", "now"}});
  EXPECT_EQ(console->expect("session_get", {{"name", "now"}})["windows"].size(), 2U);

  step("next");
  wait_shown(camera(2));
  EXPECT_EQ(titled(camera(2))->wall_rect, kLeftCell);
  EXPECT_EQ(titled(camera(3))->wall_rect, kRightCell) << "in the same swap";
  EXPECT_FALSE(titled(camera(2))->sound.muted);
  wait([&] { return titled(camera(0)) == nullptr && titled(camera(1)) == nullptr; });
  wait_windows(4);
  EXPECT_EQ(tour()["cells"][0]["next"], camera(4));
  step("previous");
  wait_shown(camera(0));
  EXPECT_EQ(titled(camera(0))->wall_rect, kLeftCell);
  wait([&] { return titled(camera(4)) == nullptr && titled(camera(3)) == nullptr; });
  EXPECT_TRUE(step("hold")["tours"][0]["held"]);
  EXPECT_FALSE(step("go")["tours"][0].contains("held"));

  wait_windows(4);
  console->expect("arrange");
  EXPECT_TRUE(titled(camera(2))->hidden);
  EXPECT_EQ(titled(camera(2))->wall_rect.x, 3840) << "windows that wait are not arranged";

  console->expect("tour_stop", {{"name", "gates"}});
  wait_windows(2);
  EXPECT_NE(titled(camera(0)), nullptr) << "the pictures stay";
  EXPECT_TRUE(tour().is_null());
  end();
}

TEST_F(ToursTest, PeopleMoveItsWindows) {
  begin();
  console->expect("tour_start", tour_of(cameras(6)));
  constexpr sail::Rect kMoved{100, 200, 640, 360};
  const uint32_t left = titled(camera(0))->number;
  console->expect("lower", {{"window", left}});
  console->expect("place", {{"windows", {{{"window", left}, {"rect", sail::rect_json(kMoved)}}}}});
  console->expect("sound", {{"window", left}, {"volume", 0.25}});
  console->expect("blank", {{"windows", {left}}});
  step("next");
  wait_shown(camera(2));
  wait([&] { return titled(camera(0)) == nullptr; });
  EXPECT_EQ(titled(camera(2))->wall_rect, kMoved);
  EXPECT_EQ(titled(camera(2))->sound.volume, 0.25);
  EXPECT_TRUE(titled(camera(2))->cover.blank);
  EXPECT_EQ(fs_manager->desk().windows().order().front(), titled(camera(2))->number);
  for (int i = 0; i < 2; ++i) console->expect("undo");
  EXPECT_EQ(titled(camera(2))->wall_rect, kLeftCell) << "undo finds the cell's present window";
  end();
}

TEST_F(ToursTest, ALockedWindowStays) {
  begin();
  console->expect("tour_start", tour_of(cameras(6)));
  wait_windows(4);
  console->expect("lock", {{"window", titled(camera(0))->number}});
  wait_asking([&] { return tour()["cells"][0].contains("pinned"); });
  EXPECT_FALSE(tour()["cells"][0].contains("next"));
  step("next");
  wait_shown(camera(3));
  EXPECT_EQ(titled(camera(0))->wall_rect, kLeftCell);
  console->expect("lock", {{"window", titled(camera(0))->number}, {"on", false}});
  step("next");
  wait([&] { return titled(camera(0)) == nullptr; });
  end();
}

TEST_F(ToursTest, ClosingAWindowEndsTheTourInItsCell) {
  begin();
  console->expect("tour_start", tour_of(cameras(6)));
  wait_windows(4);
  console->expect("close", {{"window", titled(camera(0))->number}});
  wait_asking([&] { return tour()["cells"].size() == 1; });
  wait_windows(2);
  step("next");
  wait([&] { return titled(camera(1)) == nullptr; });
  wait_windows(2);
  console->expect("close", {{"windows", fs_manager->desk().windows().order()}});
  wait_asking([&] { return tour().is_null(); });
  wait_windows(0);
  end();
}

TEST_F(ToursTest, ASceneOfTheWholeWallEndsIt) {
  begin();
  console->expect("play", {{"media", {"one"}}});
  console->expect("session_save", {{"name", "talk"}});
  console->expect("tour_start", tour_of(cameras(6)));
  wait_windows(5);
  console->expect("scene_show", {{"name", "talk"}});
  wait_asking([&] { return tour().is_null(); });
  wait_windows(1);
  EXPECT_NE(titled("one"), nullptr);
  end();
}

TEST_F(ToursTest, DeadSourcesAreSkippedAndNamed) {
  begin();
  Json params = tour_of({camera(0), "/gate/fail.mp4", camera(1), camera(2), "/silent", camera(3)});
  const Json started = console->expect("tour_start", params);
  EXPECT_EQ(started["cells"][0]["source"], camera(0));
  EXPECT_EQ(started["cells"][1]["source"], camera(1));
  EXPECT_EQ(started["failed"][0]["title"], "/gate/fail.mp4");
  EXPECT_THAT(started["failed"][0]["why"].get<std::string>(), HasSubstr("damaged"));
  wait_asking([&] { return tour()["dead"] == 2; });
  EXPECT_EQ(tour()["failed"][1]["why"], "it sends no picture");
  step("next");
  wait_shown(camera(3));
  EXPECT_NE(titled(camera(2)), nullptr);
  wait_asking([&] {
    const std::string why = console->expect("why").dump();
    return why.find("the tour 'gates' skips “/gate/fail.mp4” and 1 more") != std::string::npos;
  });
  end();
}

TEST_F(ToursTest, APlaylistShowsFilmsUntilTheirEndAndOthersForTheirTime) {
  begin();
  save_playlist({"/film/0", "/gate/fail.mp4", "/film/1", camera(2)});
  const Json started = console->expect("playlist_play", {{"name", "gates"}, {"seconds", 3600}});
  EXPECT_EQ(started["item"], 1);
  EXPECT_EQ(started["cells"][0]["source"], "/film/0");
  wait_shown(camera(2));
  wait_windows(1);
  EXPECT_EQ(tour()["item"], 4);
  EXPECT_EQ(tour()["failed"][0]["title"], "/gate/fail.mp4");
  wait_asking([&] {
    const std::string why = console->expect("why").dump();
    return why.find("the playlist 'gates' skips") != std::string::npos;
  });
  const Json listed = console->expect("playlist_list")["playlists"][0];
  EXPECT_EQ(listed["items"], 4);
  EXPECT_EQ(listed["plays"]["item"], 4);
  step("next");
  wait_asking([&] { return tour().is_null(); });
  EXPECT_NE(titled(camera(2)), nullptr) << "the last picture stays";
  EXPECT_FALSE(console->expect("playlist_list")["playlists"][0].contains("plays"));
  end();
}

TEST_F(ToursTest, APlaylistThatIsDeletedPlaysOn) {
  begin();
  save_playlist({camera(0), camera(1), camera(2)});
  console->expect("playlist_play",
                  {{"name", "gates"}, {"seconds", 3600}, {"loop", true}, {"start_at", 3}});
  EXPECT_NE(titled(camera(2)), nullptr);
  EXPECT_TRUE(console->expect("playlist_delete", {{"name", "gates"}})["playlists"].empty());
  step("next");
  wait_shown(camera(0));
  wait_windows(2);
  step("previous");
  wait_shown(camera(2));
  EXPECT_EQ(tour()["loop"], true);
  console->expect("tour_stop", {{"name", "gates"}});
  refused(ErrorCode::kNotFound, {{"name", "gates"}}, "playlist_play");
  end();
}

TEST_F(ToursTest, APlaylistPlaysInPlaceOfAWindowAndBeginsAgainThere) {
  begin();
  constexpr sail::Rect kFormer{100, 200, 640, 360};
  const Json play = {{"media", {"one"}}, {"place", sail::rect_json(kFormer)}};
  const uint32_t window = console->expect("play", play)["window"];
  save_playlist({camera(0), camera(1)});
  Json params = {{"name", "gates"}, {"window", window}, {"seconds", 3600}};
  console->expect("lock", {{"window", window}});
  refused(ErrorCode::kConflict, params, "playlist_play");
  console->expect("lock", {{"window", window}, {"on", false}});
  console->expect("playlist_play", params);
  EXPECT_EQ(titled(camera(0))->wall_rect, kFormer);
  wait([&] { return titled("one") == nullptr; });

  save_playlist({camera(2), camera(3)});
  params.erase("window");
  EXPECT_EQ(console->expect("playlist_play", params)["cells"][0]["source"], camera(2));
  EXPECT_EQ(titled(camera(2))->wall_rect, kFormer);
  wait([&] { return titled(camera(0)) == nullptr && titled(camera(1)) == nullptr; });
  wait_windows(2);
  EXPECT_EQ(console->expect("tour_list")["tours"].size(), 1U);

  console->expect("lock", {{"window", titled(camera(2))->number}});
  refused(ErrorCode::kConflict, params, "playlist_play");
  console->expect("lock", {{"window", titled(camera(2))->number}, {"on", false}});
  params["area"] = "l";
  const Json placed = console->expect("playlist_play", params);
  EXPECT_EQ(placed["cells"][0]["rect"], (Json{0, 0, 1920, 1080}));
  end();
}

TEST_F(ToursTest, MistakesWithPlaylists) {
  begin();
  save_playlist({"/1/fail.mp4", "/2/fail.mp4"});
  EXPECT_THAT(refused(ErrorCode::kNotFound, {{"name", "gates"}}, "playlist_play"),
              HasSubstr("damaged"));
  EXPECT_TRUE(tour().is_null());
  refused(ErrorCode::kConflict, {{"name", "gates"}, {"start_at", 3}}, "playlist_play");
  for (const auto& [field, value] : {std::pair<const char*, Json>{"start_at", 0},
                                     {"seconds", 0.5},
                                     {"rect", {0, 0, 8, 8}},
                                     {"area", "nowhere"},
                                     {"window", 99}}) {
    const Json params = {{"name", "gates"}, {field, value}};
    const auto answer = console->call("playlist_play", params);
    EXPECT_FALSE(answer) << params;
  }
  refused(ErrorCode::kInvalidParams, {{"name", "gates"}, {"shuffle", true}, {"start_at", 2}},
          "playlist_play");
  refused(ErrorCode::kInvalidParams, {{"name", "gates"}, {"window", 1}, {"area", "l"}},
          "playlist_play");
  refused(ErrorCode::kNotFound, playlist_of({"gate 3"}), "playlist_save");
  refused(ErrorCode::kNotFound, {{"name", "gates"}, {"item", 3}}, "playlist_remove");
  for (int item = 0; item < 2; ++item) {
    console->expect("playlist_remove", {{"name", "gates"}, {"item", 1}});
  }
  refused(ErrorCode::kConflict, {{"name", "gates"}}, "playlist_play");
  console->expect("tour_start", tour_of(cameras(2)));
  save_playlist({camera(0)});
  refused(ErrorCode::kConflict, {{"name", "gates"}}, "playlist_play");
  end();
}

TEST_F(ToursTest, Mistakes) {
  begin();
  EXPECT_THAT(refused(ErrorCode::kNotFound, tour_of({"/1/fail.mp4", "/2/fail.mp4"})),
              HasSubstr("damaged"));
  EXPECT_TRUE(tour().is_null());
  refused(ErrorCode::kInvalidParams, tour_of({}));
  refused(ErrorCode::kInvalidParams, tour_of({camera(0)}));
  refused(ErrorCode::kInvalidParams, tour_of({camera(0), camera(0)}));
  refused(ErrorCode::kInvalidParams, tour_of(cameras(10'000)));
  EXPECT_THAT(refused(ErrorCode::kNotFound, tour_of({camera(0), "gate 3"})), HasSubstr("gate 3"));
  refused(ErrorCode::kNotFound, tour_of({camera(0), "url/*"}));
  std::vector<std::string> long_names;
  for (int i = 0; i < 40; ++i)
    long_names.push_back(fmt::format("/{}{}", std::string(4000, 'x'), i));
  refused(ErrorCode::kLimit, tour_of(long_names));
  for (const auto& [field, value] : {std::pair<const char*, Json>{"every_s", 0},
                                     {"every_s", -1},
                                     {"columns", 65},
                                     {"columns", 0},
                                     {"rows", 33},
                                     {"rect", {0, 0, 20, 20}},
                                     {"rect", {-10, 0, 300, 300}},
                                     {"name", ""},
                                     {"sources", {1}},
                                     {"cells", 3}}) {
    Json params = tour_of(cameras(6));
    params[field] = value;
    refused(ErrorCode::kInvalidParams, params);
  }
  Json params = tour_of(cameras(6));
  params["area"] = "nowhere";
  refused(ErrorCode::kNotFound, params);
  params["area"] = "l";
  const Json started = console->expect("tour_start", params);
  EXPECT_EQ(started["cells"][1]["rect"], (Json{960, 0, 960, 1080}));
  EXPECT_EQ(titled(camera(0))->wall_rect, (sail::Rect{0, 270, 960, 540}));
  refused(ErrorCode::kConflict, params);
  refused(ErrorCode::kNotFound, {{"name", "other"}}, "tour_stop");
  refused(ErrorCode::kNotFound, {{"name", "other"}, {"action", "go"}}, "tour_control");
  refused(ErrorCode::kInvalidParams, {{"name", "gates"}, {"action", "back"}}, "tour_control");
  end();
}

}  // namespace
}  // namespace manager
