// Every verb with every right, and by roles that are not users.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "manager/media/play_request.h"
#include "manager/peers/peers.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/manager/peers/manager_test.h"

namespace manager {
namespace {

using sail::ErrorCode;
using sail::Json;
using sail::Right;
using sail::Role;
using testing::HasSubstr;

class RightsTest : public ManagerTest {
 protected:
  RightsTest() {
    options.key = {"", "open sesame, please"};
    options.player_program = FAKE_PROGRAM;
    options.media = {folder_.path().string()};
  }
  std::unique_ptr<ScriptedPeer> with(const std::string& key_name, Role role = Role::kUi) {
    auto peer = connect();
    const auto welcome =
        peer->hello(role, role == Role::kReceiver ? "left" : "somebody",
                    role == Role::kReceiver ? 5001 : 0, key_named(options.key, key_name));
    EXPECT_TRUE(welcome) << key_name;
    return peer;
  }
  // All except "shutdown".
  std::vector<const sail::RpcVerb*> verbs() const {
    std::vector<const sail::RpcVerb*> all;
    for (const sail::RpcVerb& verb : fs_manager->peers().service().verbs()) {
      if (std::string_view(verb.name) != "shutdown") all.push_back(&verb);
    }
    return all;
  }
  static ErrorCode refusal(ScriptedPeer& peer, const char* verb) {
    const auto answer = peer.call(verb, {{"no such field", 1}});
    return answer ? ErrorCode::kInternal : answer.error().code;
  }

