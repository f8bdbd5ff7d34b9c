// A film server and a whole wall: the tiles show the pictures that match the films' times and the
// clients' requests.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "sail/apps/play/bplay.h"
#include "tests/support/disk_server_thread.h"
#include "tests/support/film_server_thread.h"
#include "tests/support/headless_wall.h"
#include "tests/support/temp_folder.h"
#include "tests/support/test_film.h"
#include "ui/client/answers.h"

namespace test {
namespace {

using sail::Json;
using Cards = std::set<uint32_t>;

constexpr int kServedFps = 25;
constexpr sail::Size kWhole{650, 366};
constexpr sail::Size kHalf{320, 366};

double time_of(uint32_t card) {
  return (card - 0.5) / kServedFps;
}

class ServerWall : public testing::Test {
 protected:
  ServerWall() {
    write_test_film(folder_.file("whole.vmov"),
                    {.size = kWhole, .codec = "dxt1", .fps = kServedFps});
    write_test_film(folder_.file("left.vmov"),
                    {.size = kHalf, .codec = "dxt1+lz4", .fps = kServedFps});
    write_test_film(folder_.file("right.vmov"),
                    {.size = kHalf, .codec = "dxt5ycocg:fast", .fps = kServedFps});
    server_ = std::make_unique<FilmServerThread>(server::FilmServerOptions{
        .library = server::Library::open(folder_.file("")).value(),
        .managers = {sail::parse_address(wall_.manager_address(), {}).value()}});
  }

  int play(const std::string& title, Json place, Json more = Json::object()) {
    more.update({{"title", title}, {"place", std::move(place)}});
    return server_->call("play", more).value("film", 0);
  }
  bool all_come_to(uint32_t card) {
    return eventually([&] { return cards_on_all_tiles(wall_) == Cards{card}; });
  }
  bool halves_come_to(uint32_t left, uint32_t right) {
    return eventually([&] {
      return shown_cards(wall_) ==
             std::map<std::string, Cards>{
                 {"c1r1", {left}}, {"c1r2", {left}}, {"c2r1", {right}}, {"c2r2", {right}}};
    });
  }
  Json films() { return server_->call("films")["films"]; }
  size_t windows() { return wall_.windows().size(); }
  // Expects new cards several times, and never two cards at once.
  void expect_playing() {
    Cards seen;
    EXPECT_TRUE(eventually([&] {
      const Cards cards = cards_on_all_tiles(wall_);
      EXPECT_LE(cards.size(), kMostFramesAtOnce) << "all tiles show one picture";
      seen.insert(cards.begin(), cards.end());
      return seen.size() > 3;
    }));
  }

