// Switching to a saved session: what stays open, what is opened and closed, in one swap.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

#include "sail/core/wire/scene_change.h"
#include "tests/unit/manager/peers/fake_players_test.h"

namespace manager {
namespace {

using sail::ErrorCode;
using sail::Json;
using testing::HasSubstr;

constexpr sail::Rect kOnLeft{0, 0, 640, 360};
constexpr sail::Rect kOnRight{2000, 100, 640, 360};
constexpr sail::Rect kElsewhere{900, 500, 640, 360};

class SceneSwitchTest : public FakePlayersTest {
 protected:
  Json show(const std::string& name) { return console->expect("scene_show", {{"name", name}}); }
  // Writes a session in which another medium plays.
  void save_changed(const std::string& from, const std::string& to, const std::string& medium,
                    const std::string& other) {
    const auto file = [&](const std::string& name) {
      return options.state_folder / "sessions" / (name + ".json");
    };
    Json session = Json::parse(std::ifstream(file(from)));
    for (Json& window : session["windows"]) {
      if (window["title"] != medium) continue;
      window["title"] = other;
      window["content"]["media"] = {other};
    }
    std::ofstream(file(to)) << session;
  }
  // "two" is on the wall. A switch to "one" has begun; it waits for a window that does not open.
  ScriptedPeer::Asked begin_late_switch() {
    begin();
    play("one", kOnLeft);
    play("two", kOnRight);
    console->expect("session_save", {{"name", "talk"}});
    save_changed("talk", "late", "two", "a hang");
    console->expect("close", {{"window", titled("one")->number}});
    auto late = console->ask("scene_show", {{"name", "late"}});
    wait([&] { return titled("one") != nullptr; });
    return late;
  }
};

TEST_F(SceneSwitchTest, WindowsWithTheSameContentStayOpen) {
  begin();
  const auto app = application();
  const uint32_t one = play("one", kOnLeft);
  play("two", kOnRight);
  const uint32_t foreign = open_stream(*app, kOnLeft);
  console->expect("lock", {{"window", one}});
  console->expect("partition", {{"action", "grid"}, {"columns", 2}, {"rows", 1}});
  console->expect("session_save", {{"name", "talk"}});
  console->expect("lock", {{"window", one}, {"on", false}});
  console->expect("partition", {{"action", "clear"}});
  console->expect("move", {{"window", one}, {"x", 900}, {"y", 500}});
  console->expect("move", {{"window", foreign}, {"x", 10}, {"y", 10}});
  console->expect("close", {{"window", titled("two")->number}});
  const uint32_t three = play("three", kOnLeft);

  const Json shown = show("talk");
  ASSERT_NE(titled("two"), nullptr);
  const uint32_t two = titled("two")->number;
  EXPECT_EQ(shown, (Json{{"kept", {one, foreign}},
                         {"started", {two}},
                         {"closed", {three}},
                         {"forced", Json::array()},
                         {"failed", Json::array()}}));
  EXPECT_EQ(find(one)->wall_rect, kOnLeft);
  EXPECT_TRUE(find(one)->locked);
  EXPECT_EQ(find(foreign)->wall_rect.x, 0) << "an application's own window moves, too";
  EXPECT_EQ(find(two)->wall_rect, kOnRight);
  EXPECT_FALSE(find(two)->sound.muted);
  EXPECT_EQ(find(three), nullptr);
  EXPECT_EQ(fs_manager->desk().windows().order(), (std::vector<uint32_t>{one, two, foreign}));
  EXPECT_EQ(fs_manager->desk().arrangement().partitions().all().size(), 2U);
  EXPECT_EQ(console->expect("list")["scene"],
            (Json{{"name", "talk"}, {"pending", false}, {"failed", Json::array()}}));

  // A single step.
  EXPECT_EQ(console->expect("undo")["what"], "switched to session 'talk'");
  EXPECT_EQ(find(one)->wall_rect, kElsewhere);
  EXPECT_FALSE(find(one)->locked);
  EXPECT_EQ(titled("two"), nullptr);
  ASSERT_NE(titled("three"), nullptr);
  EXPECT_EQ(titled("three")->wall_rect, kOnLeft);
  EXPECT_FALSE(titled("three")->sound.muted);
  EXPECT_TRUE(fs_manager->desk().arrangement().partitions().all().empty());
  console->expect("redo");
  EXPECT_EQ(find(one)->wall_rect, kOnLeft);
  EXPECT_NE(titled("two"), nullptr);
  EXPECT_EQ(titled("three"), nullptr);
  end();
}

TEST_F(SceneSwitchTest, OnlyTheAreaIsReplaced) {
  begin();
  play("one", kOnLeft);
  play("two", kOnRight);
  console->expect("session_save", {{"name", "talk"}});
  console->expect("close", {{"windows", fs_manager->desk().windows().order()}});
  const uint32_t left = play("left", kOnLeft);
  const uint32_t right = play("right", kOnRight);
  const Json shown = console->expect("scene_show", {{"name", "talk"}, {"area", "r"}});
  EXPECT_EQ(shown["closed"], (Json{right}));
  EXPECT_EQ(shown["started"], (Json{titled("two")->number}));
  EXPECT_EQ(titled("one"), nullptr);
  EXPECT_NE(find(left), nullptr);
  const Json more =
      console->expect("scene_show", {{"name", "talk"}, {"rect", sail::rect_json(kOnLeft)}});
  EXPECT_EQ(more["closed"], (Json{left}));
  EXPECT_NE(titled("one"), nullptr);
  EXPECT_NE(titled("two"), nullptr);
  for (const auto& [area, code] :
       {std::pair{"q", ErrorCode::kNotFound}, std::pair{"", ErrorCode::kInvalidParams}}) {
    Json params = {{"name", "talk"}, {"area", area}};
    if (code == ErrorCode::kInvalidParams) {
      params = {{"name", "talk"}, {"area", "r"}, {"rect", sail::rect_json(kOnLeft)}};
    }
    const auto refused = console->call("scene_show", params);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, code);
  }
  end();
}

TEST_F(SceneSwitchTest, FadesAreLimited) {
  begin();
  play("one", kOnLeft);
  console->expect("session_save", {{"name", "talk"}});
  for (const Json& fade : {Json(2.001), Json(-0.1), Json("1")}) {
    const auto refused = console->call("scene_show", {{"name", "talk"}, {"fade", fade}});
    ASSERT_FALSE(refused) << fade;
    EXPECT_EQ(refused.error().code, ErrorCode::kInvalidParams);
    EXPECT_THAT(refused.error().message, HasSubstr("'fade'"));
  }
  console->expect("scene_show", {{"name", "talk"}, {"fade", 2}});
  end();
}

TEST_F(SceneSwitchTest, APreviewTellsWhatWouldChangeAndChangesNothing) {
  begin();
  const uint32_t one = play("one", kOnLeft);
  play("two", kOnRight);
  console->expect("session_save", {{"name", "talk"}});
  console->expect("move", {{"window", one}, {"x", 900}, {"y", 500}});
  console->expect("close", {{"window", titled("two")->number}});
  const uint32_t three = play("three", kOnRight);
  const Json before = console->expect("history");

  const Json preview = console->expect("scene_preview", {{"name", "talk"}});
  ASSERT_EQ(preview["windows"].size(), 2U);
  const Json& stays = preview["windows"][0];
  EXPECT_EQ(stays["number"], one);
  EXPECT_EQ(stays["rect"], sail::rect_json(kOnLeft));
  const Json& opens = preview["windows"][1];
  EXPECT_FALSE(opens.contains("number"));
  EXPECT_EQ(opens["title"], "two");
  EXPECT_TRUE(opens.contains("content"));
  EXPECT_EQ(preview["closed"], (Json{three}));
  const Json right = console->expect("scene_preview", {{"name", "talk"}, {"area", "r"}});
  EXPECT_EQ(right["windows"].size(), 1U);
  EXPECT_EQ(right["closed"], (Json{three}));
  EXPECT_EQ(console->call("scene_preview", {{"name", "none"}}).error().code, ErrorCode::kNotFound);

  EXPECT_EQ(console->expect("history"), before);
  EXPECT_FALSE(console->expect("list").contains("scene"));
  EXPECT_EQ(fs_manager->desk().windows().order(), (std::vector<uint32_t>{one, three}));
  EXPECT_EQ(find(one)->wall_rect, kElsewhere);
  end();
}

TEST_F(SceneSwitchTest, AWindowThatDoesNotOpenInTimeIsNamed) {
  options.times.scene_ms = 300;
  options.times.opening_ms = 0;
  begin();
  const uint32_t one = play("one", kOnLeft);
  play("two", kOnRight);
  console->expect("session_save", {{"name", "talk"}});
  save_changed("talk", "late", "two", "a hang");
  const Json shown = show("late");
  EXPECT_EQ(shown["kept"], (Json{one}));
  EXPECT_EQ(shown["started"], Json::array());
  EXPECT_EQ(shown["failed"][0]["title"], "a hang");
  EXPECT_THAT(shown["failed"][0]["why"].get<std::string>(), HasSubstr("did not open"));
  const Json state = console->expect("list");
  EXPECT_EQ(state["scene"]["failed"], shown["failed"]);
  EXPECT_FALSE(state.contains("openings")) << "its program is given up";
  EXPECT_EQ(state["windows"].size(), 1U);
  end();
}

TEST_F(SceneSwitchTest, ALaterSwitchReplacesTheOneThatWaits) {
  const auto late = begin_late_switch();
  // It is not shown yet.
  EXPECT_TRUE(titled("one")->hidden);
  EXPECT_EQ(console->expect("list")["scene"]["pending"], true);
  console->expect("session_save", {{"name", "now"}});
  const Json now = console->expect("session_get", {{"name", "now"}})["windows"];
  ASSERT_EQ(now.size(), 1U);
  EXPECT_EQ(now[0]["title"], "two");
  for (const char* verb : {"undo", "redo"}) {
    const auto refused = console->call(verb);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kConflict) << verb;
  }
  EXPECT_EQ(console->call("session_restore", {{"name", "talk"}}).error().code,
            ErrorCode::kConflict);