  const sail::TempFolder folder_;
};

TEST_F(RightsTest, EachVerbIsForItsRightAndThoseAbove) {
  start();
  const std::map<std::string, Right> users = {{"viewer", Right::kViewer},
                                              {"application/1", Right::kProgram},
                                              {"presenter/ann", Right::kPresenter},
                                              {"operator", Right::kOperator},
                                              {"", Right::kAdmin},
                                              {"admin/1", Right::kAdmin}};
  for (const auto& [key_name, right] : users) {
    const auto peer = with(key_name);
    for (const sail::RpcVerb* verb : verbs()) {
      const ErrorCode code = refusal(*peer, verb->name);
      if (!verb->ui) {
        EXPECT_EQ(code, ErrorCode::kInvalidRequest) << verb->name << " by " << key_name;
      } else {
        EXPECT_EQ(code == ErrorCode::kUnauthorized, !includes(right, *verb->ui))
            << verb->name << " by " << key_name;
        EXPECT_NE(code, ErrorCode::kInvalidRequest) << verb->name << " by " << key_name;
      }
    }
  }
  EXPECT_EQ(refusal(*with("operator"), "shutdown"), ErrorCode::kUnauthorized);
}

TEST_F(RightsTest, OnePersonHasFourRecorders) {
  start();
  std::vector<std::unique_ptr<ScriptedPeer>> recorders;
  const auto record = [&](const std::string& key_name) {
    recorders.push_back(connect());
    const auto key = key_named(options.key, key_name);
    EXPECT_TRUE(recorders.back()->hello(Role::kRecorder, "camera", 5001, key)) << key_name;
    return recorders.back()->call("record", {{"secret", "00000000000000aa"}});
  };
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(record("presenter/ann")) << i;
  const auto refused = record("presenter/ann");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kLimit);
  EXPECT_THAT(refused.error().message, HasSubstr("already record the wall 4 times"));
  EXPECT_TRUE(record("presenter/bob"));
  const auto& peers = fs_manager->peers().service().peers();
  const size_t before = peers.size();
  recorders.erase(recorders.begin());
  wait([&] { return peers.size() < before; });
  EXPECT_TRUE(record("presenter/ann"));
}

TEST_F(RightsTest, ProgramsAndReceiversHaveTheVerbsOfTheirRole) {
  start();
  const auto program = with("application/1", Role::kApplication);
  const auto left = with("receiver", Role::kReceiver);
  for (const sail::RpcVerb* verb : verbs()) {
    EXPECT_EQ(refusal(*program, verb->name) == ErrorCode::kInvalidRequest, !verb->application)
        << verb->name;
    EXPECT_EQ(refusal(*left, verb->name) == ErrorCode::kInvalidRequest, !verb->receiver)
        << verb->name;
  }
}

TEST_F(RightsTest, AKeyLetsInAsWhatItIsForOnly) {
  start();
  const std::map<std::string, std::vector<Role>> lets_in = {
      {"viewer", {Role::kUi}},
      {"presenter/ann", {Role::kUi, Role::kApplication}},
      {"operator", {Role::kUi, Role::kApplication}},
      {"application", {Role::kUi, Role::kApplication}},
      {"receiver", {Role::kReceiver}},
      {"metrics", {}},
      {"king", {}}};
  for (const auto& [key_name, roles] : lets_in) {
    for (const Role role : {Role::kUi, Role::kApplication, Role::kReceiver}) {
      const auto answer = connect()->hello(role, "left", role == Role::kReceiver ? 5001 : 0,
                                           key_named(options.key, key_name));
      EXPECT_EQ(answer.has_value(), std::ranges::count(roles, role) == 1)
          << key_name << " as " << role_name(role);
      if (!answer) {
        EXPECT_EQ(answer.error().code, ErrorCode::kUnauthorized);
      }
      wait([&] { return !fs_manager->peers().receivers().find("left")->connected(); });
    }
  }
}

TEST_F(RightsTest, OperatorsPlaySourcesOnly) {
  const std::string film = folder_.write("film.mp4", "film");
  const sail::TempFolder elsewhere;
  const std::string other = elsewhere.write("film.mp4", "film");
  start();
  const auto person = with("operator");
  person->expect("play", {{"media", Json::array({film})}});
  person->expect("play", {{"media", Json::array({"test:"})}});
  for (const Json& media :
       {Json::array({other}), Json::array({film, other}), Json::array({folder_.file("../x.mp4")}),
        Json::array({"http://127.0.0.1:1/a.mp4"}), Json::array({"server://127.0.0.1:1/x"})}) {
    const auto answer = person->call("play", {{"media", media}});
    ASSERT_FALSE(answer) << media;
    EXPECT_EQ(answer.error().code, ErrorCode::kUnauthorized) << media;
    EXPECT_THAT(answer.error().message, HasSubstr("'admin'"));
  }
  // Also for the fallback content.
  EXPECT_EQ(person->call("play", {{"media", {film}}, {"fallback", other}}).error().code,
            ErrorCode::kUnauthorized);
  person->expect("play", {{"media", {film}}, {"fallback", "card"}});
  EXPECT_EQ(person->call("play", {{"media", {film}}, {"subtitles", other}}).error().code,
            ErrorCode::kUnauthorized);
  person->expect("play", {{"media", {film}}, {"subtitles", "2"}});
  with("")->expect("play", {{"media", Json::array({other})}});
  fs_manager->shut_down();
  wait([&] { return ended; });
}

// `tour_list` and `why` show refusals to viewers.
TEST_F(RightsTest, RefusalsOfMediaHidePasswords) {
  start();
  const auto person = with("operator");
  for (const char* prefix : {"", "ticker:"}) {
    const std::string medium = prefix + std::string("http://ann:secret@127.0.0.1:1/feed");
    const auto answer = person->call("play", {{"media", {medium}}});
    ASSERT_FALSE(answer) << medium;
    EXPECT_EQ(answer.error().code, ErrorCode::kUnauthorized);
    EXPECT_THAT(answer.error().message, HasSubstr("http://ann:…@127.0.0.1:1/feed"));
  }
  fs_manager->shut_down();
  wait([&] { return ended; });
}

// An admin may play the playlist later, with the admin's rights.
TEST_F(RightsTest, OperatorsAddToPlaylistsOnlyWhatTheyMayPlay) {
  const std::string film = folder_.write("film.mp4", "film");
  const sail::TempFolder elsewhere;
  const std::string other = elsewhere.write("film.mp4", "film");
  start();
  const auto items = [](const std::vector<std::string>& media) {
    Json list = Json::array();
    for (const std::string& medium : media) list.push_back({{"source", medium}});
    return Json{{"name", "lobby"}, {"items", list}};
  };
  const auto admin = with("");
  const auto person = with("operator");
  for (const std::string& medium :
       {other, "ticker:" + other, std::string("http://127.0.0.1:1/a.mp4"),
        std::string("web:http://127.0.0.1/")}) {
    person->expect("playlist_save", items({film, "ticker:" + film}));
    for (const char* verb : {"playlist_save", "playlist_add"}) {
      const auto answer = person->call(verb, items({film, medium}));
      ASSERT_FALSE(answer) << verb << medium;
      EXPECT_EQ(answer.error().code, ErrorCode::kUnauthorized) << answer.error().message;
      EXPECT_EQ(person->expect("playlist_get", {{"name", "lobby"}})["items"].size(), 2U);
    }
    admin->expect("playlist_add", items({medium}));
    EXPECT_EQ(person->expect("playlist_add", items({film}))["items"].size(), 4U);
  }
  end();
}

// Each would let the manager's machine access its own network.
TEST_F(RightsTest, PagesAndDesktopsAreOpenedByAnAdminOnly) {
  options.web_program = FAKE_PROGRAM;
  options.vnc_program = FAKE_PROGRAM;
  start();
  const std::string page = "web:https://intranet.example/";
  const std::string desktop = "vnc://lab7:1";
  const auto admin = with("");
  const Json saved = admin->expect("source_save", {{"url", page}, {"title", "Intranet"}});
  for (const char* key_name : {"presenter/ann", "operator"}) {
    const auto person = with(key_name);
    for (const Json& params :
         {Json{{"media", {desktop}}}, Json{{"media", {page}}}, Json{{"source", "url/" + page}}}) {
      const auto answer = person->call("play", params);
      ASSERT_FALSE(answer) << key_name << " " << params;
      EXPECT_EQ(answer.error().code, ErrorCode::kUnauthorized);
      EXPECT_THAT(answer.error().message, HasSubstr("'admin'"));
    }
    EXPECT_FALSE(person->call("source_save", {{"url", desktop}}));
  }
  admin->expect("play", {{"media", {desktop}}});
  admin->expect("play", {{"source", "url/" + page}});
  const auto together = admin->call("play", {{"media", {page, "/a.mp4"}}});
  ASSERT_FALSE(together);
  EXPECT_EQ(together.error().code, ErrorCode::kInvalidParams);
  fs_manager->shut_down();
  wait([&] { return ended; });
}

TEST_F(RightsTest, WhatProgramsTellOfPagesAndDesktopsIsAnAdminsWord) {
  options.web_program = FAKE_PROGRAM;
  options.vnc_program = FAKE_PROGRAM;
  start();
  const auto admin = with("");
  const auto open = [](ScriptedPeer& program, const char* medium, const char* player) {
    Json params = stream_params(medium);
    params["content"] = {{"media", {medium}}, {"program", player}};
    return program.expect("open_stream", params)["window"].get<uint32_t>();
  };
  const auto can_come_back = [&](uint32_t number) {
    return fs_manager->desk().windows().find(number)->content.has_value();
  };
  for (const char* key_name : {"presenter/ann", "operator", "application/1"}) {
    const auto program = with(key_name, Role::kApplication);
    EXPECT_FALSE(can_come_back(open(*program, "vnc://lab7:1", kVnc))) << key_name;
    EXPECT_FALSE(can_come_back(open(*program, "web:https://intranet.example/", kWeb))) << key_name;
    EXPECT_TRUE(can_come_back(open(*program, "/a.mp4", kBplay))) << key_name;
  }
  const auto program = with("", Role::kApplication);
  EXPECT_TRUE(can_come_back(open(*program, "vnc://lab7:1", kVnc)));
  EXPECT_TRUE(can_come_back(open(*program, "web:https://intranet.example/", kWeb)));
}

// Windows know how to open their content again; this uses the current rights of the user who opened
// it.
class ContentRightsTest : public RightsTest {
 protected:
  ContentRightsTest() {
    options.show_program = FAKE_PROGRAM;
    options.state_folder = state_.path();
    options.times.return_ms = 0;
    source_ = folder_.write("film.mp4", "film");
    secret_ = elsewhere_.write("secret.mp4", "secret");
  }
  static uint32_t open(ScriptedPeer& program, const std::string& medium) {
    Json params = stream_params(medium);
    params["content"] = {{"media", {medium}}, {"program", kBplay}};
    return program.expect("open_stream", params)["window"].get<uint32_t>();
  }
  // Titles of the windows, sorted.
  std::vector<std::string> shown() const {
    std::vector<std::string> titles;
    for (const Window& window : fs_manager->desk().windows().bottom_to_top()) {
      titles.push_back(window.title);
    }
    std::ranges::sort(titles);
    return titles;
  }
  // Restarts the manager. All windows close because their programs end; only saved state remains.
  void restart_with(const std::string& session) {
    fs_manager.reset();
    options.restore = session;
    start();
  }

