// Programs that the manager starts: players and receivers (fake_program is both).
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "manager/programs/guests.h"
#include "sail/core/base/process_record.h"
#include "tests/support/environment_variable.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/manager/peers/manager_test.h"

namespace manager {
namespace {

using sail::ErrorCode;
using sail::Json;
using testing::HasSubstr;

class ProgramsTest : public ManagerTest {
 protected:
  ProgramsTest() {
    options.player_program = FAKE_PROGRAM;
    options.receiver_program = FAKE_PROGRAM;
  }
  static ErrorCode refused_place(ScriptedPeer& console) {
    const auto answer =
        console.call("replace", {{"window", 2}, {"media", {"five"}}, {"place", {0, 0, 10, 10}}});
    return answer ? ErrorCode::kInternal : answer.error().code;
  }
};

TEST_F(ProgramsTest, PlayAnswersWhenTheWindowOpensAtItsPlace) {
  start();
  auto console = ui();
  const Json played = console->expect(
      "play", {{"media", {"--a film"}}, {"place", {5, 6, 320, 180}}, {"loop", true}});
  EXPECT_EQ(played["window"], 1);
  const Json window = console->expect("list")["windows"][0];
  EXPECT_EQ(window["title"], "--a film");
  EXPECT_EQ(window["rect"], (Json{5, 6, 320, 180}));
  EXPECT_EQ(console->expect("close", {{"window", 1}})["forced"], false);
  end();
}

TEST_F(ProgramsTest, ASourceTakesThePlaceOfAWindowInOneStep) {
  start();
  auto console = ui();
  console->expect("play", {{"media", {"one"}}, {"place", {5, 6, 320, 180}}});
  console->expect("play", {{"media", {"two"}}, {"place", {1000, 6, 320, 180}}});
  console->expect("sound", {{"window", 1}, {"muted", true}});
  console->expect("look", {{"window", 1}, {"opacity", 0.5}});
  console->expect("group", {{"name", "panels"}, {"windows", {1}}});
  EXPECT_EQ(console->expect("replace", {{"window", 1}, {"media", {"three"}}})["window"], 3);
  const auto titles = [&] {
    std::vector<std::string> all;
    wait([&] { return fs_manager->desk().windows().bottom_to_top().size() == 2; });
    for (const Window& window : fs_manager->desk().windows().bottom_to_top()) {
      all.push_back(window.title);
    }
    return all;
  };
  EXPECT_THAT(titles(), testing::ElementsAre("three", "two")) << "in the same place of the stack";
  const Window& three = *fs_manager->desk().windows().find(3);
  EXPECT_EQ(three.wall_rect, (sail::Rect{5, 6, 320, 180}));
  EXPECT_TRUE(three.sound.muted);
  EXPECT_EQ(three.look, (sail::ViewTransform{.opacity = 0.5}));
  EXPECT_EQ(three.group, "panels");
  console->expect("undo");
  EXPECT_THAT(titles(), testing::ElementsAre("one", "two"));
  EXPECT_EQ(fs_manager->desk().windows().bottom_to_top()[0].wall_rect,
            (sail::Rect{5, 6, 320, 180}));
  EXPECT_EQ(fs_manager->desk().windows().bottom_to_top()[0].group, "panels");
  console->expect("redo");
  EXPECT_THAT(titles(), testing::ElementsAre("three", "two"));
  // A player that fails to open a window does not replace the old one.
  const uint32_t there = fs_manager->desk().windows().bottom_to_top()[0].number;
  EXPECT_FALSE(console->call("replace", {{"window", there}, {"media", {"fail"}}}));
  EXPECT_THAT(titles(), testing::ElementsAre("three", "two"));
  console->expect("lock", {{"window", there}});
  const auto locked = console->call("replace", {{"window", there}, {"media", {"four"}}});
  ASSERT_FALSE(locked);
  EXPECT_EQ(locked.error().code, ErrorCode::kConflict);
  EXPECT_EQ(refused_place(*console), ErrorCode::kInvalidParams);
  end();
}

TEST_F(ProgramsTest, ATickerThatTakesThePlaceOfAnotherKeepsTheWholeStrip) {
  options.show_program = FAKE_PROGRAM;
  start();
  auto console = ui();
  constexpr sail::Rect kStrip{0, 1016, 3840, 64};
  console->expect("play", {{"media", {"ticker:one"}}, {"place", sail::rect_json(kStrip)}});
  const uint32_t number =
      console->expect("replace", {{"window", 1}, {"media", {"ticker:two"}}})["window"];
  const Window& two = *fs_manager->desk().windows().find(number);
  EXPECT_EQ(two.wall_rect, kStrip);
  EXPECT_EQ(two.frame_size, (sail::Size{3840, 64})) << "it is drawn for the strip";
  end();
}

TEST_F(ProgramsTest, TickersThatNoPlayerShowsAreRefused) {
  options.show_program = FAKE_PROGRAM;
  start();
  auto console = ui();
  using Media = std::vector<std::string>;
  const std::pair<Media, const char*> cases[] = {
      {{"ticker: "}, "there is no text"},
      {{"ticker:?size=9?x"}, "the options are"},
      {{"ticker:one\ntwo"}, "control characters"},
      {{"ticker:one", "ticker:two"}, "nothing else"},
  };
  for (const auto& [media, why] : cases) {
    const auto answer = console->call("play", {{"media", media}});
    ASSERT_FALSE(answer) << media.front();
    EXPECT_EQ(answer.error().code, ErrorCode::kInvalidParams) << media.front();
    EXPECT_THAT(answer.error().message, HasSubstr(why));
  }
  end();
}

TEST_F(ProgramsTest, AWindowThatComesBackIsInItsGroupAgain) {
  start();
  auto console = ui();
  console->expect("play", {{"media", {"one"}}});
  console->expect("group", {{"name", "panels"}, {"windows", {1}}});
  console->expect("close", {{"window", 1}});
  console->expect("undo");
  const Window& back = fs_manager->desk().windows().bottom_to_top().at(0);
  EXPECT_EQ(back.group, "panels");
  EXPECT_EQ(console->expect("groups")["groups"][0]["windows"], Json::array({back.number}));
  end();
}

TEST_F(ProgramsTest, PlayersOfAManagerWithAKeyAreLetIn) {
  options.key = {"", "open sesame, please"};
  start();
  EXPECT_EQ(ui()->expect("play", {{"media", {"film"}}})["window"], 1);
  end();
}

TEST_F(ProgramsTest, WhatNamesNoFilmIsNotPlayed) {
  start();
  auto console = ui();
  for (const char* name :
       {"", "file:///etc/passwd", "file:/etc/passwd", "concat:/etc/passwd|/etc/group", "concatf:/a",
        "subfile,,start,0,end,9,,:/etc/passwd", "crypto:/a", "cache:/a", "async:/a",
        "data:text/plain,x", "pipe:0", "fd:3", "unix:/run/x", "hls+file:///a.m3u8", "ftp://h/a",
        "http://", "lavfi:x", "http://a b"}) {
    const auto answer = console->call("play", {{"media", Json::array({"film", name})}});
    ASSERT_FALSE(answer) << name;
    EXPECT_EQ(answer.error().code, ErrorCode::kInvalidParams) << name;
  }
  for (const char* name : {"/films/a:b.mp4", "./a:b", "test:64x64", "rtsp://camera/1",
                           "SRT://host:1?mode=caller", "udp://127.0.0.1:1", "server://host/film"}) {
    console->expect("play", {{"media", {name}}});
  }
  end();
}

TEST_F(ProgramsTest, PlayerThatEndsFirstIsAnError) {
  start();
  const auto answer = ui()->call("play", {{"media", {"fail"}}});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kIo);
  EXPECT_THAT(answer.error().message, HasSubstr("status 3"));
  const auto busy = ui()->call("play", {{"media", {"busy"}}});
  ASSERT_FALSE(busy);
  EXPECT_EQ(busy.error().code, ErrorCode::kBusy) << "best effort may play it";
}

TEST_F(ProgramsTest, WhyAPlayerEndedIsToldWithoutThePath) {
  start();
  const auto answer = ui()->call("play", {{"media", {"/films/fail.mp4"}}});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kIo);
  EXPECT_EQ(answer.error().message, "cannot open fail.mp4: damaged");
}