  const sail::TempFolder folder_;
  HeadlessWall wall_{grid_wall()};
  std::unique_ptr<FilmServerThread> server_;
};

TEST_F(ServerWall, ShowsTwoFilmsAtOnceEachAsItIsAsked) {
  const int left = play("left.vmov", {0, 0}, {{"paused", true}, {"loop", true}});
  const int right = play("right.vmov", {330, 0}, {{"paused", true}, {"start_s", time_of(40)}});
  EXPECT_TRUE(halves_come_to(1, 40));
  server_->call("seek", {{"film", left}, {"to_s", time_of(77)}});
  EXPECT_TRUE(halves_come_to(77, 40));
  server_->call("seek", {{"film", right}, {"to_s", time_of(100)}});
  server_->call("seek", {{"film", left}, {"to_s", time_of(3)}});
  server_->call("seek", {{"film", left}, {"to_s", time_of(2)}});
  EXPECT_TRUE(halves_come_to(2, 100)) << "the last one counts";
  server_->call("stop", {{"film", right}});
  EXPECT_TRUE(eventually([&] { return windows() == 1; }));
  EXPECT_TRUE(eventually([&] { return films().size() == 1; }));
  server_->call("resume", {{"film", left}});
  EXPECT_TRUE(eventually([&] { return shown_cards(wall_)["c1r1"] > Cards{30}; }));
}

// A film that was cut for the wall, and codestreams of other encoders, one block per picture.
TEST_F(ServerWall, SendsJpeg2000AsItIsStored) {
  write_test_film(folder_.file("cut.vmov"),
                  {.size = kHalf, .codec = "htj2k:4bpp", .fps = kServedFps});
  TestFilm cards{.size = kHalf, .codec = {}, .fps = kServedFps, .frames = 40};
  write_test_cards(folder_.file("others.mxf"), cards, "-c:v jpeg2000 -pix_fmt yuv444p -q:v 1");
  const int cut = play("cut.vmov", {0, 0}, {{"paused", true}});
  const int others = play("others.mxf", {330, 0}, {{"paused", true}});
  EXPECT_TRUE(halves_come_to(1, 1));
  server_->call("seek", {{"film", cut}, {"to_s", time_of(90)}});
  server_->call("seek", {{"film", others}, {"to_s", time_of(33)}});
  EXPECT_TRUE(halves_come_to(90, 33));
  for (const Json& film : films()) {
    EXPECT_TRUE(film.value("codec", "").ends_with("j2k")) << film;
  }
}

TEST_F(ServerWall, PlaysLoopsAndEnds) {
  const int film = play("whole.vmov", {0, 0}, {{"loop", true}, {"start_s", 3.5}, {"rate", 2}});
  expect_playing();
  EXPECT_TRUE(eventually([&] { return films()[0].value("position_s", 9.0) < 3; }))
      << "from its start";
  expect_playing();
  server_->call("pause", {{"film", film}});
  EXPECT_EQ(films()[0].value("state", ""), "paused");
  server_->call("seek", {{"film", film}, {"to_s", time_of(60)}});
  EXPECT_TRUE(all_come_to(60));
  EXPECT_GT(films()[0].value("frames_shown", 0), 10);
  server_->call("stop", {{"film", film}});
  play("whole.vmov", {0, 0}, {{"start_s", 3.6}});
  EXPECT_TRUE(eventually([&] { return films().empty() && windows() == 0; })) << "it has an end";
}

TEST_F(ServerWall, TheWallControlsItsFilms) {
  play("whole.vmov", {0, 0}, {{"paused", true}});
  EXPECT_TRUE(all_come_to(1));
  const int window = films()[0].value("window", 0);
  const auto control = [&](const char* action, double value) {
    wall_.call("control", {{"window", window}, {"action", action}, {"value", value}});
  };
  control("seek", time_of(51));
  EXPECT_TRUE(all_come_to(51));
  EXPECT_TRUE(eventually([&] {
    const Json windows = wall_.windows();
    const Json playback = ui::member(windows[0], "playback");
    return ui::true_member(playback, "paused") &&
           std::abs(playback.value("position_s", -1.0) - time_of(51)) < 1.0 / kServedFps;
  })) << "the wall's clients see where it is";
  wall_.call("move", {{"window", window}, {"x", -64}, {"y", 0}});
  wall_.call("move", {{"window", window}, {"x", 0}, {"y", 0}});
  EXPECT_TRUE(all_come_to(51)) << "still there after a move";
  wall_.call("control", {{"window", window}, {"action", "resume"}});
  expect_playing();
  wall_.call("close", {{"window", window}});
  EXPECT_TRUE(eventually([&] { return films().empty(); }));
}

TEST_F(ServerWall, AReceiverThatComesBackShowsAPausedFilm) {
  play("whole.vmov", {0, 0}, {{"paused", true}, {"start_s", time_of(33)}});
  EXPECT_TRUE(all_come_to(33));
  const std::string victim = wall_.wall().receivers.back().name;
  wall_.stop_receiver(victim);
  EXPECT_TRUE(eventually([&] { return !wall_.connected(victim); }));
  wall_.start_receiver(victim);
  EXPECT_TRUE(eventually([&] { return wall_.connected(victim); }));
  EXPECT_TRUE(all_come_to(33));
}

// Each picture comes from any disk servers that have a copy and are running.
TEST_F(ServerWall, AFilmOnDiskServersIsShownWithoutOneOfThem) {
  std::vector<std::unique_ptr<DiskServerThread>> disks;
  std::vector<sail::Address> addresses;
  for (const char* name : {"a", "b", "c", "d"}) {
    std::filesystem::create_directory(folder_.file(name));
    disks.push_back(std::make_unique<DiskServerThread>(
        server::DiskServerOptions{.folder = folder_.file(name)}));
    addresses.push_back(disks.back()->address());
  }
  server_ = std::make_unique<FilmServerThread>(server::FilmServerOptions{
      .library = server::Library::open(folder_.file("")).value(),
      .managers = {sail::parse_address(wall_.manager_address(), {}).value()},
      .disks = std::move(addresses)});
  const std::vector<uint32_t> cards = {3, 97, 31, 32, 60, 1, 78};
  const auto pixels_of_cards = [&](int film) {
    std::map<std::pair<uint32_t, std::string>, std::vector<uint8_t>> pixels;
    server_->call("pause", {{"film", film}});
    for (const uint32_t card : cards) {
      server_->call("seek", {{"film", film}, {"to_s", time_of(card)}});
      EXPECT_TRUE(all_come_to(card)) << card;
      for (const auto& tile : wall_.tiles().snapshot.pictures) {
        pixels[{card, tile.tile}] = tile.bgra;
      }
    }
    server_->call("stop", {{"film", film}});
    EXPECT_TRUE(eventually([&] { return films().empty() && windows() == 0; }));
    return pixels;
  };
  const auto from_the_folder = pixels_of_cards(play("whole.vmov", {0, 0}));
  server_->call("place", {{"title", "whole.vmov"}, {"stripe", 4}, {"copies", 2}});
  std::filesystem::remove(folder_.file("whole.vmov"));
  const int film = play("whole.vmov", {0, 0}, {{"loop", true}});
  expect_playing();
  disks[2]->stop();
  expect_playing();
  EXPECT_EQ(from_the_folder.size(), 4 * cards.size());
  EXPECT_TRUE(pixels_of_cards(film) == from_the_folder);
}

TEST_F(ServerWall, BplayAsksForAFilm) {
  sail::BplayOptions options;
  options.films = {"server://" + sail::address_text(server_->address()) + "/whole.vmov"};
  options.manager = wall_.manager_address();
  options.place = sail::Rect{0, 0, kWhole.width, kWhole.height};
  options.title = "From afar";
  options.start_s = time_of(20);
  options.paused = true;
  options.log_level = sail::LogLevel::kOff;
  int code = -1;
  std::jthread player([&] { code = sail::Bplay(options).run(); });
  EXPECT_TRUE(all_come_to(20));
  const Json state = wall_.call("list");
  const Json windows = ui::member(state, "windows");
  ASSERT_FALSE(windows.empty());
  const Json& window = windows[0];
  EXPECT_EQ(window.value("title", ""), "From afar");
  EXPECT_EQ(window.value("owner", ""), "vitrail-server");
  wall_.call("control", {{"window", window.value("window", 0)}, {"action", "resume"}});
  player.join();
  EXPECT_EQ(code, 0) << "it ends with the film";
  EXPECT_TRUE(eventually([&] { return films().empty(); }));
}

TEST_F(ServerWall, BplaySaysWhatCannotBePlayed) {
  folder_.write("film.mp4", "this would have to be decoded");
  const std::string server = "server://" + sail::address_text(server_->address());
  for (const std::string& film :
       {server + "/nothing.vmov", server + "/film.mp4", server + "/../etc/passwd",
        std::string("server://127.0.0.1:1/a")}) {
    sail::BplayOptions options;
    options.films = {film};
    options.manager = wall_.manager_address();
    options.log_level = sail::LogLevel::kOff;
    EXPECT_EQ(sail::Bplay(options).run(), 1) << film;
  }
  EXPECT_TRUE(eventually([&] { return films().empty(); }));
}

}  // namespace
}  // namespace test