  const sail::TempFolder elsewhere_;
  const sail::TempFolder state_;
  std::string source_;
  std::string secret_;
};

TEST_F(ContentRightsTest, UndoOpensNothingThatPlayWouldRefuse) {
  start();
  const auto boss = with("operator");
  for (const char* key_name : {"presenter/ann", "operator", "application/1"}) {
    for (const std::string& medium : {secret_, std::string("http://127.0.0.1:1/x.ts")}) {
      auto program = with(key_name, Role::kApplication);
      const uint32_t number = open(*program, medium);
      boss->notify("close", {{"window", number}});
      program->expect("close_stream", {{"stream", program->next("event")["stream"]}});
      const Json undone = boss->expect("undo");
      ASSERT_EQ(undone["failed"].size(), 1U) << key_name << " " << medium;
      EXPECT_THAT(undone["failed"][0]["why"], HasSubstr("'admin'"));
      EXPECT_TRUE(shown().empty()) << key_name << " " << medium;
    }
  }
  auto program = with("presenter/ann", Role::kApplication);
  const uint32_t number = open(*program, source_);
  boss->notify("close", {{"window", number}});
  program->expect("close_stream", {{"stream", program->next("event")["stream"]}});
  EXPECT_FALSE(boss->expect("undo").contains("failed"));
  EXPECT_EQ(shown(), std::vector{source_});
  EXPECT_EQ(fs_manager->desk().windows().bottom_to_top()[0].opener, "presenter/ann");
  end();
}

TEST_F(ContentRightsTest, APersonsOwnProgramOpensForThatPerson) {
  start();
  const auto program = with("presenter/team/ann", Role::kApplication);
  open(*program, source_);
  EXPECT_EQ(fs_manager->desk().windows().bottom_to_top()[0].opener, "presenter/team/ann");
  end();
}

TEST_F(ContentRightsTest, SessionsKeepWhoAskedForWhat) {
  start();
  const auto presenter = with("presenter/ann", Role::kApplication);
  const auto admin = with("", Role::kApplication);
  open(*presenter, secret_);
  open(*presenter, source_);
  const std::string admins = elsewhere_.write("admins.mp4", "film");
  open(*admin, admins);
  auto boss = with("operator");
  boss->expect("session_save", {{"name", "all"}});
  restart_with("all");
  wait([&] { return shown().size() == 2; });
  EXPECT_THAT(shown(), testing::UnorderedElementsAre(source_, admins));
  boss = with("operator");
  const Json restored = boss->expect("session_restore", {{"name", "all"}});
  ASSERT_EQ(restored["failed"].size(), 1U) << restored;
  EXPECT_EQ(restored["failed"][0]["title"], secret_);
  EXPECT_THAT(shown(), testing::UnorderedElementsAre(source_, admins));
  end();
}

// Parameters of a call of each presenter verb for this window.
Json about(const std::string& verb, uint32_t window) {
  const std::map<std::string, Json> more = {
      {"annotate", {{"points", {{1920, 540}}}}},
      {"camera_move", {{"move", "left"}}},
      {"camera_presets", Json::object()},
      {"control", {{"action", "pause"}}},
      {"drive", {{"action", "release"}}},
      {"fit", Json::object()},
      {"input", {{"type", "leave"}}},
      {"label", {{"text", "a"}}},
      {"lock", {{"on", false}}},
      {"look", {{"opacity", 0.5}}},
      {"lower", Json::object()},
      {"maximise", Json::object()},
      {"move", {{"x", 5}, {"y", 5}}},
      {"place", {{"windows", {{{"window", window}, {"rect", {0, 0, 64, 64}}}}}}},
      {"raise", Json::object()},
      {"resize", {{"width", 640}}},
      {"sound", {{"volume", 0.5}}},
      {"speaker_notes", Json::object()},
      {"close", Json::object()}};
  const auto found = more.find(verb);
  if (found == more.end()) return {};
  Json params = found->second;
  if (verb != "place") params["window"] = window;
  return params;
}

class WindowSystemTest : public RightsTest {
 protected:
  // Opens a window with this key and returns its number.
  uint32_t opened_by(const std::string& key_name) {
    programs_.push_back(with(key_name, Role::kApplication));
    return open_stream(*programs_.back());
  }
  void expect_not_hers(ScriptedPeer& ann, const std::string& verb, const Json& params) {
    const auto answer = ann.call(verb, params);
    ASSERT_FALSE(answer) << verb;
    EXPECT_EQ(answer.error().code, ErrorCode::kUnauthorized) << verb;
    EXPECT_THAT(answer.error().message, HasSubstr("'presenter/bob'")) << verb;
  }