// A slow start is visible on the wall and in the state, and can be cancelled.
TEST_F(ProgramsTest, PlayerThatWorksOnItsWindowIsToldOf) {
  options.times.opening_ms = 1;
  start();
  const auto console = ui();
  console->expect("subscribe");
  const auto asked = ui();
  const auto answer = asked->ask("play", {{"media", {"hang"}}, {"place", {100, 50, 640, 360}}});
  Json changed = console->next("changed");
  while (!changed.contains("openings")) changed = console->next("changed");
  ASSERT_EQ(changed["openings"].size(), 1U);
  const Json opening = changed["openings"][0];
  EXPECT_EQ(opening["title"], "hang");
  EXPECT_EQ(opening["rect"], (Json{100, 50, 640, 360}));
  EXPECT_FALSE(opening.contains("awaits_sender"));
  EXPECT_EQ(console->expect("list")["openings"][0], opening);
  console->expect("opening_close", {{"opening", opening["opening"]}});
  wait([&] { return answer->has_value(); });
  ASSERT_FALSE(**answer);
  EXPECT_EQ((**answer).error().code, ErrorCode::kUnavailable);
  changed = console->next("changed");
  while (!changed.contains("openings")) changed = console->next("changed");
  EXPECT_TRUE(changed["openings"].empty());
  EXPECT_FALSE(console->expect("list").contains("openings"));
  EXPECT_EQ(console->call("opening_close", {{"opening", opening["opening"]}}).error().code,
            ErrorCode::kNotFound);
  end();
}

