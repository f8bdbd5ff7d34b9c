// Rights on partitions, scenes and sources at a manager: what the verbs and new windows do.
#include "manager/commands/object_gate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "manager/peers/peers.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/manager/peers/manager_test.h"

namespace manager {
namespace {

using sail::ErrorCode;
using sail::Json;
using sail::Role;

class ObjectGateTest : public ManagerTest {
 protected:
  ObjectGateTest() {
    options.key = {"", "open sesame, please"};
    options.state_folder = folder_.path();
    options.player_program = FAKE_PROGRAM;
    options.media = {media_.path().string()};
    options.times.scene_ms = 2000;
    options.times.opening_ms = 0;
  }
  void SetUp() override {
    start();
    admin_ = with("");
    ann_ = with("operator/ann");
    bob_ = with("operator/bob");
  }
  std::unique_ptr<ScriptedPeer> with(const std::string& key_name, Role role = Role::kUi) {
    auto peer = connect();
    EXPECT_TRUE(peer->hello(role, "somebody", 0, key_named(options.key, key_name))) << key_name;
    return peer;
  }
  // The left tile is a partition of which Ann may do everything.
  void reserve_left() {
    admin_->expect("partition",
                   {{"action", "set"}, {"name", "left"}, {"rect", {0, 0, 1920, 1080}}});
    admin_->expect(
        "rights_set",
        {{"rules", Json::array({Json{{"partition", "left"},
                                     {"who", {"operator/ann"}},
                                     {"may", {"show", "arrange", "control", "hear"}}}})}});
  }
  static void expect_refused(ScriptedPeer& peer, const char* verb, const Json& params,
                             ErrorCode code = ErrorCode::kUnauthorized) {
    const auto answer = peer.call(verb, params);
    ASSERT_FALSE(answer) << verb << " " << params;
    EXPECT_EQ(answer.error().code, code) << answer.error().message;
  }
  // The window of a program of the wall's own key.
  static uint32_t open_medium(ScriptedPeer& program, const std::string& medium,
                              const sail::Rect& place, sail::Size frame_size = {1920, 1080}) {
    auto open = *sail::message_from_json<sail::OpenStream>(stream_params(medium, place));
    open.frame_size = frame_size;
    open.content = sail::Content{.media = {medium}, .program = "bplay"};
    return program.expect("open_stream", to_json(open))["window"];
  }
  static Json resuming(const sail::Rect& rect, uint32_t number) {
    auto open = *sail::message_from_json<sail::OpenStream>(stream_params());
    open.resume =
        sail::Resume{.window = number,
                     .secret = number,
                     .routes = {.stream = number, .epoch = 1, .wall_rect = rect, .routes = {}}};
    return to_json(open);
  }
  // Ann may show and arrange the source.
  void reserve_vault() {
    admin_->expect("rights_set", {{"rules", Json::array({Json{{"source", "*vault*"},
                                                              {"who", {"operator/ann"}},
                                                              {"may", {"show", "arrange"}}}})}});
  }
  sail::Rect rect_of(uint32_t window) const {
    return fs_manager->desk().windows().find(window)->wall_rect;
  }