  std::vector<std::unique_ptr<ScriptedPeer>> programs_;
};

TEST_F(WindowSystemTest, EachVerbChangesOwnWindowsOnly) {
  start();
  const uint32_t hers = opened_by("presenter/ann");
  const uint32_t bobs = opened_by("presenter/bob");
  const uint32_t apps = opened_by("application/1");
  const sail::Rect before = fs_manager->desk().windows().find(bobs)->wall_rect;
  const auto ann = with("presenter/ann");
  for (const sail::RpcVerb* verb : verbs()) {
    const std::string name = verb->name;
    // Verbs about no window, or more than one.
    const std::set<std::string> others = {"annotate_clear",
                                          "annotate_erase",
                                          "play",
                                          "invite",
                                          "pointer",
                                          "close",
                                          "swap",
                                          "blank",
                                          "master_volume",
                                          "replace",
                                          "freeze",
                                          "opening_close",
                                          "undo",
                                          "redo",
                                          "event_start",
                                          "event_clear",
                                          "event_acknowledge"};
    const bool other = others.contains(name);
    if (verb->ui != Right::kPresenter || other) continue;
    ASSERT_FALSE(about(name, hers).is_null()) << name << ": is it for own windows only?";
    expect_not_hers(*ann, name, about(name, bobs));
    EXPECT_EQ(ann->call(name, about(name, apps)).error().code, ErrorCode::kUnauthorized) << name;
    const auto answer = ann->call(name, about(name, hers));
    EXPECT_TRUE(answer || answer.error().code == ErrorCode::kConflict)  // takes no input
        << name << ": " << answer.error().message;
  }
  expect_not_hers(*ann, "annotate_clear", {{"windows", {hers, bobs}}});
  expect_not_hers(*ann, "annotate_erase", {{"points", {{1, 2}}}, {"windows", {hers, bobs}}});
  expect_not_hers(*ann, "close", {{"windows", {hers, bobs}}});
  expect_not_hers(*ann, "blank", {{"windows", {hers, bobs}}});
  expect_not_hers(*ann, "freeze", {{"windows", {bobs}}});
  expect_not_hers(*ann, "label", {{"windows", {hers, bobs}}});
  expect_not_hers(*ann, "raise", {{"windows", {hers, bobs}}});
  expect_not_hers(*ann, "swap", {{"window", hers}, {"other", bobs}});
  expect_not_hers(*ann, "swap", {{"window", bobs}, {"other", hers}});
  expect_not_hers(*ann, "replace", {{"window", bobs}, {"media", {"test:"}}});
  expect_not_hers(*ann, "place", {{"windows", {{{"window", bobs}, {"rect", {0, 0, 64, 64}}}}}});
  with("operator")->expect("lower", {{"windows", {hers, bobs}}});
  EXPECT_EQ(fs_manager->desk().windows().find(bobs)->wall_rect, before);
}

TEST_F(WindowSystemTest, OneWindowIsHeardAloneAsFarAsTheOthersAreHers) {
  start();
  const uint32_t hers = opened_by("presenter/ann");
  const uint32_t other = opened_by("presenter/ann");
  const uint32_t picture = opened_by("presenter/bob");
  const auto ann = with("presenter/ann");
  const auto muted = [&](uint32_t number) {
    return fs_manager->desk().windows().find(number)->sound.muted;
  };
  Json answer = ann->expect("sound", {{"window", hers}, {"solo", true}});
  EXPECT_FALSE(answer.contains("left_alone")) << "the others are silent";
  EXPECT_TRUE(muted(other));
  EXPECT_FALSE(muted(picture)) << "it is another person's";
  const uint32_t film = opened_by("presenter/bob");
  programs_.back()->notify("playback",
                           {{"stream", film}, {"position_s", 0}, {"at_ns", 1}, {"volume", 1}});
  wait([&] { return fs_manager->desk().windows().find(film)->playback.has_value(); });
  answer = ann->expect("sound", {{"window", hers}, {"solo", true}});
  EXPECT_EQ(answer["left_alone"], 1);
  EXPECT_FALSE(muted(film));
  answer = with("operator")->expect("sound", {{"window", hers}, {"solo", true}});
  EXPECT_FALSE(answer.contains("left_alone"));
  EXPECT_TRUE(muted(film) && muted(picture) && !muted(hers));
}

TEST_F(WindowSystemTest, AFilmThatSheStartsIsHersAndMovesNoOther) {
  start();
  const auto boss = with("");
  boss->expect("partition", {{"action", "grid"}, {"columns", 1}, {"rows", 1}});
  const uint32_t bobs = opened_by("presenter/bob");
  const sail::Rect before = fs_manager->desk().windows().find(bobs)->wall_rect;
  const auto ann = with("presenter/ann");
  const Json film{{"media", {"test:"}}, {"at", {960, 540}}};
  const Json number = ann->expect("play", film)["window"];
  ann->expect("move", {{"window", number}, {"x", 1}, {"y", 1}});
  EXPECT_EQ(fs_manager->desk().windows().find(bobs)->wall_rect, before);
  expect_not_hers(*ann, "fit", {{"window", number}, {"partition", "1"}, {"share", true}});
  EXPECT_EQ(with("presenter/bob")->call("close", {{"window", number}}).error().code,
            ErrorCode::kUnauthorized);
  ann->expect("close", {{"window", number}});

  Json grouped = film;
  grouped["group"] = "all";
  EXPECT_EQ(ann->call("play", grouped).error().code, ErrorCode::kUnauthorized);
  const auto long_name = with("presenter/" + std::string(54, 'x'));
  EXPECT_EQ(long_name->call("play", film).error().code, ErrorCode::kLimit);
  end();
}

TEST_F(WindowSystemTest, UndoIsOfHerOwnSteps) {
  const sail::TempFolder state;
  options.state_folder = state.path();
  start();
  auto ann = with("presenter/ann");
  const uint32_t bobs = opened_by("presenter/bob");
  const Json film{{"media", {"test:"}}};
  const uint32_t number = ann->expect("play", film)["window"];
  with("presenter/bob")->expect("move", {{"window", bobs}, {"x", 77}, {"y", 0}});
  ann->expect("close", {{"window", number}});
  with("operator")->expect("move", {{"window", bobs}, {"x", 78}, {"y", 0}});
  const auto hers = [this]() -> const Window* {
    const auto& windows = fs_manager->desk().windows().bottom_to_top();
    const auto it = std::ranges::find(windows, "presenter/ann", &Window::opener);
    return it == windows.end() ? nullptr : &*it;
  };
  EXPECT_EQ(hers(), nullptr);
  EXPECT_EQ(ann->expect("undo")["what"], "closed 'test:'");
  ASSERT_NE(hers(), nullptr);
  EXPECT_EQ(fs_manager->desk().windows().find(bobs)->wall_rect.x, 78);
  ann->expect("move", {{"window", hers()->number}, {"x", 3}, {"y", 4}});
  with("")->expect("session_save", {{"name", "all"}});
  wait([&] { return std::filesystem::exists(state.path() / "sessions/autosave.json"); });
  end();

  // The next manager knows which windows were hers.
  programs_.clear();
  fs_manager.reset();
  ended = false;
  options.restore = "autosave";
  options.times.return_ms = 0;
  start();
  wait([&] { return hers() != nullptr; });
  ann = with("presenter/ann");
  EXPECT_EQ(ann->expect("undo")["what"], "moved 'test:'");
  EXPECT_EQ(with("presenter/bob")->call("undo").error().code, ErrorCode::kNotFound);
  end();
}

TEST_F(WindowSystemTest, AGroupWithOthersIsNotHers) {
  start();
  const uint32_t hers = opened_by("presenter/ann");
  const uint32_t bobs = opened_by("presenter/bob");
  const auto ann = with("presenter/ann");
  const Json pause{{"window", hers}, {"action", "pause"}};
  with("operator")->expect("group", {{"name", "both"}, {"windows", {hers, bobs}}});
  expect_not_hers(*ann, "control", pause);
  with("operator")->expect("group", {{"name", ""}, {"windows", {bobs}}});
  ann->expect("control", pause);
}

// Its lines are "| `right` | `verb` `verb` … |".
TEST_F(RightsTest, TheTableOfTheDocumentIsWhatTheManagerGoesBy) {
  start();
  std::map<std::string, std::string> documented;  // right by verb
  std::ifstream in(COMMANDS_FILE);
  for (std::string line; std::getline(in, line);) {
    for (const Right right : {Right::kViewer, Right::kPresenter, Right::kOperator, Right::kAdmin}) {
      const std::string begin = fmt::format("| `{}` | ", right_name(right));
      if (!line.starts_with(begin)) continue;
      std::stringstream words(line.substr(begin.size()));
      for (std::string word; words >> word;) {
        if (word.size() > 2) documented[word.substr(1, word.size() - 2)] = right_name(right);
      }
    }
  }
  std::map<std::string, std::string> actual;
  for (const sail::RpcVerb& verb : fs_manager->peers().service().verbs()) {
    if (verb.ui) actual[verb.name] = right_name(*verb.ui);
  }
  EXPECT_EQ(documented, actual);
}

}  // namespace
}  // namespace manager