TEST_F(ProgramsTest, PlayerThatAwaitsASenderSaysSo) {
  options.times.opening_ms = 1;
  start();
  const auto console = ui();
  console->expect("subscribe");
  const auto asked = ui();
  const auto answer = asked->ask("play", {{"media", {"udp://127.0.0.1:1/hang"}}});
  Json changed = console->next("changed");
  while (!changed.contains("openings")) changed = console->next("changed");
  ASSERT_EQ(changed["openings"].size(), 1U);
  EXPECT_EQ(changed["openings"][0]["awaits_sender"], true);
  console->expect("opening_close", {{"opening", changed["openings"][0]["opening"]}});
  wait([&] { return answer->has_value(); });
  end();
}

TEST_F(ProgramsTest, PlayerThatIsNotInstalledIsAnError) {
  options.player_program = "/nowhere/bplay";
  start();
  const auto answer = ui()->call("play", {{"media", {"film"}}});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(answer.error().message, HasSubstr("/nowhere/bplay"));
}

TEST_F(ProgramsTest, NothingIsPlayedWhileEnding) {
  start();
  auto console = ui();
  fs_manager->shut_down();
  const auto answer = console->call("play", {{"media", {"film"}}});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kUnavailable);
}

TEST_F(ProgramsTest, GuestsAreInvitedOneByOne) {
  options.guest_program = "/nowhere/vitrail-guest";
  start();
  const auto missing = ui()->call("invite", {{"title", "Ann’s screen"}});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(missing.error().message, HasSubstr("/nowhere/vitrail-guest"));
}

TEST_F(ProgramsTest, EachGuestHasItsPortAndSecret) {
  options.guest_program = "true";
  start();
  auto console = ui();
  const Json first = console->expect("invite");
  const Json second = console->expect("invite");
  EXPECT_NE(first["port"], second["port"]);
  EXPECT_NE(first["secret"], second["secret"]);
  EXPECT_EQ(first["secret"].get<std::string>().size(), 32U);
  fs_manager->shut_down();
  const auto late = console->call("invite", Json::object());
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, ErrorCode::kUnavailable);
}

TEST_F(ProgramsTest, NobodySharesEverythingThatMayBeShared) {
  const sail::TempFolder folder;
  options.key = {"", "open sesame, please"};
  options.guest_program = folder.write("guest", "#!/bin/sh\nexec sleep 60\n");
  std::filesystem::permissions(options.guest_program, std::filesystem::perms::owner_all);
  start();
  const auto with = [&](const std::string& key_name) {
    auto peer = connect();
    EXPECT_TRUE(peer->hello(sail::Role::kUi, "me", 0, key_named(options.key, key_name)));
    return peer;
  };
  for (size_t i = 0; i < kMostGuestsOfOne; ++i) with("presenter/ann")->expect("invite");
  const auto refused = with("presenter/ann")->call("invite");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kLimit);
  EXPECT_THAT(refused.error().message, HasSubstr("each person"));
  with("presenter/bob")->expect("invite");
  end();
}