  const uint32_t two = titled("two")->number;
  const Json shown = show("now");
  ASSERT_TRUE(late->has_value());
  EXPECT_FALSE(**late);
  EXPECT_EQ((**late).error().code, ErrorCode::kConflict);
  EXPECT_THAT((**late).error().message, HasSubstr("'now'"));
  EXPECT_EQ(shown["kept"], (Json{two}));
  EXPECT_EQ(console->expect("list")["scene"]["name"], "now");
  wait([&] { return titled("one") == nullptr; });
  EXPECT_EQ(console->expect("undo")["what"], "closed 'one'") << "nothing was changed since";
  end();
}

TEST_F(SceneSwitchTest, AWindowThatClosesBeforeItIsShownHoldsNothingUp) {
  const auto late = begin_late_switch();
  console->expect("close", {{"window", titled("one")->number}});
  const Json shown = show("talk");
  EXPECT_EQ(shown["started"], (Json{titled("one")->number}));
  const Json entries = console->expect("history")["entries"];
  const auto closings = std::count_if(entries.begin(), entries.end(), [](const Json& entry) {
    return entry["what"] == "closed 'one'";
  });
  EXPECT_EQ(closings, 1) << "closing the hidden window is no step";
  EXPECT_EQ(console->expect("undo")["what"], "switched to session 'talk'");
  end();
}

