// vitrail-web with the real Chromium: the wall shows the page, and the page cannot reach anything
// else.
#include <fmt/core.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/support/desktop/child_program.h"
#include "tests/support/headless_wall.h"
#include "tests/support/http_server.h"
#include "tests/support/temp_folder.h"

namespace test {
namespace {

constexpr uint32_t kGreen = 0x20a040;
constexpr uint32_t kViolet = 0x4020a0;
constexpr uint32_t kOrange = 0xe08020;
constexpr uint32_t kMessage = 0x202428;
// A film of 8K, which is all violet.
constexpr const char* kFilm = "/film.mp4";
constexpr const char* kTyped = "AbC Straße 世界 😀 ñÑ Жж x";
// An area without pointer, text and clickable elements.
constexpr sail::Rect kClear{300, 150, 100, 150};

std::string page(uint32_t colour, const std::string& more) {
  return fmt::format(
      "<!DOCTYPE html><title>Test</title><style>a {{ display: block; height: 60px }}</style>"
      "<body style='margin:0; background:#{:06x}'>{}",
      colour, more);
}

HttpAnswer html(const std::string& body) {
  return {.headers = "Content-Type: text/html\r\n", .body = body, .length = {}};
}

HttpAnswer site(const HttpRequest& request) {
  if (request.path == "/second") return html(page(kViolet, ""));
  if (request.path == "/file") {
    return {.headers =
                "Content-Type: application/octet-stream\r\n"
                "Content-Disposition: attachment; filename=vitrail-downloaded\r\n",
            .body = "bytes",
            .length = {}};
  }
  if (request.path == "/gl") {
    return html(page(kGreen, fmt::format("<script>const gl = document.createElement('canvas')"
                                         ".getContext('webgl2'); gl.clearColor(0, 0, 1, 1);"
                                         "gl.clear(gl.COLOR_BUFFER_BIT);"
                                         "const pixel = new Uint8Array(4);"
                                         "gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, "
                                         "pixel); if (pixel[2] === 255) "
                                         "document.body.style.background='#{:06x}'</script>",
                                         kOrange)));
  }
  if (request.path == "/drag") {
    return html(page(
        kGreen,
        fmt::format("<div draggable=true style='position:absolute; left:20px; top:20px; "
                    "width:60px; height:60px; background:#fff'></div>"
                    "<div style='position:absolute; left:200px; top:20px; width:80px; "
                    "height:80px; background:#000' ondragover='event.preventDefault()' ondrop=\""
                    "event.preventDefault(); document.body.style.background='#{:06x}'\"></div>",
                    kOrange)));
  }
  if (request.path == "/type") {
    return html(
        page(kGreen, fmt::format("<meta charset=utf-8><input autofocus style='width:90%' oninput=\""
                                 "if (this.value === '{}') "
                                 "document.body.style.background='#{:06x}'\">",
                                 kTyped, kOrange)));
  }
  if (request.path == "/greedy") {
    return html(page(kOrange,
                     "<script>const all = []; onclick = () => { for (;;) all.push("
                     "new Array(1000000).fill(Math.random())); }</script>"));
  }
  if (request.path == "/8k") {
    return html(
        page(kGreen,
             fmt::format(
                 "<canvas width=7680 height=4320 style='display:block; width:100vw; height:100vh'>"
                 "</canvas><script>const c = document.querySelector('canvas')."
                 "getContext('2d'); const draw = () => {{ c.fillStyle = '#{:06x}';"
                 " c.fillRect(0, 0, 7680, 4320); requestAnimationFrame(draw); }};"
                 " draw();</script>",
                 kViolet)));
  }
  if (request.path == "/watch") {
    return html(page(kGreen, fmt::format("<video src={} muted autoplay style='display:block; "
                                         "width:100vw; height:100vh; object-fit:fill'></video>",
                                         kFilm)));
  }
  return html(
      page(kGreen, fmt::format("<a href=/second target=_blank></a><a href=/file></a>"
                               "<a onclick=\"document.body.style.background='#{:06x}'\"></a>"
                               "<a onclick=\"open('/second', '', 'width=200,height=200')\"></a>",
                               kOrange)));
}

std::string film_of_8k() {
  const sail::TempFolder folder;
  const std::string file = folder.file("film.mp4");
  const std::string made = fmt::format(
      "ffmpeg -loglevel error -f lavfi -i color=0x{:06x}:s=7680x4320:r=10,format=gbrp -frames:v 5 "
      "-vf scale=out_color_matrix=bt709,format=yuv420p -colorspace bt709 -color_primaries bt709 "
      "-color_trc bt709 -c:v libx264 -preset ultrafast -movflags +faststart {}",
      kViolet, file);
  EXPECT_EQ(std::system(made.c_str()), 0);
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

constexpr double kLinkY = 30;
constexpr double kFileY = 90;
constexpr double kChangeY = 150;
constexpr double kPopupY = 210;

class WebWall : public testing::Test {
 protected:
  ChildProgram& show(const std::string& address, std::vector<std::string> more,
                     const ChildProgram::Environment& environment = {{"DISPLAY", ""}}) {
    std::vector<std::string> words{
        WEB_PROGRAM,   address,       "--size",    "400x300",
        "--place=0,0", "--codec=raw", "--manager", wall_.manager_address()};
    words.insert(words.end(), more.begin(), more.end());
    if (geteuid() == 0) words.emplace_back("--no-sandbox");
    program_.emplace(words, environment);
    return *program_;
  }
  void show_site(const std::string& path = "/", std::vector<std::string> more = {}) {
    more.emplace_back("--local");
    show(server_.url(path), more);
  }
  void expect_all(uint32_t colour, const std::string& what) {
    wall_.expect_shown(
        kClear, [colour](int, int) { return colour; }, what);
    if (HasFailure()) ADD_FAILURE() << program_->output();
  }
  void input(sail::Json params) {
    params["window"] = wall_.window()["window"];
    wall_.call("input", params);
  }
  void click(double y, int button = 0) {
    const int mask = std::array{1, 4, 2}.at(static_cast<size_t>(button));  // as in the DOM
    input({{"type", "move"}, {"at", {30, y}}, {"buttons", 0}});
    input({{"type", "down"}, {"at", {30, y}}, {"button", button}, {"buttons", mask}});
    input({{"type", "up"}, {"at", {30, y}}, {"button", button}, {"buttons", 0}});
  }
  void press(const std::vector<std::string>& keys) {
    for (const std::string& key : keys) input({{"type", "key_down"}, {"key", key}});
    for (auto key = keys.rbegin(); key != keys.rend(); ++key) {
      input({{"type", "key_up"}, {"key", *key}});
    }
  }
  bool said(const std::string& what) {
    return eventually([&] { return program_->output().find(what) != std::string::npos; });
  }
  int level_of_green(int x, int y) {
    const ui::TilePictures taken = wall_.tiles();
    if (taken.snapshot.pictures.empty()) return 0xff;
    const sail::TilePicture& tile = taken.snapshot.pictures.front();
    return tile.bgra.at(static_cast<size_t>(y * tile.size.width + x) * 4 + 1);
  }
  size_t asked_for(const std::string& path) {
    size_t count = 0;
    for (const HttpRequest& request : server_.requests()) count += request.path == path ? 1 : 0;
    return count;
  }
  struct Process {
    pid_t pid = 0;
    pid_t parent = 0;
    std::string name{};
  };
  static std::vector<Process> processes() {
    std::vector<Process> all;
    std::error_code error;
    for (const auto& each : std::filesystem::directory_iterator("/proc", error)) {
      std::ifstream stat(each.path() / "stat");
      Process process;
      std::string state;
      if (stat >> process.pid >> process.name >> state >> process.parent) all.push_back(process);
    }
    return all;
  }
  // Returns the browser's process id; 0: it does not run.
  pid_t browser() {
    for (const Process& each : processes()) {
      if (each.parent == program_->pid() && each.name == "(chromium)") return each.pid;
    }
    return 0;
  }
  // Returns the browser's process and all its descendants.
  std::set<pid_t> all_of_browser() {
    const std::vector<Process> all = processes();
    std::set<pid_t> found{browser()};
    for (size_t before = 0; before < found.size();) {
      before = found.size();
      for (const Process& each : all) {
        if (found.contains(each.parent)) found.insert(each.pid);
      }
    }
    return found;
  }
  HeadlessWall wall_{one_tile_wall()};
  HttpServer server_{site};
  std::optional<ChildProgram> program_;
};

TEST_F(WebWall, ShowsAPageThatHearsPeople) {
  show_site();
  expect_all(kGreen, "the page");
  EXPECT_EQ(wall_.window()["title"], fmt::format("127.0.0.1:{}", server_.port()));
  EXPECT_EQ(wall_.window()["frame_size"], (sail::Json{400, 300}));
  click(kChangeY);
  expect_all(kOrange, "after a click");
  EXPECT_EQ(program_->end(), 0) << program_->output();
}

TEST_F(WebWall, NoArrowStandsOnThePageUntilSomebodyPoints) {
  show_site();
  expect_all(kGreen, "the page");
  const sail::Rect middle{180, 130, 60, 60};
  wall_.expect_shown(
      middle, [](int, int) { return kGreen; }, "its middle");
  input({{"type", "move"}, {"at", {200, 150}}, {"buttons", 0}});
  EXPECT_TRUE(eventually([&] { return level_of_green(202, 154) != (kGreen >> 8 & 0xff); }));
}

TEST_F(WebWall, PagesHaveWebGl) {
  show_site("/gl");
  expect_all(kOrange, "drawn by WebGL");
}

TEST_F(WebWall, AnEventDragsAndDrops) {
  show_site("/drag");
  expect_all(kGreen, "the page");
  ChildProgram drag(
      {VITRAIL_PROGRAM, "input", wall_.window()["window"].dump(), "drag", "50", "50", "240", "60"},
      {{"VITRAIL_MANAGER", wall_.manager_address()}});
  EXPECT_TRUE(eventually([&] { return drag.exit_code() == 0; })) << drag.output();
  expect_all(kOrange, "dropped");
}

TEST_F(WebWall, TextOfAllScriptsIsTypedIntoAPage) {
  show_site("/type");
  expect_all(kGreen, "the page");
  click(10);
  ChildProgram typed({VITRAIL_PROGRAM, "input", wall_.window()["window"].dump(), "type", kTyped},
                     {{"VITRAIL_MANAGER", wall_.manager_address()}});
  EXPECT_TRUE(eventually([&] { return typed.exit_code() == 0; })) << typed.output();
  expect_all(kOrange, "typed");
}

TEST_F(WebWall, NewWindowsBecomeThePage) {
  show_site();
  expect_all(kGreen, "the page");
  click(kLinkY);
  expect_all(kViolet, "a link to a new window");
  press({"Alt", "ArrowLeft"});
  expect_all(kGreen, "back");
  press({"Alt", "ArrowRight"});
  expect_all(kViolet, "forward");
  press({"Alt", "ArrowLeft"});
  expect_all(kGreen, "back again");
  click(kPopupY);
  expect_all(kViolet, "a window that a script opens");
  press({"Alt", "ArrowLeft"});
  expect_all(kGreen, "back from there");
  click(kLinkY, 1);
  expect_all(kViolet, "a link by the middle button");
}

TEST_F(WebWall, PeopleGoToOtherAddresses) {
  show_site();
  expect_all(kGreen, "the page");
  press({"Control", "l"});
  // The browser's prompt darkens the page.
  ASSERT_TRUE(eventually([&] { return level_of_green(390, 290) < 0x80; })) << program_->output();
  for (const char key : server_.url("/second")) press({std::string(1, key)});
  press({"Enter"});
  expect_all(kViolet, "where they went");
  const size_t before = asked_for("/second");
  press({"F5"});
  EXPECT_TRUE(eventually([&] { return asked_for("/second") > before; })) << "loaded again";
}

TEST_F(WebWall, NothingIsDownloaded) {
  show_site();
  expect_all(kGreen, "the page");
  click(kFileY);
  EXPECT_TRUE(eventually([&] { return asked_for("/file") > 0; }));
  press({"Control", "s"});
  press({"Control", "o"});
  click(kChangeY, 2);
  click(kChangeY);
  expect_all(kOrange, "the page goes on, and nothing is in front of it");
  EXPECT_FALSE(std::filesystem::exists("vitrail-downloaded"));
}

TEST_F(WebWall, ThisMachineIsNotShown) {
  show(server_.url("/"), {});
  EXPECT_TRUE(said("blocked the page's access to 127.0.0.1")) << program_->output();
  EXPECT_TRUE(server_.requests().empty());
  EXPECT_EQ(program_->end(), 0);
}

TEST_F(WebWall, ABrowserThatWasKilledIsStartedAgain) {
  show_site();
  expect_all(kGreen, "the page");
  const pid_t first = browser();
  ASSERT_GT(first, 0);
  kill(first, SIGKILL);
  expect_all(kMessage, "why there is nothing");
  EXPECT_TRUE(said("terminated by signal 9"));
  click(kLinkY);
  expect_all(kGreen, "again");
  EXPECT_NE(browser(), first);
}

TEST_F(WebWall, APageThatTakesAllMemoryEnds) {
  show_site("/greedy", {"--memory=1024"});
  expect_all(kOrange, "the page");
  click(kLinkY);
  expect_all(kMessage, "why it has ended");
  press({"Enter"});
  expect_all(kOrange, "again");
}

// The page's window follows the wall's commands even while the page draws 8K.
TEST_F(WebWall, APageThatDraws8KDoesNotHoldTheWallUp) {
  show_site("/8k");
  expect_all(kViolet, "the page");
  EXPECT_EQ(wall_.window()["frame_size"], (sail::Json{400, 300}));
  const sail::Json number = wall_.window()["window"];
  wall_.call("move", {{"window", number}, {"x", 80}, {"y", 60}});
  wall_.settle();
  wall_.expect_shown(
      {380, 210, 90, 140}, [](int, int) { return kViolet; }, "moved while it draws");
  wall_.call("close", {{"window", number}});
  EXPECT_TRUE(eventually([&] { return program_->exit_code() == 0; }));
}

// Without a graphics card, each decoded picture takes 50 MB.
TEST_F(WebWall, APageThatPlays8KStaysWithinItsMemory) {
  constexpr rlim_t kMemoryMb = 1024;
  const std::string film = film_of_8k();
  HttpServer films([&film](const HttpRequest& request) {
    if (request.path != kFilm) return site(request);
    HttpAnswer answer = HttpServer::part_of(film, request);
    answer.headers += "Content-Type: video/mp4\r\n";
    return answer;
  });
  show(films.url("/watch"), {"--local", fmt::format("--memory={}", kMemoryMb)});
  constexpr int kCoder = 8;  // tolerance in levels
  wall_.expect_shown(
      kClear, [](int, int) { return kViolet; }, "the film", kCoder);
  const std::set<pid_t> all = all_of_browser();
  EXPECT_GE(all.size(), 2U) << "its own, and the page's";
  for (const pid_t each : all) {
    rlimit data{};
    if (prlimit(each, RLIMIT_DATA, nullptr, &data) == 0) {
      EXPECT_EQ(data.rlim_max, kMemoryMb << 20) << each;
    }
  }
  const sail::Json number = wall_.window()["window"];
  wall_.call("move", {{"window", number}, {"x", 80}, {"y", 60}});
  wall_.settle();
  wall_.expect_shown(
      {380, 210, 90, 140}, [](int, int) { return kViolet; }, "moved", kCoder);
  wall_.call("close", {{"window", number}});
  EXPECT_TRUE(eventually([&] { return program_->exit_code() == 0; }));
}

TEST_F(WebWall, SaysWhatIsMissing) {
  show("vitrail.example", {}, {{"DISPLAY", ""}, {"VITRAIL_CHROMIUM", "/no/such/browser"}});
  EXPECT_TRUE(eventually([&] { return program_->exit_code().has_value(); }));
  EXPECT_EQ(program_->exit_code(), 1);
  EXPECT_TRUE(said("apt install chromium"));
  show("vitrail.example", {}, {{"DISPLAY", ""}, {"VITRAIL_CHROMIUM", "/bin/false"}});
  EXPECT_TRUE(eventually([&] { return program_->exit_code().has_value(); }));
  EXPECT_EQ(program_->exit_code(), 1);
  EXPECT_TRUE(said("the browser failed to start"));
}

TEST_F(WebWall, NothingIsLeftOfIt) {
  show_site();
  expect_all(kGreen, "the page");
  const pid_t number = browser();
  wall_.call("close", {{"window", wall_.window()["window"]}});
  EXPECT_TRUE(eventually([&] { return program_->exit_code().has_value(); }));
  EXPECT_EQ(program_->exit_code(), 0);
  EXPECT_NE(kill(number, 0), 0);
  show_site();
  expect_all(kGreen, "another");
  const pid_t other = browser();
  kill(program_->pid(), SIGKILL);
  EXPECT_TRUE(eventually([&] { return kill(other, 0) != 0; })) << "ours was killed";
}

TEST_F(WebWall, WhatAKilledOneLeftIsGoneWithTheNext) {
  const sail::TempFolder there;
  const auto left = [&] {
    std::set<std::string> names;
    for (const auto& each : std::filesystem::directory_iterator(there.path())) {
      if (each.path().filename().string().starts_with("vitrail-")) names.insert(each.path());
    }
    return names;
  };
  const ChildProgram::Environment environment{{"DISPLAY", ""}, {"TMPDIR", there.path()}};
  show(server_.url("/"), {"--local"}, environment);
  expect_all(kGreen, "the page");
  const pid_t first = browser();
  kill(program_->pid(), SIGKILL);
  EXPECT_TRUE(eventually([&] { return kill(first, 0) != 0; }));
  const std::set<std::string> killed = left();
  EXPECT_EQ(killed.size(), 3U) << "its profile, its screen's secrets, and its sound";
  show(server_.url("/second"), {"--local"}, environment);
  expect_all(kViolet, "another page");
  for (const std::string& each : left()) EXPECT_FALSE(killed.contains(each)) << each;
  EXPECT_EQ(program_->end(), 0) << program_->output();
  EXPECT_TRUE(left().empty());
}

}  // namespace
}  // namespace test
