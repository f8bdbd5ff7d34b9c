// Scenes and verbs at times of the calendar. These entries began long ago or begin at once, so that
// no test waits for a time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/unit/manager/peers/fake_players_test.h"

namespace manager {
namespace {

using sail::ErrorCode;
using sail::Json;

constexpr sail::Rect kBasePlace{100, 100, 640, 360};
constexpr sail::Rect kScenePlace{0, 0, 1280, 720};

// Begins every day at midnight, for 24 hours.
Json always(const std::string& name, const std::string& session, int priority = 0) {
  return {{"name", name},        {"zone", "UTC"},
          {"scene", session},    {"start", "2020-01-01T00:00"},
          {"duration_s", 86400}, {"rule", "FREQ=DAILY"},
          {"priority", priority}};
}

class SchedulerTest : public FakePlayersTest {
 protected:
  SchedulerTest() { options.times.return_ms = 100; }
  void save_session(const std::string& name, const std::string& medium) {
    const uint32_t window = play(medium, kScenePlace);
    console->expect("session_save", {{"name", name}});
    console->expect("close", {{"window", window}});
  }
  Json add(const Json& entry) {
    return console->expect("schedule_add", {{"entries", Json::array({entry})}});
  }
  void remove(const std::string& name) { console->expect("schedule_remove", {{"name", name}}); }
  ErrorCode code(const char* verb, const Json& params) {
    const auto answer = console->call(verb, params);
    EXPECT_FALSE(answer) << verb << params;
    return answer ? ErrorCode::kInternal : answer.error().code;
  }
};

TEST_F(SchedulerTest, ScenesComeAndGoByPriorityAndBelowEvents) {
  begin();
  save_session("day", "news");
  save_session("show", "film");
  save_session("alarm", "fire");
  const uint32_t base = play("base", kBasePlace);
  console->expect("event_rules",
                  {{"rules", Json::array({{{"event", "door"}, {"scene", "alarm"}}})}});

  const Json added = add(always("low", "day"));
  EXPECT_EQ(added["shown"], "low");
  EXPECT_TRUE(added["entries"][0].contains("on"));
  EXPECT_TRUE(added["entries"][0].contains("next"));
  wait_shown("news");
  EXPECT_TRUE(fs_manager->desk().windows().find(base)->hidden);
  EXPECT_EQ(code("undo", Json::object()), ErrorCode::kConflict);

  EXPECT_EQ(add(always("high", "show", 5))["shown"], "high");
  wait_shown("film");
  wait_gone("news");
  console->expect("event_start", {{"name", "door"}});
  wait_shown("fire");
  wait_gone("film");
  remove("high");
  console->expect("event_clear", {{"name", "door"}});
  wait_shown("news");
  wait_gone("fire");

  remove("low");
  wait_gone("news");
  wait([&] { return !fs_manager->desk().windows().find(base)->hidden; });
  EXPECT_EQ(fs_manager->desk().windows().find(base)->wall_rect, kBasePlace);
  EXPECT_FALSE(console->expect("schedule_list").contains("shown"));
  end();
}

TEST_F(SchedulerTest, TheNextManagerContinues) {
  begin();
  save_session("day", "news");
  play("base", kBasePlace);
  Json entry = always("low", "day");
  add(entry);
  wait_shown("news");
  wait([&] {
    std::ifstream file(options.state_folder / "sessions" / "autosave.json");
    const Json session = Json::parse(file, nullptr, false);
    return session.is_object() && session.contains("events") && session["windows"].size() == 2;
  });
  console.reset();
  fs_manager.reset();
  options.restore = "autosave";
  begin();
  wait_shown("news");
  wait([&] { return titled("base") != nullptr; });
  EXPECT_EQ(console->expect("schedule_list")["shown"], "low");
  remove("low");
  wait_gone("news");
  wait([&] { return titled("base") != nullptr && !titled("base")->hidden; });
  EXPECT_EQ(titled("base")->wall_rect, kBasePlace);
  end();
}

// A start that the manager missed: its file says that nothing was done since 1970.
TEST_F(SchedulerTest, VerbsRunOnceAsAnOperator) {
  const Json blank = {
      {"name", "blank"},
      {"zone", "UTC"},
      {"start", "2020-01-01T00:00"},
      {"rule", "FREQ=DAILY"},
      {"do", Json::array({{{"verb", "blank"}, {"params", {{"text", "closed"}}}},
                          {{"verb", "layout_apply"}, {"params", {{"name", "x"}}}}})}};
  std::ofstream(folder.path() / "schedule.json")
      << Json{{"entries", {blank}}, {"progress", {{"blank", {{"until_s", 0}, {"end_s", 0}}}}}};
  begin();
  wait_asking([&] { return console->expect("list")["blank"] == true; });
  wait_asking([&] { return console->expect("schedule_list")["entries"][0].contains("failed"); });
  EXPECT_THAT(console->expect("schedule_list")["entries"][0]["failed"].get<std::string>(),
              testing::StartsWith("layout_apply: "));
  const Json journal = console->expect("journal", {{"verb", "blank"}});
  ASSERT_EQ(journal["entries"].size(), 1U);
  EXPECT_EQ(journal["entries"][0]["who"], "schedule");

  console->expect("blank", {{"on", false}});
  console.reset();
  fs_manager.reset();
  begin();
  Json later = blank;  // A change lets the schedule advance at once.
  later["name"] = "later";
  later["start"] = "2100-01-01T00:00";
  add(later);
  EXPECT_EQ(console->expect("list")["blank"], false) << "not again";
}

TEST_F(SchedulerTest, APlaylistBeginsAtItsTime) {
  const Json item = {{"medium", "test:64x64@10"}};
  std::ofstream(folder.path() / "playlists.json") << Json{
      {"playlists", Json::array({Json{{"name", "lobby"}, {"items", Json::array({item})}}})}};
  const Json entry = {
      {"name", "open"},
      {"zone", "UTC"},
      {"start", "2020-01-01T00:00"},
      {"rule", "FREQ=DAILY"},
      {"do",
       Json::array({{{"verb", "playlist_play"}, {"params", {{"name", "lobby"}, {"area", "l"}}}}})}};
  std::ofstream(folder.path() / "schedule.json")
      << Json{{"entries", {entry}}, {"progress", {{"open", {{"until_s", 0}, {"end_s", 0}}}}}};
  begin();
  Json tours;
  wait_asking([&] {
    tours = console->expect("tour_list")["tours"];
    return !tours.empty();
  });
  EXPECT_EQ(tours[0]["name"], "lobby");
  EXPECT_EQ(tours[0]["cells"][0]["rect"], (Json{0, 0, 1920, 1080}));
  end();
}

TEST_F(SchedulerTest, VerbsHaveTheRightsOfTheSchedulesKey) {
  options.key = {"", "open sesame, please"};
  const Json entry = {
      {"name", "tidy"},
      {"zone", "UTC"},
      {"start", "2020-01-01T00:00"},
      {"rule", "FREQ=DAILY"},
      {"do", Json::array({{{"verb", "session_remove"}, {"params", {{"name", "vault"}}}}})}};
  std::ofstream(folder.path() / "schedule.json")
      << Json{{"entries", {entry}}, {"progress", {{"tidy", {{"until_s", 0}, {"end_s", 0}}}}}};
  const Json rule = {{"scene", "vault"}, {"who", {"operator/ann"}}, {"may", {"arrange"}}};
  std::ofstream(folder.path() / "rights.json")
      << Json{{"rules", Json::array({rule})}, {"locks", Json::array()}};
  begin();
  wait_asking([&] { return console->expect("schedule_list")["entries"][0].contains("failed"); });
  EXPECT_THAT(console->expect("schedule_list")["entries"][0]["failed"].get<std::string>(),
              testing::HasSubstr("rules[0]"));
}

TEST_F(SchedulerTest, RefusalsHaveCodesAndChangeNothing) {
  begin();
  save_session("day", "news");
  const auto refused = [&](const Json& entry) {
    return code("schedule_add", {{"entries", Json::array({always("good", "day"), entry})}});
  };
  EXPECT_EQ(refused(always("other", "gone")), ErrorCode::kNotFound);
  EXPECT_EQ(refused(always("good", "day")), ErrorCode::kInvalidParams) << "one name twice";
  EXPECT_EQ(code("schedule_remove", {{"name", "good"}}), ErrorCode::kNotFound);
  for (const char* verb : {"shutdown", "schedule_remove", "subscribe", "nothing"}) {
    EXPECT_EQ(refused({{"name", "verbs"},
                       {"zone", "UTC"},
                       {"start", "2020-01-01T00:00"},
                       {"do", Json::array({{{"verb", verb}}})}}),
              ErrorCode::kInvalidParams)
        << verb;
  }
  EXPECT_EQ(console->expect("schedule_list")["entries"], Json::array());
  end();
}

TEST_F(SchedulerTest, ADamagedFileIsKeptAside) {
  std::ofstream(folder.path() / "schedule.json") << "{";
  begin();
  EXPECT_EQ(console->expect("schedule_list")["entries"], Json::array());
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "schedule.json.damaged"));
}

}  // namespace
}  // namespace manager