class RenderNodesTest : public ProgramsTest {
 protected:
  RenderNodesTest() {
    options.wall.apps = {{.name = "render"},
                         {.name = "viewer", .command = {FAKE_PROGRAM, "the viewer"}},
                         {.name = "far", .host = "10.0.0.7"}};
    options.state_folder = folder.path();
  }
  // Waits until the only window satisfies the condition; the console is subscribed.
  Json window_when(ScriptedPeer& console, const std::function<bool(const Json&)>& wanted) {
    for (;;) {
      const Json windows = console.expect("list")["windows"];
      if (HasFailure() || (!windows.empty() && wanted(windows[0]))) return windows[0];
      console.next("changed");
    }
  }
  // Waits until a window has lost its program, and returns the reason; the console is subscribed.
  static std::string lost_reason(ScriptedPeer& console) {
    while (!HasFailure()) {
      const Json change = console.next("changed");
      for (const Json& window : change.value("windows", Json::array())) {
        if (window.contains("lost")) return window["lost"]["why"];
      }
    }
    return {};
  }
  const sail::TempFolder folder;
};

bool is_lost(const Json& window) {
  return window.contains("lost");
}

TEST_F(RenderNodesTest, WhatIsPlayedOnANodeIsToldAndKept) {
  start();
  auto console = ui();
  console->expect("play", {{"media", {"film"}}, {"on", "render"}});
  EXPECT_EQ(console->expect("list")["windows"][0]["on"], "render");
  console->expect("session_save", {{"name", "kept"}});
  const Json kept = console->expect("session_get", {{"name", "kept"}});
  EXPECT_THAT(kept.dump(), HasSubstr(R"("on":"render")"));
  end();
}

TEST_F(RenderNodesTest, AnAppOfTheWallFileIsASource) {
  start();
  auto console = ui();
  console->expect("play", {{"source", "command/viewer"}});
  const Json window = console->expect("list")["windows"][0];
  EXPECT_EQ(window["title"], "the viewer");
  EXPECT_EQ(window["on"], "viewer");
  end();
}

TEST_F(RenderNodesTest, NodesThatAreNotThereAndThoseThatCannotReachUs) {
  start();
  auto console = ui();
  const auto unknown = console->call("play", {{"media", {"film"}}, {"on", "elsewhere"}});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(unknown.error().message, HasSubstr("'render'"));
  const auto far = console->call("play", {{"media", {"film"}}, {"on", "far"}});
  ASSERT_FALSE(far);
  EXPECT_THAT(far.error().message, HasSubstr("10.0.0.7 cannot reach the manager"));
  const auto failing = console->call("play", {{"media", {"/films/fail.mp4"}}, {"on", "render"}});
  ASSERT_FALSE(failing);
  EXPECT_THAT(failing.error().message, HasSubstr("cannot open fail.mp4: damaged"));
  EXPECT_TRUE(console->expect("list")["windows"].empty());
}

// What a launcher does wrong is reported, and other programs are started.
TEST_F(RenderNodesTest, LaunchersThatFailAreReported) {
  options.wall.apps = {
      {.name = "missing", .launch = "/nowhere/run {command}"},
      {.name = "short", .launch = "sh -c 'echo no such job >&2; exit 255' {command}"},
      {.name = "good", .launch = "env A=b {command}"}};
  start();
  auto console = ui();
  const auto error_on = [&](const char* node) {
    const auto failed = console->call("play", {{"media", {"film"}}, {"on", node}});
    EXPECT_FALSE(failed);
    return failed ? std::string() : failed.error().message;
  };
  EXPECT_THAT(error_on("missing"), HasSubstr("cannot start /nowhere/run: no such file"));
  EXPECT_THAT(error_on("short"), HasSubstr("'short' ended with status 255 before it opened a "
                                           "window: no such job"));
  console->expect("play", {{"media", {"film"}}, {"on", "good"}});
  EXPECT_EQ(console->expect("list")["windows"][0]["on"], "good");
  end();
}

TEST_F(RenderNodesTest, AFilmServerThatOnlyThisHostReachesIsRefusedForNodesElsewhere) {
  start();
  auto console = ui();
  for (const char* film : {"server://127.0.0.1/a.vmov", "server://[::1]:7450/a.vmov"}) {
    const auto far = console->call("play", {{"media", {film}}, {"on", "far"}});
    ASSERT_FALSE(far);
    EXPECT_EQ(far.error().code, ErrorCode::kInvalidParams);
    EXPECT_THAT(far.error().message,
                testing::AllOf(HasSubstr("'far' cannot reach the film server"), HasSubstr(film),
                               HasSubstr("--listen"), HasSubstr("--film-server")));
  }
  console->expect("play", {{"media", {"server://127.0.0.1/a.vmov"}}, {"on", "render"}});
  const auto other =
      console->call("play", {{"media", {"server://10.0.0.9/a.vmov"}}, {"on", "far"}});
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("10.0.0.7 cannot reach the manager"));
  end();
}