  const sail::TempFolder folder_;
  const sail::TempFolder media_;
  std::unique_ptr<ScriptedPeer> admin_;
  std::unique_ptr<ScriptedPeer> ann_;
  std::unique_ptr<ScriptedPeer> bob_;
};

TEST_F(ObjectGateTest, APartitionWithARuleIsForThoseWhomItNames) {
  const auto app = with("", Role::kApplication);
  const uint32_t window = open_stream(*app, sail::Rect{2000, 0, 640, 360});
  reserve_left();
  expect_refused(*bob_, "move", {{"window", window}, {"x", 1900}});
  expect_refused(*bob_, "arrange", Json::object());
  expect_refused(*bob_, "partition", {{"action", "remove"}, {"name", "left"}});
  bob_->expect("move", {{"window", window}, {"x", 1920}});
  ann_->expect("move", {{"window", window}, {"x", 100}});
  expect_refused(*bob_, "close", {{"window", window}});
  expect_refused(*bob_, "move", {{"window", window}, {"x", 2500}});
  admin_->expect("move", {{"window", window}, {"x", 2500}});
}

TEST_F(ObjectGateTest, ATurnedWindowMustNotReachIntoAReservedPartition) {
  const auto app = with("", Role::kApplication);
  const uint32_t window = open_stream(*app, sail::Rect{1930, 300, 96, 540});
  reserve_left();
  admin_->expect("place", {{"windows", {{{"window", window}, {"rect", {1930, 0, 96, 960}}}}}});
  expect_refused(*bob_, "look", {{"window", window}, {"rotate", 90}});
  EXPECT_EQ(rect_of(window), (sail::Rect{1930, 0, 96, 960}));
}

TEST_F(ObjectGateTest, ACameraIsMovedByThoseWhoMayControlItsWindow) {
  const auto app = with("", Role::kApplication);
  const uint32_t window = open_stream(*app, sail::Rect{100, 100, 640, 360});
  reserve_left();
  const Json left = {{"window", window}, {"move", "left"}};
  expect_refused(*bob_, "camera_move", left);
  expect_refused(*bob_, "camera_presets", {{"window", window}});
  expect_refused(*ann_, "camera_move", left, ErrorCode::kConflict);  // The window shows no camera.
  reserve_vault();                                                   // Ann may show it.
  expect_refused(*ann_, "camera_move", {{"source", "vault"}, {"move", "left"}});
  expect_refused(*admin_, "camera_move", {{"source", "vault"}, {"move", "left"}},
                 ErrorCode::kNotFound);
}

TEST_F(ObjectGateTest, SpeakersNotesAreForThoseWhoMayControlTheWindow) {
  const auto app = with("", Role::kApplication);
  const uint32_t window = open_stream(*app, sail::Rect{100, 100, 640, 360});
  reserve_left();
  expect_refused(*bob_, "speaker_notes", {{"window", window}});
  // The window shows no file.
  expect_refused(*ann_, "speaker_notes", {{"window", window}}, ErrorCode::kConflict);
}

// Its place reaches into the left tile, but its picture does not.
TEST_F(ObjectGateTest, APictureOfAnotherShapeMustNotReachIntoAReservedPartition) {
  const auto app = with("", Role::kApplication);
  const uint32_t beside = open_stream(*app, sail::Rect{1440, 0, 1920, 540});
  ASSERT_EQ(rect_of(beside), (sail::Rect{1920, 0, 960, 540}));
  const uint32_t wide = open_medium(*app, "/wide.mp4", {2880, 540, 960, 270}, {3840, 1080});
  const uint32_t plain = open_stream(*app, sail::Rect{1920, 540, 640, 360});
  reserve_left();
  expect_refused(*bob_, "swap", {{"window", beside}, {"other", wide}});
  expect_refused(*bob_, "swap", {{"window", wide}, {"other", beside}});
  expect_refused(*bob_, "replace", {{"window", beside}, {"media", {"test:"}}});
  EXPECT_EQ(rect_of(beside), (sail::Rect{1920, 0, 960, 540}));
  bob_->expect("swap", {{"window", wide}, {"other", plain}});
}

TEST_F(ObjectGateTest, VerbsThatMoveOtherWindowsNeedTheRightToArrangeThem) {
  admin_->expect("partition", {{"action", "set"}, {"name", "r"}, {"rect", {1920, 0, 1920, 1080}}});
  const auto app = with("", Role::kApplication);
  const uint32_t vault = open_medium(*app, "/vault.mp4", {2000, 0, 640, 360});
  const uint32_t free = open_medium(*app, "/a.mp4", {0, 0, 640, 360});
  reserve_vault();
  const sail::Rect before = rect_of(vault);
  expect_refused(*bob_, "fit", {{"window", free}, {"partition", "r"}, {"share", true}});
  expect_refused(*bob_, "partition",
                 {{"action", "set"}, {"name", "r"}, {"rect", {2880, 0, 960, 1080}}});
  EXPECT_EQ(rect_of(vault), before);
  bob_->expect("fit", {{"window", free}, {"partition", "r"}});
  EXPECT_EQ(rect_of(vault), before);
  ann_->expect("fit", {{"window", free}, {"partition", "r"}, {"share", true}});
  EXPECT_NE(rect_of(vault), before);
}

TEST_F(ObjectGateTest, AWallpaperIsReplacedByThoseWhoMayArrangeIt) {
  admin_->expect("partition", {{"action", "set"}, {"name", "left"}, {"rect", {0, 0, 1920, 1080}}});
  const auto rule = [](const char* who, const Json& may) {
    return Json{{"partition", "left"}, {"who", {who}}, {"may", may}};
  };
  admin_->expect("rights_set",
                 {{"rules", Json::array({rule("operator/ann", Json::array({"show", "arrange"})),
                                         rule("operator/bob", Json::array({"show"}))})}});
  const Json card = {{"source", "test:64x64@10"}, {"area", "left"}};
  admin_->expect("wallpaper", card);
  expect_refused(*bob_, "wallpaper", card);
  expect_refused(*bob_, "wallpaper", {{"on", false}, {"area", "left"}});
  bob_->expect("logo", card);
  expect_refused(*bob_, "logo", card);
  ann_->expect("wallpaper", card);
}

TEST_F(ObjectGateTest, TheEraserNeedsTheRightToArrangeTheWindowsBelow) {
  const auto app = with("", Role::kApplication);
  const uint32_t vault = open_medium(*app, "/vault.mp4", {2000, 0, 640, 360});
  bob_->expect("annotate", {{"window", vault}, {"points", {{2100, 100}, {2200, 100}}}});
  reserve_vault();
  expect_refused(*bob_, "annotate_erase", {{"points", {{2100, 100}, {2100, 110}}}});
  bob_->expect("annotate_erase", {{"points", {{3000, 900}, {3000, 910}}}});
  EXPECT_FALSE(fs_manager->desk().windows().find(vault)->drawing.empty());
  ann_->expect("annotate_erase", {{"points", {{2100, 100}, {2100, 110}}}});
  EXPECT_TRUE(fs_manager->desk().windows().find(vault)->drawing.empty());
}

TEST_F(ObjectGateTest, ATextNeedsTheRightToArrangeWhereItExtends) {
  const auto app = with("", Role::kApplication);
  admin_->expect("partition",
                 {{"action", "set"}, {"name", "right"}, {"rect", {1920, 0, 1920, 1080}}});
  const Json rule = {{"partition", "right"}, {"who", {"operator/ann"}}, {"may", {"arrange"}}};
  admin_->expect("rights_set", {{"rules", Json::array({rule})}});
  const auto text = [](int x) {
    return Json{{"points", {{x, 100}}}, {"text", {"Room 7"}}, {"size", 90}};
  };
  bob_->expect("annotate", text(1000));
  expect_refused(*bob_, "annotate", text(1800));
  ann_->expect("annotate", text(1800));
}

TEST_F(ObjectGateTest, TheSoundOfAFilmIsForThoseWhoMayHearIt) {
  const auto app = with("", Role::kApplication);
  const uint32_t window = open_stream(*app, sail::Rect{0, 0, 640, 360});
  admin_->expect("partition", {{"action", "set"}, {"name", "left"}, {"rect", {0, 0, 1920, 1080}}});
  const auto rule = [](const char* who, const char* may) {
    return Json{{"partition", "left"}, {"who", {who}}, {"may", {may}}};
  };
  admin_->expect(
      "rights_set",
      {{"rules", Json::array({rule("operator/ann", "control"), rule("operator/bob", "hear")})}});
  const Json volume = {{"window", window}, {"action", "volume"}, {"value", 0.5}};
  const Json track = {{"window", window}, {"action", "sound_track"}, {"value", 1}};
  const Json pause = {{"window", window}, {"action", "pause"}};
  const auto is_refused = [](ScriptedPeer& peer, const Json& params) {
    const auto answer = peer.call("control", params);
    return !answer && answer.error().code == ErrorCode::kUnauthorized;
  };
  EXPECT_TRUE(is_refused(*ann_, volume));
  EXPECT_TRUE(is_refused(*ann_, track));
  EXPECT_FALSE(is_refused(*ann_, pause));
  EXPECT_FALSE(is_refused(*bob_, volume));
  EXPECT_FALSE(is_refused(*bob_, track));
  EXPECT_TRUE(is_refused(*bob_, pause));

  const Json alone = {{"window", open_stream(*app, sail::Rect{2000, 0, 640, 360})}, {"solo", true}};
  expect_refused(*ann_, "sound", alone);
  bob_->expect("sound", {{"window", window}, {"muted", true}});
  ann_->expect("sound", alone);  // Changes no window of the partition.
}

TEST_F(ObjectGateTest, APresentersWindowIsHeardAloneThoughOthersStayAudibleInAReservedPartition) {
  const auto app = with("", Role::kApplication);
  open_stream(*app, sail::Rect{0, 0, 640, 360});
  reserve_left();
  const auto pia = with("presenter/pia");
  const auto own = with("application/0123456789abcdef/presenter/pia", Role::kApplication);
  const uint32_t window = open_stream(*own, sail::Rect{2000, 0, 640, 360});
  pia->expect("sound", {{"window", window}, {"solo", true}});
  expect_refused(*bob_, "sound", {{"window", window}, {"solo", true}});
}

TEST_F(ObjectGateTest, UndoIsNoWayAroundARight) {
  const auto app = with("", Role::kApplication);
  const uint32_t window = open_stream(*app, sail::Rect{2000, 0, 640, 360});
  reserve_left();
  ann_->expect("move", {{"window", window}, {"x", 100}});
  expect_refused(*bob_, "undo", Json::object());
  EXPECT_EQ(rect_of(window).x, 100);
  ann_->expect("undo");
  EXPECT_EQ(rect_of(window).x, 2000);
  expect_refused(*bob_, "redo", Json::object());
  EXPECT_EQ(rect_of(window).x, 2000);
  ann_->expect("redo");
  EXPECT_EQ(rect_of(window).x, 100);
}

TEST_F(ObjectGateTest, UndoingAPartitionNeedsTheRightToArrangeIt) {
  reserve_left();
  ann_->expect("partition", {{"action", "set"}, {"name", "left"}, {"rect", {0, 0, 960, 1080}}});
  expect_refused(*bob_, "undo", Json::object());
  ann_->expect("undo");
}

TEST_F(ObjectGateTest, TheOrderInAReservedPartitionIsPartOfIt) {
  const auto app = with("", Role::kApplication);
  const uint32_t one = open_stream(*app, sail::Rect{0, 0, 640, 360});
  open_stream(*app, sail::Rect{100, 100, 640, 360});
  const uint32_t free = open_stream(*app, sail::Rect{2000, 0, 640, 360});
  const uint32_t top = open_stream(*app, sail::Rect{2100, 0, 640, 360});
  reserve_left();
  ann_->expect("raise", {{"window", one}});
  expect_refused(*bob_, "undo", Json::object());
  ann_->expect("undo");
  bob_->expect("raise", {{"window", free}});
  bob_->expect("undo");
  EXPECT_EQ(fs_manager->desk().windows().order().back(), top);
}

TEST_F(ObjectGateTest, NewWindowsOfOthersStayOutside) {
  reserve_left();
  const auto program = with("operator/bob", Role::kApplication);
  const uint32_t window = open_stream(*program);
  EXPECT_GE(rect_of(window).x, 1920);
  const auto refused =
      program->call("open_stream", stream_params("film", sail::Rect{1900, 0, 640, 360}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnauthorized);
  const auto anns = with("operator/ann", Role::kApplication);
  EXPECT_EQ(rect_of(open_stream(*anns, sail::Rect{0, 0, 640, 360})).x, 0);
  const Json places = bob_->expect("find_places", {{"sizes", {{1920, 1080}}}})["places"];
  EXPECT_GE(places[0]["rect"][0].get<int>(), 1920);
}

TEST_F(ObjectGateTest, AProgramResumesOnlyWhereItsKeyMayShowWindows) {
  reserve_left();
  const auto program = with("operator/bob", Role::kApplication);
  const Json inside = program->expect("open_stream", resuming({0, 0, 128, 64}, 900));
  EXPECT_NE(inside["window"], 900);
  EXPECT_NE(inside["secret"], "0000000000000384");
  EXPECT_GE(rect_of(inside["window"]).x, 1920);
  const Json outside = program->expect("open_stream", resuming({1920, 0, 128, 64}, 910));
  EXPECT_EQ(outside["window"], 910);
  EXPECT_EQ(rect_of(910), (sail::Rect{1920, 0, 128, 64}));
}

TEST_F(ObjectGateTest, AProgramGetsItsWindowBackAfterARestart) {
  auto program = with("operator/bob", Role::kApplication);
  const sail::Rect place{0, 0, 640, 360};
  const uint32_t window = open_stream(*program, place);
  reserve_left();
  admin_->expect("session_save", {{"name", "all"}});
  fs_manager.reset();
  options.restore = "all";
  start();
  program = with("operator/bob", Role::kApplication);
  EXPECT_EQ(program->expect("open_stream", resuming(place, window))["window"], window);
  EXPECT_EQ(rect_of(window), place);
}

// The session of the earlier manager may not have its window.
TEST_F(ObjectGateTest, APlayerOfAnEarlierManagerKeepsItsPlace) {
  reserve_left();
  const auto player = with("application/0123456789abcdef/operator/bob", Role::kApplication);
  const sail::Rect place{0, 0, 640, 360};
  EXPECT_EQ(player->expect("open_stream", resuming(place, 900))["window"], 900);
  EXPECT_EQ(rect_of(900), place);
}

TEST_F(ObjectGateTest, OwnProgramsShowOnlyWhatTheirKeyMayShow) {
  reserve_vault();
  const auto program = with("operator/bob", Role::kApplication);
  const uint32_t window = open_medium(*program, "/a.mp4", {0, 0, 640, 360});
  auto open = *sail::message_from_json<sail::OpenStream>(stream_params());
  open.content = sail::Content{.media = {"/vault.mp4"}, .program = "bplay"};
  expect_refused(*program, "open_stream", to_json(open));
  open.replaces = fs_manager->desk().windows().find(window)->stream;
  expect_refused(*program, "open_stream", to_json(open));
  open.replaces = 0;
  with("operator/ann", Role::kApplication)->expect("open_stream", to_json(open));
}

TEST_F(ObjectGateTest, ANewWindowMovesOnlyWindowsThatItsOpenerMayArrange) {
  const auto app = with("", Role::kApplication);
  const uint32_t vault = open_medium(*app, "/vault.mp4", {0, 0, 3840, 1080});
  reserve_vault();
  const sail::Rect before = rect_of(vault);
  const uint32_t bobs = bob_->expect("play", {{"media", {"test:"}}})["window"];
  EXPECT_EQ(rect_of(vault), before);
  bob_->expect("close", {{"window", bobs}});
  ann_->expect("play", {{"media", {"test:"}}});
  EXPECT_NE(rect_of(vault), before) << "it makes room";
  end();
}

TEST_F(ObjectGateTest, ASourceWithARuleIsForThoseWhomItNamesHoweverItIsNamed) {
  const std::string film = media_.write("vault.mp4", "film");
  reserve_vault();
  for (const Json& params :
       {Json{{"media", {film}}}, Json{{"source", "media1/vault.mp4"}},
        Json{{"media", {"test:"}}, {"fallback", film}}, Json{{"sources", {"media1/vault.mp4"}}},
        Json{{"media", {"ticker:?speed=90?" + film}}}}) {
    expect_refused(*bob_, "play", params);
  }
  const uint32_t window = ann_->expect("play", {{"media", {film}}})["window"];
  expect_refused(*bob_, "move", {{"window", window}, {"x", 1}});
  expect_refused(*bob_, "control", {{"window", window}, {"action", "pause"}});
  expect_refused(*bob_, "tour_start", {{"name", "t"}, {"sources", {"media1/*"}}});
  admin_->expect("session_save", {{"name", "all"}});
  ann_->expect("close", {{"window", window}});
  expect_refused(*bob_, "undo", Json::object());
  expect_refused(*bob_, "scene_show", {{"name", "all"}});
  expect_refused(*bob_, "session_restore", {{"name", "all"}});
  EXPECT_TRUE(fs_manager->desk().windows().bottom_to_top().empty());
  EXPECT_FALSE(ann_->expect("undo").contains("failed"));
  EXPECT_EQ(fs_manager->desk().windows().bottom_to_top().size(), 1U);
  end();
}

TEST_F(ObjectGateTest, ATestCardWithARuleIsReservedInEachSpelling) {
  const auto rule = [](const char* source) {
    return Json{{"source", source}, {"who", {"operator/ann"}}, {"may", {"show"}}};
  };
  admin_->expect("rights_set",
                 {{"rules", Json::array({rule("test/1280x720@60"), rule("test/1920x1080@30")})}});
  for (const char* medium : {"test:1280x720@60", "test:01280x0720@60.0", "test:1280x720@6e1",
                             "test:", "test:1920x1080"}) {
    expect_refused(*bob_, "play", {{"media", {medium}}});
  }
  bob_->expect("play", {{"media", {"test:1280x720@59"}}});
  end();
}

TEST_F(ObjectGateTest, ATourInAReservedPartitionIsForThoseWhomItNames) {
  reserve_left();
  const Json tour = {{"name", "gates"},
                     {"sources", {"/camera/0", "/camera/1"}},
                     {"every_s", 3600},
                     {"area", "left"}};
  expect_refused(*bob_, "tour_start", tour);
  admin_->expect("tour_start", tour);
  expect_refused(*bob_, "tour_control", {{"name", "gates"}, {"action", "next"}});
  expect_refused(*bob_, "tour_stop", {{"name", "gates"}});
  ann_->expect("tour_stop", {{"name", "gates"}});
  end();
}

TEST_F(ObjectGateTest, AWallpaperNeedsTheRightsToShowItsSourceAndOnItsArea) {
  reserve_vault();
  const std::string film = media_.write("vault.mp4", "film");
  expect_refused(*bob_, "wallpaper", {{"source", film}});
  expect_refused(*bob_, "logo", {{"source", film}});
  reserve_left();
  const Json card = {{"source", "test:"}, {"area", "left"}};
  expect_refused(*bob_, "wallpaper", card);
  expect_refused(*bob_, "wallpaper", {{"source", "test:"}});
  ann_->expect("wallpaper", card);
  expect_refused(*bob_, "wallpaper", {{"on", false}, {"area", "left"}});
  bob_->expect("logo", {{"source", "test:"}, {"area", "r"}});
  ann_->expect("wallpaper", {{"on", false}, {"area", "left"}});
  end();
}

TEST_F(ObjectGateTest, ACurtainNeedsTheRightsToShowItsSourceAndToArrangeItsArea) {
  reserve_vault();
  const std::string film = media_.write("vault.mp4", "film");
  expect_refused(*bob_, "blank", {{"source", film}, {"area", "r"}});
  reserve_left();
  const Json card = {{"source", "test:"}, {"area", "left"}};
  expect_refused(*bob_, "blank", card);
  ann_->expect("blank", card);
  expect_refused(*bob_, "blank", {{"on", false}, {"area", "left"}});
  const Json rects = Json::array({{0, 0, 1920, 1080}});
  expect_refused(*bob_, "blank", {{"area", "r"}, {"areas", rects}});
  bob_->expect("blank", {{"source", "test:"}, {"area", "r"}});
  end();
}

TEST_F(ObjectGateTest, APlaylistNeedsTheRightsToShowItsItemsAndItsPlace) {
  reserve_vault();
  const std::string film = media_.write("vault.mp4", "film");
  const Json vault = {{"name", "vault"}, {"items", Json::array({Json{{"source", film}}})}};
  expect_refused(*bob_, "playlist_save", vault);
  ann_->expect("playlist_save", vault);
  expect_refused(*bob_, "playlist_add", vault);
  expect_refused(*bob_, "playlist_play", {{"name", "vault"}});
  reserve_left();
  admin_->expect("playlist_save",
                 {{"name", "free"}, {"items", Json::array({Json{{"source", "/camera/0"}}})}});
  expect_refused(*bob_, "playlist_play", {{"name", "free"}, {"area", "left"}});
  admin_->expect("playlist_play", {{"name", "free"}, {"area", "left"}, {"seconds", 3600}});
  expect_refused(*bob_, "playlist_play", {{"name", "free"}});
  expect_refused(*bob_, "playlist_play", {{"name", "free"}, {"rect", {1920, 0, 1920, 1080}}});
  const uint32_t window = fs_manager->desk().windows().order().front();
  expect_refused(*bob_, "playlist_play", {{"name", "other"}, {"window", window}});
  expect_refused(*bob_, "tour_stop", {{"name", "free"}});
  ann_->expect("tour_stop", {{"name", "free"}});
  end();
}

TEST_F(ObjectGateTest, RulesOfEventsNeedTheRightToShowTheirScenes) {
  admin_->expect("session_save", {{"name", "vault"}});
  admin_->expect(
      "rights_set",
      {{"rules",
        Json::array({Json{{"scene", "va*"}, {"who", {"operator/ann"}}, {"may", {"show"}}}})}});
  const Json rules = {{"rules", Json::array({Json{{"event", "door"}, {"scene", "vault"}}})}};
  expect_refused(*bob_, "event_rules", rules);
  ann_->expect("event_rules", rules);
  expect_refused(*bob_, "event_rules", {{"rules", Json::array()}});
  const Json more = Json{{"event", "bell"}, {"scene", "free"}};
  bob_->expect("event_rules", {{"rules", Json::array({rules["rules"][0], more})}});
  ann_->expect("event_rules", rules);
  bob_->expect("event_start", {{"name", "door"}});  // with the wall's right
  expect_refused(*bob_, "scene_show", {{"name", "vault"}});
  expect_refused(*ann_, "session_remove", {{"name", "vault"}});
  expect_refused(*ann_, "session_save", {{"name", "vault"}});
  expect_refused(*ann_, "session_put", {{"name", "vault"}, {"session", Json::object()}});
}

TEST_F(ObjectGateTest, ASceneOfTheWallIsReplacedByThoseWhoMayShowWhatItBrings) {
  const auto app = with("", Role::kApplication);
  open_stream(*app, sail::Rect{0, 0, 640, 360});
  const Json session = admin_->expect("session_get");
  reserve_left();
  const auto put = [&](const char* name) { return Json{{"name", name}, {"session", session}}; };
  bob_->expect("session_put", put("alarm"));  // Nobody shows it, and Bob cannot.
  const Json rule = {{"event", "door"}, {"scene", "alarm"}};
  ann_->expect("event_rules", {{"rules", Json::array({rule})}});
  expect_refused(*bob_, "session_put", put("alarm"));
  expect_refused(*bob_, "session_save", {{"name", "alarm"}});
  bob_->expect("session_put", put("other"));
  ann_->expect("session_put", put("alarm"));
  ann_->expect("session_save", {{"name", "alarm"}});
  const Json entry = {{"name", "night"},
                      {"zone", "UTC"},
                      {"start", "2100-01-01T20:00"},
                      {"duration_s", 60},
                      {"scene", "other"}};
  ann_->expect("schedule_add", {{"entries", Json::array({entry})}});
  expect_refused(*bob_, "session_put", put("other"));
}

TEST_F(ObjectGateTest, ASceneOfAScheduledVerbOrAnActiveEventIsOneOfTheWall) {
  const auto app = with("", Role::kApplication);
  open_stream(*app, sail::Rect{0, 0, 640, 360});
  const Json session = admin_->expect("session_get");
  reserve_left();
  const auto put = [&](const char* name) { return Json{{"name", name}, {"session", session}}; };
  for (const char* verb : {"scene_show", "session_restore"}) {
    bob_->expect("session_put", put(verb));
    const Json shows = {{"verb", verb}, {"params", {{"name", verb}}}};
    const Json entry = {{"name", verb},
                        {"zone", "UTC"},
                        {"start", "2100-01-01T20:00"},
                        {"do", Json::array({shows})}};
    ann_->expect("schedule_add", {{"entries", Json::array({entry})}});
    expect_refused(*bob_, "session_put", put(verb));
  }
  const Json rule = {{"event", "door"}, {"scene", "alarm"}};
  bob_->expect("session_put", put("alarm"));
  ann_->expect("event_rules", {{"rules", Json::array({rule})}});
  ann_->expect("event_start", {{"name", "door"}});
  ann_->expect("event_rules", {{"rules", Json::array()}});
  expect_refused(*bob_, "session_put", put("alarm"));
}

TEST_F(ObjectGateTest, ActionsOfEventRulesNeedTheRightToTheWholeWall) {
  const Json rules = {
      {"rules",
       Json::array({Json{{"event", "door"},
                         {"do", Json::array({Json{{"window", "Gate"}, {"solo", true}}})}}})}};
  reserve_left();
  expect_refused(*bob_, "event_rules", rules);
  ann_->expect("event_rules", rules);
  expect_refused(*bob_, "event_rules", {{"rules", Json::array()}});
}

TEST_F(ObjectGateTest, ScheduledVerbsNeedTheRightsOfTheClientThatAddsThem) {
  const auto app = with("", Role::kApplication);
  const uint32_t inside = open_stream(*app, sail::Rect{0, 0, 640, 360});
  const uint32_t outside = open_stream(*app, sail::Rect{2000, 0, 640, 360});
  reserve_left();
  const auto closing = [](uint32_t window) {
    const Json verb = {{"verb", "close"}, {"params", {{"window", window}}}};
    return Json{{"entries", Json::array({Json{{"name", "night"},
                                              {"zone", "UTC"},
                                              {"start", "2100-01-01T20:00"},
                                              {"do", Json::array({verb})}}})}};
  };
  expect_refused(*bob_, "schedule_add", closing(inside));
  bob_->expect("schedule_add", closing(outside));
  ann_->expect("schedule_add", closing(inside));
}

TEST_F(ObjectGateTest, EntriesOfTheScheduleAreDroppedOnlyByThoseWhoMayShowTheirScenes) {
  for (const char* name : {"vault", "free"}) admin_->expect("session_save", {{"name", name}});
  admin_->expect(
      "rights_set",
      {{"rules",
        Json::array({Json{{"scene", "va*"}, {"who", {"operator/ann"}}, {"may", {"show"}}}})}});
  const auto entry = [](const char* name, const char* scene) {
    return Json{{"entries", Json::array({Json{{"name", name},
                                              {"zone", "UTC"},
                                              {"start", "2100-01-01T20:00"},
                                              {"duration_s", 60},
                                              {"scene", scene}}})}};
  };
  ann_->expect("schedule_add", entry("night", "vault"));
  expect_refused(*bob_, "schedule_add", entry("night", "free"));
  expect_refused(*bob_, "schedule_remove", {{"name", "night"}});
  bob_->expect("schedule_add", entry("day", "free"));
  bob_->expect("schedule_remove", {{"name", "day"}});
  ann_->expect("schedule_remove", {{"name", "night"}});
}

TEST_F(ObjectGateTest, LocksAreForTheirOwnerAndSurviveARestart) {
  admin_->expect("session_save", {{"name", "vault"}});
  admin_->expect("partition", {{"action", "set"}, {"name", "left"}, {"rect", {0, 0, 1920, 1080}}});
  ann_->expect("rights_lock", {{"scene", "vault"}});
  ann_->expect("rights_lock", {{"partition", "left"}});
  expect_refused(*bob_, "rights_lock", {{"scene", "vault"}}, ErrorCode::kConflict);
  expect_refused(*bob_, "rights_lock", {{"scene", "vault"}, {"on", false}});
  fs_manager.reset();
  start();
  admin_ = with("");
  ann_ = with("operator/ann");
  bob_ = with("operator/bob");
  for (ScriptedPeer* other : {bob_.get(), admin_.get()}) {
    expect_refused(*other, "session_remove", {{"name", "vault"}}, ErrorCode::kConflict);
    expect_refused(*other, "session_save", {{"name", "vault"}}, ErrorCode::kConflict);
  }
  EXPECT_EQ(ann_->expect("rights")["locks"].size(), 2U);
  ann_->expect("session_save", {{"name", "vault"}});
  admin_->expect("rights_lock", {{"scene", "vault"}, {"on", false}});
  bob_->expect("session_remove", {{"name", "vault"}});
}

TEST_F(ObjectGateTest, ADamagedFileClosesTheWallToAllButAdmins) {
  EXPECT_FALSE(admin_->expect("rights").contains("damage"));
  fs_manager.reset();
  folder_.write("rights.json", "{");
  start();
  admin_ = with("");
  bob_ = with("operator/bob");
  EXPECT_THAT(admin_->expect("rights")["damage"], testing::HasSubstr("rights.json is damaged"));
  expect_refused(*bob_, "arrange", Json::object());
  admin_->expect("arrange");
  admin_->expect("rights_set", {{"rules", Json::array()}});
  EXPECT_FALSE(admin_->expect("rights").contains("damage"));
  bob_->expect("arrange");
}

// A verb for people that changes something must have a row in the table, or be known here.
TEST_F(ObjectGateTest, TheTableHasEveryVerbThatIsAboutAnObject) {
  const std::set<std::string> about_none = {"calibrate",       "event_acknowledge",
                                            "event_clear",     "event_start",
                                            "identify",        "invite",
                                            "layout_remove",   "layout_save",
                                            "memory",          "overlay",
                                            "playlist_delete", "playlist_move",
                                            "playlist_remove", "pointer",
                                            "power",           "power_status",
                                            "trace",           "trace_read",
                                            "webhooks"};
  for (const sail::RpcVerb& verb : fs_manager->peers().service().verbs()) {
    if (!verb.ui || *verb.ui == sail::Right::kViewer || *verb.ui == sail::Right::kAdmin) continue;
    EXPECT_NE(ObjectGate::knows(verb.name), about_none.contains(verb.name)) << verb.name;
  }
}

}  // namespace
}  // namespace manager
