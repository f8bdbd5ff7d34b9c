// State files: permissions, secrets, and behaviour with a full disk.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "manager/media/player_purpose.h"
#include "manager/sessions/autosave.h"
#include "sail/core/base/secret.h"
#include "tests/support/file_size_limit.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/manager/peers/manager_test.h"

namespace manager {
namespace {

using sail::Json;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::UnorderedElementsAre;

constexpr const char* kCamera = "rtsp://ann:secret@camera/1";
constexpr const char* kShown = "rtsp://ann:…@camera/1";

class SavingTest : public ManagerTest {
 protected:
  SavingTest() {
    options.player_program = FAKE_PROGRAM;
    options.state_folder = folder.file("state");
  }
  std::filesystem::path file(const char* name) const { return options.state_folder / name; }
  std::string text(const char* name) const {
    std::ifstream in(file(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static mode_t mode(const std::filesystem::path& path) {
    struct stat facts {};
    EXPECT_EQ(stat(path.c_str(), &facts), 0) << path;
    return facts.st_mode & 0777U;
  }
  // As bplay describes its content.
  static Json camera_window() {
    Json params = stream_params(kCamera);
    params["content"] = {{"media", {kCamera}}, {"program", "bplay"}};
    return params;
  }

  // A player that an earlier manager started.
  static std::string program_key() { return "application/" + sail::random_word().substr(0, 16); }
  std::unique_ptr<ScriptedPeer> former_player(const std::string& key = program_key()) {
    auto player = connect();
    EXPECT_TRUE(player->hello(sail::Role::kApplication, "bplay", 0, {key, ""}));
    return player;
  }
  static Json purpose_params(const char* medium, const PlayerPurpose& purpose) {
    Json params = stream_params(medium);
    params["content"] = {{"media", {medium}}, {"program", "bplay"}};
    params["purpose"] = purpose_text(purpose);
    return params;
  }
  static Json resume_params(bool shown) {
    sail::Routes routes{.stream = 9, .epoch = 1, .wall_rect = {0, 0, 100, 100}, .routes = {}};
    if (shown) {
      routes.routes.push_back(
          {.receiver = "left", .host = "127.0.0.1", .port = 9, .blocks = {{0, 0, 1, 1}}});
    }
    return to_json(sail::Resume{.window = 9, .secret = 1, .routes = routes});
  }

  const sail::TempFolder folder;
};

TEST_F(SavingTest, FilesAreForTheManagersUserOnly) {
  std::filesystem::create_directories(options.state_folder);
  std::filesystem::permissions(options.state_folder, std::filesystem::perms::all);
  start();
  EXPECT_EQ(mode(options.state_folder), 0700U);
  auto console = ui();
  console->expect("source_save", {{"url", kCamera}});
  console->expect("session_save", {{"name", "a"}});
  console->expect("layout_save", {{"name", "a"}});
  for (const char* name : {"urls.json", "sessions/a.json", "layouts/a.json"}) {
    EXPECT_EQ(mode(file(name)), 0600U) << name;
  }
  EXPECT_EQ(mode(file("sessions")), 0700U);
}

TEST_F(SavingTest, PasswordsOfCamerasAreToldToNobody) {
  start();
  auto console = ui();
  console->expect("subscribe");
  auto app = application();
  const Json saved = console->expect("source_save", {{"url", kCamera}});
  app->expect("open_stream", camera_window());
  console->expect("session_save", {{"name", "a"}});
  std::string reported = saved.dump() + console->next("changed").dump();
  for (const char* verb : {"list", "sources", "stats", "history", "sessions"}) {
    reported += console->expect(verb).dump();
  }
  reported += console->expect("session_get", {{"name", "a"}}).dump();
  EXPECT_THAT(reported, Not(HasSubstr("secret")));
  EXPECT_THAT(reported, HasSubstr(kShown));
  EXPECT_EQ(console->expect("list")["windows"][0]["media"], Json::array({kShown}));
  EXPECT_THAT(text("urls.json"), HasSubstr(kCamera));
  EXPECT_THAT(text("sessions/a.json"), HasSubstr(kCamera));
}

TEST_F(SavingTest, PasswordsOfFallbacksAndSubtitlesAreToldToNobody) {
  start();
  auto console = ui();
  console->expect("play", {{"media", {kCamera}}, {"fallback", kCamera}, {"subtitles", kCamera}});
  console->expect("session_save", {{"name", "a"}});
  const Json now = console->expect("session_get");
  for (const char* address : {"fallback", "subtitles"}) {
    EXPECT_EQ(now["windows"][0]["content"][address], kShown) << address;
  }
  const std::string reported = now.dump() + console->expect("session_get", {{"name", "a"}}).dump() +
                               console->expect("scene_preview", {{"name", "a"}}).dump();
  EXPECT_THAT(reported, Not(HasSubstr("secret")));
}

TEST_F(SavingTest, TheWallAsItIsNeedsNoName) {
  start();
  auto console = ui();
  EXPECT_TRUE(console->expect("session_get")["windows"].empty());
  auto app = application();
  app->expect("open_stream", camera_window());
  const Json now = console->expect("session_get");
  ASSERT_EQ(now["windows"].size(), 1U);
  EXPECT_FALSE(now.contains("name"));
  EXPECT_EQ(now["windows"][0]["content"]["media"], Json::array({kShown}));
  EXPECT_FALSE(now["windows"][0].contains("mark"));
}

// As of another wall: a file with a mark, a picture and a history that this wall must not use.
TEST_F(SavingTest, ASessionOfAnotherWallIsKeptWithoutWhatOnlyThatWallMayUse) {
  start();
  auto console = ui();
  auto app = application();
  app->expect("open_stream", camera_window());
  Json session = console->expect("session_get");
  session["windows"][0]["mark"] = "application/0123456789abcdef";
  session["windows"][0]["thumbnail"] = {{"size", {1, 1}}, {"jpeg", "here"}};
  session["windows"][0]["content"]["opener"] = "admin/1";
  session["ended"] = true;
  session["history"] = Json::object();
  console->expect("session_put", {{"name", "guest"}, {"session", session}});
  const Json kept = Json::parse(text("sessions/guest.json"));
  EXPECT_EQ(kept["wall_size"], session["wall_size"]);
  ASSERT_EQ(kept["windows"].size(), 1U);
  EXPECT_EQ(kept["windows"][0]["rect"], session["windows"][0]["rect"]);
  EXPECT_FALSE(kept["windows"][0]["content"].contains("opener")) << "that of the wall's own key";
  for (const char* dropped : {"mark", "thumbnail"}) {
    EXPECT_FALSE(kept["windows"][0].contains(dropped)) << dropped;
  }
  for (const char* dropped : {"ended", "history"}) EXPECT_FALSE(kept.contains(dropped)) << dropped;
  session["windows"][0].erase("rect");
  const auto refused = console->call("session_put", {{"name", "guest"}, {"session", session}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, sail::ErrorCode::kInvalidParams);
  EXPECT_EQ(Json::parse(text("sessions/guest.json")), kept);
}

TEST_F(SavingTest, ASessionOfAnotherWallCannotReplaceWhatTheNextManagerRestores) {
  start();
  auto console = ui();
  const Json session = console->expect("session_get");
  const auto refused = console->call("session_put", {{"name", "autosave"}, {"session", session}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, sail::ErrorCode::kInvalidParams);
}

// The fake player uses its media as window title.
TEST_F(SavingTest, SourcesAndSessionsPlayWithThePassword) {
  start();
  auto console = ui();
  const Json saved = console->expect("source_save", {{"url", kCamera}, {"title", "Door"}});
  EXPECT_EQ(saved["source"], std::string("url/") + kShown);
  console->expect("play", {{"source", saved["source"]}});
  const auto content = [&] { return fs_manager->desk().windows().bottom_to_top().front().content; };
  ASSERT_TRUE(content());
  EXPECT_THAT(content()->media, testing::ElementsAre(kCamera));
  console->expect("session_save", {{"name", "a"}});
  console->expect("session_restore", {{"name", "a"}});
  ASSERT_TRUE(content());
  EXPECT_THAT(content()->media, testing::ElementsAre(kCamera));
  fs_manager->shut_down();
  wait([&] { return ended; });
  ended = false;

  start();  // loads the saved URL
  console = ui();
  EXPECT_EQ(console->expect("sources", {{"kind", "url"}})["sources"][0]["source"], saved["source"]);
  // A new password updates the same source.
  console->expect("source_save", {{"url", "rtsp://ann:changed@camera/1"}});
  EXPECT_EQ(console->expect("sources", {{"kind", "url"}})["total"], 1);
  EXPECT_THAT(text("urls.json"), HasSubstr("changed"));
}

TEST_F(SavingTest, ADiskThatIsFullIsToldOnceAndTheOldSessionStands) {
  start();
  auto console = ui();
  console->expect("subscribe");
  auto app = application();
  open_stream(*app, sail::Rect{0, 0, 160, 90});
  wait([&] { return std::filesystem::exists(file("sessions/autosave.json")); });
  const std::string before = text("sessions/autosave.json");
  {
    const test::FileSizeLimit full(100);
    console->expect("move", {{"window", 1}, {"x", 5}, {"y", 6}});
    EXPECT_THAT(console->next("notice")["message"].get<std::string>(), HasSubstr("autosave"));
    EXPECT_EQ(text("sessions/autosave.json"), before);
    EXPECT_FALSE(console->call("session_save", {{"name", "a"}}));
    const auto left = std::filesystem::directory_iterator(file("sessions"));
    EXPECT_EQ(std::distance(left, {}), 1) << "half a file stayed";
  }
  console->expect("move", {{"window", 1}, {"x", 7}, {"y", 8}});
  EXPECT_THAT(console->next("notice")["message"].get<std::string>(), HasSubstr("again"));
  EXPECT_NE(text("sessions/autosave.json"), before);
}

// libsail reconnects automatically. A stopped player reconnects when it continues.
class ClosedUnansweredTest : public SavingTest {
 protected:
  void open_window() {
    app = application();
    const Json opened = app->expect("open_stream", stream_params());
    resume = {
        .window = opened["window"],
        .secret = std::stoull(opened["secret"].get<std::string>(), nullptr, 16),
        .routes = {
            .stream = opened["stream"], .epoch = 1, .wall_rect = {0, 0, 640, 360}, .routes = {}}};
  }
  // Asks to close the window, lets its application go, and returns the answer.
  Json close(const std::function<void()>& go) {
    const auto console = ui();
    const auto closed = console->ask("close", {{"window", resume.window}});
    app->next("event");
    go();
    wait([&] { return closed->has_value(); });
    return ***closed;
  }
  // The manager gets no answer to its next ping in time.
  void fall_silent() {
    const uint64_t owner = fs_manager->desk().windows().find(resume.window)->owner;
    fs_manager->peers().service().peers().at(owner)->rpc().keep_alive(1, 0);
  }
  void resume_is_refused() {
    app = application();
    sail::OpenStream open = *sail::message_from_json<sail::OpenStream>(stream_params());
    open.resume = resume;
    const auto resumed = app->call("open_stream", to_json(open));
    ASSERT_FALSE(resumed);
    EXPECT_EQ(resumed.error().code, sail::ErrorCode::kNotFound);
    EXPECT_TRUE(fs_manager->desk().windows().bottom_to_top().empty());
  }

  std::unique_ptr<ScriptedPeer> app;
  sail::Resume resume;
};

TEST_F(ClosedUnansweredTest, ASilentApplicationIsClosedByForce) {
  start();
  open_window();
  EXPECT_EQ(close([this] { fall_silent(); })["forced"], true);
  resume_is_refused();
}

TEST_F(ClosedUnansweredTest, ASilentApplicationThatReturnsFindsItsWindowWhereItWas) {
  start();
  open_window();
  ui()->expect("move", {{"window", resume.window}, {"x", 5}, {"y", 6}});
  // Without a receiver the manager waits however long the test takes.
  receiver("left").reset();
  wait([&] { return !fs_manager->peers().receivers().find("left")->connected(); });
  const uint64_t owner = fs_manager->desk().windows().find(resume.window)->owner;
  fall_silent();
  wait([&] { return !fs_manager->peers().service().peers().contains(owner); });
  app = application();
  sail::OpenStream open = *sail::message_from_json<sail::OpenStream>(stream_params());
  open.resume = resume;
  ASSERT_TRUE(app->call("open_stream", to_json(open)));
  const Json windows = ui()->expect("list")["windows"];
  ASSERT_EQ(windows.size(), 1U);
  EXPECT_EQ(windows[0]["rect"][0], 5);
  EXPECT_EQ(windows[0]["rect"][1], 6);
}

TEST_F(ClosedUnansweredTest, AnApplicationThatLeftDoesNotBringItsWindowBack) {
  start();
  open_window();
  EXPECT_EQ(close([this] { app.reset(); })["forced"], false);
  resume_is_refused();
}

TEST_F(ClosedUnansweredTest, TheNextManagerRefusesItAsWell) {
  start();
  open_window();
  close([this] { fall_silent(); });
  wait([&] { return text("sessions/autosave.json").find("refused") != std::string::npos; });
  EXPECT_EQ(mode(file("sessions/autosave.json")), 0600U);
  EXPECT_THAT(ui()->expect("session_get", {{"name", "autosave"}}).dump(),
              Not(HasSubstr("refused")));
  fs_manager.reset();

  options.restore = "autosave";
  start();
  resume_is_refused();
}

TEST_F(ClosedUnansweredTest, WhatPeopleConcealStaysConcealedUnderTheNextManager) {
  start();
  open_window();
  const Json area{0, 0, 20, 10};
  ui()->expect("freeze", {{"mute", true}});
  ui()->expect("blank", {{"windows", {resume.window}}, {"text", "soon"}});
  ui()->expect("blank", {{"areas", Json::array({area})}, {"text", "here"}});
  wait([&] { return text("sessions/autosave.json").find("here") != std::string::npos; });
  fs_manager.reset();

  options.restore = "autosave";
  start();
  app = application();
  sail::OpenStream open = *sail::message_from_json<sail::OpenStream>(stream_params());
  open.resume = resume;
  app->expect("open_stream", to_json(open));
  const Json state = ui()->expect("list");
  EXPECT_EQ(state["windows"][0]["frozen"]["mute"], true);
  EXPECT_EQ(state["windows"][0]["blank"]["text"], "soon");
  EXPECT_EQ(state["blank_areas"][0]["rect"], area);
  EXPECT_EQ(state["blank_areas"][0]["text"], "here");
}

// A program partitioned from the active manager that continued under the former one.
TEST_F(SavingTest, AProgramThatComesWhenAnotherShowsItsWindowIsTurnedAway) {
  start();
  auto app = welcome(sail::Role::kApplication, "bplay");
  app->expect("open_stream", stream_params("/films/a.mp4"));
  ui()->expect("session_save", {{"name", "old"}});
  fs_manager.reset();
  const std::filesystem::path session = file("sessions/old.json");
  std::ifstream in(session);
  Json document = Json::parse(in);
  document["windows"][0]["content"] = {{"media", {"/films/a.mp4"}}, {"program", "bplay"}};
  std::ofstream(session) << document;

  options.restore = "old";
  options.times.return_ms = 1;
  start();
  wait([&] { return fs_manager->desk().windows().bottom_to_top().size() == 1; });
  sail::OpenStream open = *sail::message_from_json<sail::OpenStream>(stream_params("/films/a.mp4"));
  const sail::Routes routes{.stream = 9, .epoch = 1, .wall_rect = {0, 0, 100, 100}, .routes = {}};
  open.resume = sail::Resume{.window = 9, .secret = 1, .routes = routes};
  app = welcome(sail::Role::kApplication, "bplay");
  const auto late = app->call("open_stream", to_json(open));
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, sail::ErrorCode::kConflict);
  app->expect("open_stream", to_json(open));
  EXPECT_EQ(ui()->expect("list")["total"], 2) << "once for each";
}

// The manager that died had just started the player for the window, and not saved the mark.
TEST_F(SavingTest, ASecondPlayerOfAFilmIsTurnedAway) {
  start();
  auto app = welcome(sail::Role::kApplication, "bplay");
  app->expect("open_stream", purpose_params("/films/a.mp4", {}));
  ui()->expect("session_save", {{"name", "old"}});
  fs_manager.reset();

  options.restore = "old";
  options.times.return_ms = 1;
  start();
  wait([&] { return fs_manager->desk().windows().bottom_to_top().size() == 1; });
  Json params = purpose_params("/films/a.mp4", {});
  const auto second = former_player()->call("open_stream", params);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, sail::ErrorCode::kConflict);
  params["resume"] = resume_params(true);
  EXPECT_FALSE(former_player()->call("open_stream", params)) << "a third one";
  const auto other = former_player();
  other->expect("open_stream", purpose_params("/films/b.mp4", {}));
  EXPECT_EQ(ui()->expect("list")["total"], 2);
}

TEST_F(SavingTest, AWindowThatWaitedForItsTurnStaysAway) {
  start();
  std::unique_ptr<ScriptedPeer> player;
  const auto open = [&](bool shown) {
    player = former_player();
    Json params = purpose_params("/films/a.mp4", {.prepared = true});
    params["resume"] = resume_params(shown);
    return player->call("open_stream", params);
  };
  const auto hidden = open(false);
  ASSERT_FALSE(hidden);
  EXPECT_EQ(hidden.error().code, sail::ErrorCode::kNotFound);
  EXPECT_TRUE(open(true)) << "it had its turn";
  wait([&] { return text("sessions/autosave.json").find("/films/a.mp4") != std::string::npos; });
  fs_manager.reset();

  options.restore = "autosave";
  start();
  EXPECT_FALSE(open(true)) << "the session says which had their turn";
}

TEST_F(SavingTest, AWindowThatReturnedMayReturnAgain) {
  start();
  const std::string key = program_key();
  Json params = purpose_params("/films/a.mp4", {.prepared = true});
  params["resume"] = resume_params(true);
  auto player = former_player(key);
  player->expect("open_stream", params);
  wait([&] { return text("sessions/autosave.json").find("/films/a.mp4") != std::string::npos; });
  fs_manager.reset();

  options.restore = "autosave";
  start();
  player = former_player(key);
  player->expect("open_stream", params);
  player.reset();
  wait([&] { return fs_manager->desk().windows().bottom_to_top().empty(); });
  player = former_player(key);
  player->expect("open_stream", params);
  EXPECT_NE(fs_manager->desk().windows().find(9), nullptr) << "with its number";
}

TEST_F(SavingTest, OfTwoPlayersOfAFilmTheOneThatReturnedMayReturnAgain) {
  start();
  const std::string key = program_key();
  const Json params = purpose_params("/films/a.mp4", {});
  auto player = former_player(key);
  player->expect("open_stream", params);
  const auto silent = former_player();
  silent->expect("open_stream", params);
  ui()->expect("session_save", {{"name", "old"}});
  fs_manager.reset();

  options.restore = "old";
  options.times.return_ms = 1000;
  start();
  player = former_player(key);
  player->expect("open_stream", params);
  wait([&] { return fs_manager->desk().windows().bottom_to_top().size() == 2; });
  player.reset();
  wait([&] { return fs_manager->desk().windows().bottom_to_top().size() == 1; });
  EXPECT_FALSE(former_player()->call("open_stream", params)) << "a restarted player has its window";
  player = former_player(key);
  player->expect("open_stream", params);
}

TEST_F(SavingTest, AWallpaperThatWasNotSavedComesBackAsOne) {
  start();
  const PlayerPurpose wallpaper{.decoration = Decoration(), .place = sail::Rect{0, 0, 3840, 1080}};
  const auto player = former_player();
  player->expect("open_stream", purpose_params("/one.png", wallpaper));
  const Json window = ui()->expect("list")["windows"][0];
  EXPECT_EQ(window["decoration"]["kind"], "wallpaper");
  EXPECT_EQ(window["rect"], sail::rect_json(*wallpaper.place));
  EXPECT_EQ(window["muted"], true);
  const auto newer = former_player();
  newer->expect("open_stream", purpose_params("/two.png", wallpaper));
  EXPECT_TRUE(fs_manager->desk().closes(1)) << "there is room for one";
  EXPECT_FALSE(fs_manager->desk().closes(2));
  // Anybody could say that.
  const auto stranger = application();
  stranger->expect("open_stream", purpose_params("/three.png", wallpaper));
  EXPECT_FALSE(fs_manager->desk().windows().find(3)->decorates());
}

TEST_F(SavingTest, ALateWallpaperClosesNoNewerOne) {
  start();
  const uint32_t own = ui()->expect("wallpaper", {{"source", "test:"}})["window"];
  const PlayerPurpose wallpaper{.decoration = Decoration(), .place = sail::Rect{0, 0, 3840, 1080}};
  Json params = purpose_params("/one.png", wallpaper);
  params["resume"] = resume_params(true);
  const auto late = former_player();
  EXPECT_EQ(late->expect("open_stream", params)["window"], 9);
  EXPECT_TRUE(fs_manager->desk().closes(9));
  EXPECT_FALSE(fs_manager->desk().closes(own)) << "although its number is less";
}

// The former player came back, but the older session has another mark for it.
TEST_F(SavingTest, WhatCameBackIsNotStartedOnceMore) {
  start();
  auto app = application();
  app->expect("open_stream", camera_window());
  ui()->expect("session_save", {{"name", "old"}});
  fs_manager.reset();
  const std::filesystem::path session = file("sessions/old.json");
  std::ifstream in(session);
  Json document = Json::parse(in);
  document["windows"][0]["mark"] = std::string(32, 'f');
  std::ofstream(session) << document;
  std::filesystem::remove(file("sessions/autosave.json"));

  options.restore = "old";
  options.times.return_ms = 300;
  start();
  app = connect();
  ASSERT_TRUE(
      app->hello(sail::Role::kApplication, "bplay", 0, {"application/" + sail::random_word(), ""}));
  app->expect("open_stream", camera_window());
  // The expected window 1 is saved as long as the manager waits for it.
  wait([&] {
    const Json saved = Json::parse(text("sessions/autosave.json"), nullptr, false);
    return saved.is_object() && saved["windows"].size() == 1 && saved["windows"][0]["number"] == 2;
  });
  EXPECT_EQ(ui()->expect("list")["total"], 1);
}

TEST_F(SavingTest, WhatPeopleDoWhileWindowsAreExpectedIsSaved) {
  start();
  auto app = application();
  app->expect("open_stream", stream_params("expected"));
  ui()->expect("session_save", {{"name", "old"}});
  fs_manager.reset();
  std::filesystem::remove(file("sessions/autosave.json"));

  options.restore = "old";
  start();
  app = application();
  app->expect("open_stream", stream_params("new"));
  const auto console = ui();
  console->expect("move", {{"window", 2}, {"x", 5}, {"y", 6}});
  console->expect("undo");
  Json saved;
  wait([&] {
    saved = Json::parse(text("sessions/autosave.json"), nullptr, false);
    return saved.is_object() && saved["history"]["entries"].size() == 1 &&
           saved["history"]["done"] == 0;
  });
  ASSERT_EQ(saved["windows"].size(), 2U);
  EXPECT_EQ(saved["windows"][0]["title"], "expected") << "it was the lowest";
}

TEST_F(SavingTest, ASessionOfAnOlderVersionKeepsTheGroupThatAnApplicationChose) {
  start();
  auto app = application();
  Json params = stream_params("film");
  params["group"] = "panels";
  params["fps"] = 25;
  app->expect("open_stream", params);
  ui()->expect("session_save", {{"name", "old"}});
  fs_manager.reset();
  Json document = Json::parse(text("sessions/old.json"));
  ASSERT_EQ(document["windows"][0].value("group", ""), "panels");
  document["windows"][0].erase("group");
  std::ofstream(file("sessions/old.json")) << document;

  options.restore = "old";
  start();
  app = application();
  app->expect("open_stream", params);
  const auto& windows = fs_manager->desk().windows().bottom_to_top();
  ASSERT_EQ(windows.size(), 1U);
  EXPECT_EQ(windows[0].group, "panels");
}

// Its media are not mounted, for example.
TEST_F(SavingTest, ASessionOfWhichNothingComesBackIsNotWrittenOver) {
  start();
  auto app = application();
  Json params = stream_params("fail");
  params["content"] = {{"media", {"/films/fail.mp4"}}, {"program", "bplay"}};
  app->expect("open_stream", params);
  const auto saved_title = [&] {
    const Json saved = Json::parse(text("sessions/autosave.json"), nullptr, false);
    return saved.is_object() && saved["windows"].size() == 1
               ? saved["windows"][0]["title"].get<std::string>()
               : "";
  };
  wait([&] { return saved_title() == "fail"; });
  fs_manager.reset();
  app.reset();

  options.restore = "autosave";
  options.times.return_ms = 10;
  start();
  bool waited = false;
  sail::Timer timer(loop);
  timer.start(4 * Autosave::kPauseMs, 0, [&] { waited = true; });
  wait([&] { return waited; });
  EXPECT_EQ(ui()->expect("list")["total"], 0);
  EXPECT_EQ(saved_title(), "fail");
  app = application();
  app->expect("open_stream", stream_params("another"));
  wait([&] { return saved_title() == "another"; });
}

TEST_F(SavingTest, WhatIsDamagedIsSetAsideAndTheWallComesUp) {
  const auto write = [&](const char* name, const std::string& content) {
    std::filesystem::create_directories(file(name).parent_path());
    std::ofstream(file(name)) << content;
  };
  write("urls.json", "[{");
  write("sessions/autosave.json", "");
  write("sessions/mine.json", R"({"vitrail": "session", "version": 99})");
  options.restore = "autosave";
  options.term_damage = "term.json is damaged";
  start();
  EXPECT_EQ(text("urls.json.damaged"), "[{");
  auto console = ui();
  const auto damaged = [&console] {
    std::vector<std::string> sentences;
    const Json why = console->expect("why");
    for (const Json& problem : why["problems"]) {
      if (problem["cause"] == "damaged")
        sentences.push_back(problem["sentence"].get<std::string>());
    }
    return sentences;
  };
  EXPECT_THAT(damaged(),
              UnorderedElementsAre(HasSubstr("urls.json.damaged"), "term.json is damaged",
                                   HasSubstr("session rm autosave"), HasSubstr("session rm mine")));
  console->expect("source_save", {{"url", kCamera}});
  EXPECT_THAT(text("urls.json"), HasSubstr(kCamera));
  EXPECT_TRUE(std::filesystem::exists(file("sessions/mine.json")));
  console->expect("session_save", {{"name", "mine"}});
  EXPECT_THAT(text("sessions/mine.json.newer"), HasSubstr("99"));
  const auto app = application();
  open_stream(*app);
  wait([&] { return std::filesystem::exists(file("sessions/autosave.json.damaged")); });
  EXPECT_EQ(text("sessions/autosave.json.damaged"), "");
  EXPECT_THAT(damaged(), Contains(HasSubstr("autosave.json.damaged"))) << "it is still lost";
  console->expect("session_remove", {{"name", "mine"}});
  EXPECT_THAT(damaged(), Not(Contains(HasSubstr("mine")))) << "it is given up";
  wait([&] { return !text("sessions/autosave.json").empty(); });
}

TEST_F(SavingTest, WhatCannotBeReadIsNotWrittenOver) {
  std::filesystem::create_directories(file("urls.json") / "inside");
  start();
  EXPECT_TRUE(std::filesystem::exists(file("urls.json.damaged") / "inside"));
  ui()->expect("source_save", {{"url", kCamera}});
  EXPECT_THAT(text("urls.json"), HasSubstr(kCamera));
}

// The manager was killed and its player continued; the player reports fewer parameters than were
// requested.
TEST_F(SavingTest, WhatComesBackByItselfIsKeptAsItWasAskedFor) {
  start();
  auto console = ui();
  console->expect("play", {{"media", {"/a.mp4"}},
                           {"group", "h"},
                           {"transport", "udp"},
                           {"delay_ms", 120},
                           {"volume", 0.5}});
  console->expect("session_save", {{"name", "before"}});
  const Json before = Json::parse(text("sessions/before.json"))["windows"][0];
  fs_manager.reset();

  options.restore = "before";
  start();
  const auto app = connect();
  ASSERT_TRUE(app->hello(sail::Role::kApplication, "fake player", 0,
                         {"application/" + before["mark"].get<std::string>(), ""}));
  Json params = stream_params("/a.mp4");
  params["content"] = {{"media", {"/a.mp4"}}, {"program", "bplay"}};
  app->expect("open_stream", params);
  console = ui();
  console->expect("session_save", {{"name", "after"}});
  EXPECT_EQ(Json::parse(text("sessions/after.json"))["windows"][0]["content"], before["content"]);
}

}  // namespace
}  // namespace manager