// Fake players send no frames, so the layout waits for them until its timeout.
TEST_F(SceneSwitchTest, AllChangesAreInOneScene) {
  begin();
  const auto left = receiver("left");
  const auto right = receiver("right", 5002);
  const uint32_t one = play("one", kOnLeft);
  play("two", kOnRight);
  console->expect("session_save", {{"name", "talk"}});
  console->expect("move", {{"window", one}, {"x", 900}, {"y", 500}});
  console->expect("close", {{"window", titled("two")->number}});
  const uint32_t three = play("three", kOnRight);
  wait([&] { return fs_manager->desk().director().settled(); });
  const uint64_t epoch = fs_manager->desk().director().epoch();
  const uint32_t two =
      console->expect("scene_show", {{"name", "talk"}, {"fade", 1.5}})["started"][0];
  wait([&] { return fs_manager->desk().director().settled(); });
  console->expect("list");
  std::optional<sail::Scene> scene;
  bool shown = false;
  for (const ScriptedPeer::Message& message : left->messages) {
    if (message.method == "scene") {
      scene = *sail::message_from_json<sail::Scene>(message.params);
    } else if (message.method == "scene_change") {
      scene =
          *sail::changed_scene(*scene, *sail::message_from_json<sail::SceneChange>(message.params));
    } else {
      continue;
    }
    if (scene->epoch <= epoch) continue;
    const auto at = [&](uint32_t number) {
      for (const sail::SceneWindow& window : scene->windows) {
        if (window.window == number) return window.wall_rect;
      }
      return sail::Rect{3840, 0, 0, 0};
    };
    const bool two_shown = at(two) == kOnRight;
    EXPECT_EQ(at(one), two_shown ? kOnLeft : kElsewhere);
    EXPECT_EQ(at(three).x, two_shown ? 3840 : kOnRight.x);
    EXPECT_EQ(scene->fade_ms, two_shown && !shown ? 1500 : 0);
    shown = shown || two_shown;
  }
  EXPECT_TRUE(shown);
  end();
}

}  // namespace
}  // namespace manager