TEST_F(RenderNodesTest, ALostProgramIsStartedAgainInItsWindow) {
  start();
  auto console = ui();
  console->expect("play", {{"media", {"crash"}}, {"on", "render"}, {"place", {9, 9, 320, 180}}});
  auto left = receiver("left");
  const Json before = console->expect("list")["windows"][0];
  console->expect("subscribe");
  console->expect("control", {{"window", 1}, {"action", "pause"}});
  std::string why;
  while (why.find("signal 9") == std::string::npos && !HasFailure()) {
    const Json change = console->next("changed");
    for (const Json& window : change.value("windows", Json::array())) {
      if (is_lost(window)) why = window["lost"]["why"];
    }
  }
  const Json after = window_when(*console, [&](const Json& window) { return !is_lost(window); });
  EXPECT_EQ(after["window"], 1);
  EXPECT_EQ(after["rect"], before["rect"]);
  EXPECT_NE(after["stream"], before["stream"]);
  // Its tiles dimmed it, with the reason as label.
  double least = 1;
  bool labelled = false;
  for (const auto& message : left->messages) {
    const std::string text = message.params.dump();
    if (text.find(R"("opacity":0.35)") != std::string::npos) least = 0.35;
    if (message.method == "overlay")
      labelled |= text.find("has been lost since") != std::string::npos;
  }
  EXPECT_EQ(least, 0.35);
  EXPECT_TRUE(labelled);
  end();
}

TEST_F(RenderNodesTest, ALostWindowCanBeClosed) {
  start();
  auto console = ui();
  console->expect("play", {{"media", {"crash"}}, {"on", "render"}});
  console->expect("subscribe");
  console->expect("control", {{"window", 1}, {"action", "pause"}});
  window_when(*console, is_lost);
  const uint64_t secret = fs_manager->desk().windows().find(1)->secret;
  EXPECT_EQ(console->expect("close", {{"window", 1}})["forced"], false);
  EXPECT_TRUE(fs_manager->desk().is_refused({.window = 1, .secret = secret, .routes = {}}));
  EXPECT_TRUE(console->expect("list")["windows"].empty());
  end();
}

class LostWindowsTest : public RenderNodesTest {
 protected:
  // An application that dies silently, with a subscribed console.
  void lose_application() {
    start();
    console = ui();
    console->expect("subscribe");
    auto app = application();
    open_stream(*app, sail::Rect{9, 9, 320, 180});
    app.reset();
  }
  std::unique_ptr<ScriptedPeer> console;
};

TEST_F(LostWindowsTest, CloseByDefault) {
  lose_application();
  wait([&] { return fs_manager->desk().windows().bottom_to_top().empty(); });
}

TEST_F(LostWindowsTest, StayUntilTheirApplicationReturns) {
  options.wall.lost = sail::LostWindow::kLast;
  lose_application();
  const Json lost = window_when(*console, is_lost);
  EXPECT_THAT(lost["lost"]["why"], HasSubstr("'demo' has been lost since"));
  EXPECT_LT(fs_manager->desk().windows().find(1)->current_view_transform().opacity, 1);
  // Neither another title nor another name is that application.
  auto other = application();
  other->expect("open_stream", stream_params("another"));
  auto stranger = welcome(sail::Role::kApplication, "stranger");
  stranger->expect("open_stream", stream_params("film"));
  EXPECT_EQ(console->expect("list")["windows"].size(), 3U);
  auto again = application();
  again->expect("open_stream", stream_params("film"));
  const Json windows = console->expect("list")["windows"];
  ASSERT_EQ(windows.size(), 3U);
  EXPECT_EQ(windows[0]["window"], 1);
  EXPECT_FALSE(is_lost(windows[0]));
  EXPECT_EQ(windows[0]["rect"], Json({9, 9, 320, 180}));
  // A window that its application closes goes at once.
  again->expect("close_stream", {{"stream", windows[0]["stream"]}});
  EXPECT_EQ(console->expect("list")["windows"].size(), 2U);
}

TEST_F(LostWindowsTest, CanBeClosed) {
  options.wall.lost = sail::LostWindow::kLast;
  lose_application();
  window_when(*console, is_lost);
  const auto paused = console->call("control", {{"window", 1}, {"action", "pause"}});
  ASSERT_FALSE(paused);
  EXPECT_EQ(paused.error().code, sail::ErrorCode::kConflict);
  console->expect("close", {{"window", 1}});
  EXPECT_TRUE(console->expect("list")["windows"].empty());
}

TEST_F(LostWindowsTest, APlayerOnThisHostIsStartedAgain) {
  options.wall.lost = sail::LostWindow::kLast;
  start();
  console = ui();
  console->expect("play", {{"media", {"crash"}}, {"place", {9, 9, 320, 180}}});
  const Json before = console->expect("list")["windows"][0];
  console->expect("subscribe");
  console->expect("control", {{"window", 1}, {"action", "pause"}});
  EXPECT_THAT(lost_reason(*console), HasSubstr("has been lost since"));
  const Json after = window_when(*console, [&](const Json& window) { return !is_lost(window); });
  EXPECT_EQ(after["window"], 1);
  EXPECT_EQ(after["rect"], before["rect"]);
  EXPECT_NE(after["stream"], before["stream"]);
  // A player that is asked to close its window is not lost.
  const Json film = console->expect("play", {{"media", {"film"}}});
  console->expect("close", {{"window", film["window"]}});
  EXPECT_EQ(console->expect("list")["windows"].size(), 1U);
  end();
}

// Each fake receiver exits right after the welcome, so it must restart again and again. A receiver
// that cannot be started does not affect others.
TEST_F(ProgramsTest, LaunchedReceiversAreStartedAgain) {
  options.launch = true;
  options.wall.receivers[1].host = "far.example";
  const test::EnvironmentVariable no_ssh("VITRAIL_SSH", "false");
  start();
  auto console = ui();
  console->expect("subscribe");
  int arrivals = 0;
  while (arrivals < 2) {
    const Json change = console->next("changed");
    ASSERT_TRUE(change.contains("receivers"));
    for (const Json& receiver : change["receivers"]) {
      if (receiver["connected"] == true) {
        EXPECT_EQ(receiver["name"], "left");
        ++arrivals;
      }
    }
  }
  end();
}

// A process that is not the manager's child, like a receiver that outlived a former manager.
class FormerReceiver {
 public:
  FormerReceiver() : pid_(fork()) {
    if (pid_ == 0) {
      pause();
      _exit(0);
    }
  }
  ~FormerReceiver() {
    if (!over_) end();
  }
  FormerReceiver(const FormerReceiver&) = delete;
  FormerReceiver& operator=(const FormerReceiver&) = delete;

  pid_t pid() const { return pid_; }
  // Returns the signal that ended it.
  int end(int signal = SIGKILL) {
    over_ = true;
    if (signal != 0) kill(pid_, signal);
    int status = 0;
    waitpid(pid_, &status, 0);
    return WTERMSIG(status);
  }

 private:
  const pid_t pid_;
  bool over_ = false;
};

class FormerReceiversTest : public ProgramsTest {
 protected:
  // Starts a manager after an earlier one that launched this receiver as "left".
  void start_after(const FormerReceiver& former) {
    options.run_folder = folder.file("run");
    start();
    options.listen = fs_manager->address();
    fs_manager.reset();
    options.launch = true;
    sail::ProcessRecord(record()).keep("left", former.pid());
    start();
  }
  std::filesystem::path record() const {
    return sail::process_record_file(options.run_folder, sail::address_text(options.listen),
                                     sail::kReceiversRecord);
  }
  const sail::TempFolder folder;
};

TEST_F(FormerReceiversTest, AreWaitedForAndNotDoubled) {
  FormerReceiver former;
  start_after(former);
  auto console = ui();
  console->expect("subscribe");
  const auto next_arrival = [&] {
    for (;;) {
      for (const Json& receiver : console->next("changed").value("receivers", Json::array())) {
        if (receiver["connected"] == true) return receiver["name"].get<std::string>();
      }
    }
  };
  EXPECT_EQ(next_arrival(), "right");
  EXPECT_EQ(next_arrival(), "right");
  former.end();
  while (next_arrival() != "left") {
  }
  EXPECT_NE(sail::ProcessRecord(record()).all().at("left").pid, former.pid());
  end();
  EXPECT_FALSE(std::filesystem::exists(record()));
}

TEST_F(FormerReceiversTest, EndWithTheWall) {
  FormerReceiver former;
  start_after(former);
  end();
  EXPECT_EQ(former.end(0), SIGTERM);
}

}  // namespace
}  // namespace manager
