// The pixels of a whole wall's tiles, compared bit by bit with the reference compositor, for frames
// that passed libsail, sockets, receivers and the barrier.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <set>
#include <string>
#include <utility>

#include "codecs/color/scaling.h"
#include "sail/apps/play/test_card.h"
#include "sail/core/routing/routing.h"
#include "tests/support/headless_wall.h"
#include "tests/support/test_film.h"
#include "ui/client/answers.h"

namespace test {
namespace {

using reference::Picture;

// Two landscape tiles with a gap, one on its side, one upside down, one denser than the wall; two
// of them on one receiver.
sail::Wall irregular_wall() {
  return sail::parse_wall(R"({"tiles": [
    {"name": "a", "at": [0, 0], "resolution": [320, 200], "receiver": "one"},
    {"name": "b", "at": [328, 0], "resolution": [320, 200], "receiver": "two"},
    {"name": "side", "at": [656, 0], "resolution": [300, 180], "rotation": 90, "receiver": "two",
     "window_at": [320, 0]},
    {"name": "down", "at": [0, 208], "resolution": [256, 160], "rotation": 180, "receiver": "three"},
    {"name": "dense", "at": [264, 208], "resolution": [400, 240], "size": [200, 120],
     "receiver": "three", "window_at": [256, 0]}]})")
      .value();
}

// A window and its expected picture.
class Player {
 public:
  Player(sail::Session& session, sail::Size size, const sail::Rect& place, const char* codec,
         const char* transport, int delay_ms = 0, const sail::Stream* replaced = nullptr)
      : size_(size), codec_(*sail::parse_codec_spec(codec)) {
    sail_stream_options options{};
    options.title = "test";
    options.codec = codec;
    options.width = size.width;
    options.height = size.height;
    options.place = {place.x, place.y, place.width, place.height};
    options.wait_when_full = 1;
    options.transport = transport;
    options.delay_ms = delay_ms;
    options.replaces = replaced == nullptr ? nullptr : replaced->get();
    std::string error;
    stream_ = session.open(options, &error);
    EXPECT_TRUE(stream_) << error;
  }

  sail::Stream& stream() { return stream_; }
  uint32_t window() const { return stream_.id(); }
  sail::Size size() const { return size_; }
  codecs::CodecId codec() const { return codec_.codec.id; }
  bool alpha() const { return codec_.codec.id == codecs::CodecId::kDxt5; }
  // The expected picture for frames halved of_frame times before encoding and shown at this
  // reduction.
  Picture shown(int of_frame, int reduction) const {
    return through(codec_, card_, of_frame, reduction);
  }

  sail_status submit(const Picture& picture, uint64_t* number = nullptr) {
    sail_frame frame{};
    frame.format = SAIL_BGRA;
    frame.planes[0] = picture.pixels.data();
    frame.strides[0] = ptrdiff_t{picture.width} * 4;
    return stream_.submit(frame, number);
  }
  // Submits a card and waits until it is known to be shown (or that no tile shows the window).
  void show(uint64_t card_number) {
    card_ = test_card(size_, card_number);
    for (size_t i = 3; alpha() && i < card_.pixels.size(); i += 4) {
      card_.pixels[i] = static_cast<uint8_t>(i / 64);
    }
    show_again();
  }
  // Number of halvings before the card was encoded, if the current map needs this reduction: a
  // still picture is not encoded again as long as the encoded one contains the needed resolution.
  int coded_for(int reduction) {
    coded_ = std::exchange(fresh_, false) ? reduction : std::min(coded_, reduction);
    return coded_;
  }
  void show_again() {
    fresh_ = true;
    ASSERT_EQ(submit(card_), SAIL_OK);
    const uint64_t before = stream_.stats().frames_submitted;
    EXPECT_TRUE(eventually([&] {
      const sail_stream_stats stats = stream_.stats();
      return stats.frames_in_flight == 0 && stats.frames_submitted == before;
    }));
  }

 private:
  sail::Size size_;
  sail::CodecSpec codec_;
  sail::Stream stream_;
  Picture card_;
  bool fresh_ = false;
  int coded_ = 0;
};

class WallPixels : public testing::Test {
 protected:
  explicit WallPixels(const char* transport = "tcp") : transport_(transport) {}

  void start(const sail::Wall& wall) {
    wall_ = std::make_unique<HeadlessWall>(wall);
    session_ = wall_->open_session("pixels");
    ASSERT_TRUE(*session_);
  }

  Player& open(sail::Size size, const sail::Rect& place, const char* codec = "dxt1") {
    players_.push_back(
        std::make_unique<Player>(*session_, size, place, codec, transport_, delay_ms_));
    return *players_.back();
  }
  // Waits for the layout and submits again on request, as applications of still pictures do: also
  // after the manager's answer, because the manager may have stopped waiting for a slow
  // application.
  void settle() {
    EXPECT_TRUE(eventually([&] {
      const bool settled = ui::true_member(wall_->call("list"), "settled");
      return !refresh_asked() && settled;
    }));
  }
  bool refresh_asked() {
    bool asked = false;
    while (const auto event = session_->poll()) {
      for (const auto& player : players_) {
        const bool meant = event->stream == player->stream().get();
        if (!meant || event->type != SAIL_EVENT_REFRESH) continue;
        player->show_again();
        asked = true;
      }
    }
    return asked;
  }

  // The windows bottom to top as the manager lists them, with the expected picture of each on the
  // receiver's tiles.
  std::vector<reference::Window> windows(const std::string& receiver) {
    std::vector<sail::RoutedWindow> routed;
    std::vector<Player*> players;
    for (const sail::Json& window : wall_->windows()) {
      const auto rect = window["rect"].get<std::vector<int>>();
      for (const auto& player : players_) {
        if (player->window() != window["window"]) continue;
        players.push_back(player.get());
        routed.push_back({.window = player->window(),
                          .wall_rect = {rect[0], rect[1], rect[2], rect[3]},
                          .frame_size = player->size(),
                          .block_size = sail::default_block_size(player->codec()),
                          .max_reduction = codecs::kMaxReduction,
                          .scaling = sail::scaling_of(player->codec()),
                          .alpha = player->alpha(),
                          .look = look_of(window)});
      }
    }
    const std::vector<sail::RoutingMap> maps = sail::route(wall_->wall(), routed);
    std::vector<reference::Window> windows;
    for (size_t i = 0; i < routed.size(); ++i) {
      // Frames are halved as often as all receivers of the map permit.
      int of_frame = codecs::kMaxReduction;
      for (const sail::ReceiverBlocks& one : maps[i].receivers) {
        of_frame = std::min(of_frame, one.reduction);
      }
      const int reduction = sail::reduction_for(wall_->wall(), receiver, routed[i]);
      windows.push_back(
          {routed[i].wall_rect,
           reference::seen(
               players[i]->shown(std::min(players[i]->coded_for(of_frame), reduction), reduction),
               routed[i].look),
           routed[i].blended()});
    }
    return windows;
  }

  static sail::ViewTransform look_of(const sail::Json& window) {
    if (!window.contains("look")) return {};
    return sail::message_from_json<sail::ViewTransform>(window["look"], "look").value();
  }

  void expect_right_picture(const std::string& what) {
    settle();
    const ui::TilePictures taken = wall_->tiles();
    const sail::Wall& wall = wall_->wall();
    ASSERT_EQ(taken.snapshot.pictures.size(), wall.tiles.size()) << what;
    for (const sail::ReceiverPlace& receiver : wall.receivers) {
      const std::vector<Picture> expected = reference::show_on_wall(wall, windows(receiver.name));
      for (const sail::TilePicture& tile : taken.snapshot.pictures) {
        const sail::Tile* found = wall.find_tile(tile.tile);
        if (found->receiver != receiver.name) continue;
        const auto index = static_cast<size_t>(found - wall.tiles.data());
        compare(tile, expected[index], what + ", tile " + tile.tile);
      }
    }
  }

  static void compare(const sail::TilePicture& shown, const Picture& expected,
                      const std::string& what) {
    ASSERT_EQ(shown.size, (sail::Size{expected.width, expected.height})) << what;
    if (shown.bgra == expected.pixels) return;
    size_t wrong = 0;
    size_t first = shown.bgra.size();
    for (size_t i = 0; i < shown.bgra.size(); ++i) {
      if (shown.bgra[i] == expected.pixels[i]) continue;
      first = std::min(first, i);
      ++wrong;
    }
    const size_t pixel = first / 4;
    const auto width = static_cast<size_t>(shown.size.width);
    ADD_FAILURE() << what << ": " << wrong << " bytes differ, first at (" << pixel % width << ", "
                  << pixel / width << ")";
  }

  const char* const transport_;
  int delay_ms_ = 0;  // the library's choice
  std::unique_ptr<HeadlessWall> wall_;
  std::unique_ptr<sail::Session> session_;
  std::vector<std::unique_ptr<Player>> players_;  // destroyed before the session

  void TearDown() override {
    players_.clear();
    session_.reset();
    wall_.reset();
  }
};

// Tests that must pass with every transport.
class WallPixelsOver : public WallPixels, public testing::WithParamInterface<const char*> {
 protected:
  WallPixelsOver() : WallPixels(GetParam()) {}
};
INSTANTIATE_TEST_SUITE_P(Transports, WallPixelsOver, testing::Values("tcp", "udp"),
                         [](const auto& transport) { return std::string(transport.param); });

TEST_P(WallPixelsOver, OneWindowAcrossAllTilesGoesOnBehindTheMullions) {
  start(grid_wall());
  open({650, 366}, {0, 0, 650, 366}).show(1);
  expect_right_picture("1:1");
}

TEST_P(WallPixelsOver, EveryTileOfAnIrregularWallShowsItsPart) {
  start(irregular_wall());
  Player& player = open({640, 360}, {0, 0, 836, 368});
  player.show(1);
  expect_right_picture("scaled up");
  player.show(2);
  expect_right_picture("second frame");
}

TEST_F(WallPixels, OddSizesAndPlacesPartlyOffTheWall) {
  start(grid_wall());
  open({333, 251}, {-50, -31, 333, 251}).show(1);
  open({127, 63}, {600, 300, 127, 63}).show(2);
  open({1, 1}, {5, 300, 40, 30}).show(3);
  open({200, 100}, {5000, 5000, 200, 100}).show(4);
  expect_right_picture("odd sizes");
}

TEST_P(WallPixelsOver, ChangesOfAStillPictureShowWithoutANewFrame) {
  start(irregular_wall());
  Player& below = open({320, 200}, {10, 10, 320, 200});
  Player& above = open({256, 256}, {100, 100, 256, 256});
  below.show(1);
  above.show(2);
  expect_right_picture("as opened");
  wall_->call("move", {{"window", below.window()}, {"x", 390}, {"y", 60}});
  expect_right_picture("moved");
  wall_->call("resize", {{"window", above.window()}, {"width", 700}, {"height", 150}});
  expect_right_picture("resized");
  wall_->call("raise", {{"window", below.window()}});
  expect_right_picture("raised");
  wall_->call("lower", {{"window", below.window()}});
  expect_right_picture("lowered");
  wall_->call("fit", {{"window", below.window()}, {"tile", "side"}});
  expect_right_picture("fitted into a tile");
  wall_->call("arrange");
  expect_right_picture("arranged");
  players_.erase(players_.begin());
  EXPECT_TRUE(eventually([&] { return wall_->windows().size() == 1; }));
  expect_right_picture("closed");
}

// The windows are beside the tile "dense": where pixels are interpolated, rounding depends on the
// rotation.
TEST_P(WallPixelsOver, WindowsAreTurnedAndBlendedWithoutANewFrame) {
  start(irregular_wall());
  Player& below = open({160, 200}, {500, 0, 160, 200});
  Player& above = open({256, 128}, {430, 40, 256, 128});
  below.show(1);
  above.show(2);
  const auto look = [&](const Player& player, sail::Json params) {
    params["window"] = player.window();
    wall_->call("look", params);
    expect_right_picture(params.dump());
  };
  look(above, {{"rotate", 90}});
  look(above, {{"flip", true}});
  look(above, {{"opacity", 0.4}});
  look(above, {{"rotate", 180}, {"opacity", 0.7}});
  look(below, {{"rotate", 270}});
  look(above, {{"rotate", 0}, {"flip", false}, {"opacity", 1}});
  // The part at its original size: only the tiles that showed the part have its blocks.
  wall_->call("look", {{"window", above.window()}, {"crop", {64, 32, 128, 64}}});
  wall_->call("resize", {{"window", above.window()}, {"width", 128}, {"height", 64}});
  expect_right_picture("a part");
  wall_->call("undo");
  wall_->call("undo");
  look(above, {{"stereo", "anaglyph"}});
}

TEST_F(WallPixels, AnyLayoutOnAnyWall) {
  std::mt19937 random(20);
  const auto pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  for (const sail::Wall& wall : {grid_wall(), irregular_wall()}) {
    start(wall);
    const char* codecs[] = {"dxt1",           "dxt1+lz4:fast", "dxt5+zstd",    "dxt5ycocg:fast",
                            "htj2k:lossless", "raw+lz4",       "j2k:lossless", "raw"};
    for (int i = 0; i < 8; ++i) {
      open({pick(1, 500), pick(1, 400)}, {0, 0, 100, 100}, codecs[i])
          .show(static_cast<uint64_t>(i));
    }
    expect_right_picture(wall.name + ", as opened");
    for (int round = 0; round < 24; ++round) {
      Player& player = *players_[static_cast<size_t>(pick(0, 7))];
      wall_->call("resize",
                  {{"window", player.window()}, {"width", pick(1, 900)}, {"height", pick(1, 700)}});
      wall_->call("move",
                  {{"window", player.window()}, {"x", pick(-300, 800)}, {"y", pick(-300, 400)}});
      if (round % 3 == 0) wall_->call("raise", {{"window", player.window()}});
      if (round % 2 == 0) player.show(static_cast<uint64_t>(100 + round));
      expect_right_picture(wall.name + ", round " + std::to_string(round));
      if (HasFailure()) return;
    }
    TearDown();
  }
}

TEST_P(WallPixelsOver, SmallWindowsGetSmallPictures) {
  start(grid_wall());
  Player& player = open({640, 360}, {0, 0, 640, 360});
  player.show(1);
  expect_right_picture("as opened");
  const uint64_t whole = player.stream().stats().bytes_sent;
  wall_->call("resize", {{"window", player.window()}, {"width", 160}, {"height", 90}});
  expect_right_picture("a quarter");
  const uint64_t quarter = player.stream().stats().bytes_sent - whole;
  EXPECT_LT(quarter, whole / 8);
  wall_->call("resize", {{"window", player.window()}, {"width", 640}, {"height", 360}});
  expect_right_picture("whole again");
}

// A frame is encoded once; each receiver gets the resolutions that its tiles show.
TEST_P(WallPixelsOver, EachReceiverGetsTheResolutionsThatItShows) {
  delay_ms_ = 500;  // a busy machine encodes JPEG 2000 slowly
  start(irregular_wall());
  Player& player = open({1280, 720}, {0, 0, 836, 368}, "htj2k:lossless");
  player.show(1);
  expect_right_picture("whole to some, halved to others");
  const uint64_t first = player.stream().stats().bytes_sent;
  wall_->call("resize", {{"window", player.window()}, {"width", 209}, {"height", 92}});
  expect_right_picture("small");
  EXPECT_LT(player.stream().stats().bytes_sent - first, first / 2);
  const uint64_t second = player.stream().stats().bytes_sent;
  player.show(2);
  expect_right_picture("coded small");
  EXPECT_LT(player.stream().stats().bytes_sent - second, first / 8);
  wall_->call("resize", {{"window", player.window()}, {"width", 1600}, {"height", 900}});
  expect_right_picture("large");
}

TEST_P(WallPixelsOver, AStreamTakesThePlaceOfAnotherInOneSwap) {
  delay_ms_ = 500;  // a busy machine encodes JPEG 2000 slowly
  start(grid_wall());
  Player& first = open({640, 360}, {0, 0, 640, 360}, "dxt1");
  first.show(1);
  expect_right_picture("dxt1");
  players_.push_back(std::make_unique<Player>(*session_, sail::Size{640, 360}, sail::Rect{},
                                              "htj2k:lossless", transport_, delay_ms_,
                                              &first.stream()));
  // The old picture stays until the new stream has a frame.
  const ui::TilePictures between = wall_->tiles();
  for (const sail::TilePicture& tile : between.snapshot.pictures) {
    EXPECT_TRUE(std::any_of(tile.bgra.begin(), tile.bgra.end(), [](uint8_t byte) {
      return byte != 0 && byte != 255;
    })) << tile.tile;
  }
  players_.erase(players_.begin());
  players_.back()->show(2);
  expect_right_picture("htj2k");
}

TEST_P(WallPixelsOver, WhatWasHiddenIsShownWhenItIsUncovered) {
  start(grid_wall());
  Player& film = open({640, 360}, {0, 0, 640, 360});
  Player& cover = open({320, 180}, {0, 0, 320, 180});
  cover.show(1);
  for (uint64_t number = 1; number <= 5; ++number) film.show(number);
  expect_right_picture("covered");
  wall_->call("move", {{"window", cover.window()}, {"x", 330}, {"y", 186}});
  expect_right_picture("uncovered");
}

// Submitting the same slide again costs almost nothing, and moving it little more.
TEST_P(WallPixelsOver, UnchangedBlocksAreNotSent) {
  start(grid_wall());
  Player& slide = open({640, 360}, {0, 0, 640, 360});
  slide.show(1);
  expect_right_picture("shown");
  const uint64_t first = slide.stream().stats().bytes_sent;
  for (int i = 0; i < 10; ++i) slide.show_again();
  wall_->call("move", {{"window", slide.window()}, {"x", 2}, {"y", 1}});
  expect_right_picture("moved");
  EXPECT_LT(slide.stream().stats().bytes_sent - first, first / 10);
  slide.show(2);
  expect_right_picture("another slide");
}

TEST_P(WallPixelsOver, AReceiverThatComesLateGetsTheStillPicture) {
  start(grid_wall());
  open({650, 366}, {0, 0, 650, 366}).show(7);
  wall_->stop_receiver("node3");
  EXPECT_TRUE(eventually([&] { return !wall_->connected("node3"); }));
  wall_->start_receiver("node3");
  EXPECT_TRUE(eventually([&] { return wall_->connected("node3"); }));
  expect_right_picture("after the return");
}

TEST_P(WallPixelsOver, TilesShowOneFrameWhileItPlaysAndMoves) {
  start(grid_wall());
  Player& player = open({640, 360}, {0, 0, 640, 360});
  std::atomic<bool> playing = true;
  std::thread thread([&] {
    sail::TestCard painter({640, 360}, 30);
    for (uint64_t number = 1; playing; ++number) {
      const codecs::ImageView view = painter.paint(number);
      sail_frame frame{};
      frame.format = SAIL_BGRA;
      frame.planes[0] = view.planes[0];
      frame.strides[0] = view.strides[0];
      player.stream().submit(frame);
    }
  });
  std::set<uint32_t> seen;
  for (int i = 0; i < 10; ++i) {
    wall_->call("move", {{"window", player.window()}, {"x", 3 * i}, {"y", 2 * i}});
    std::set<uint32_t> frames;
    for (const sail::TilePicture& tile : wall_->tiles().snapshot.pictures) {
      frames.merge(cards_on(tile));
    }
    EXPECT_LE(frames.size(), kMostFramesAtOnce) << "snapshot " << i;
    seen.insert(frames.begin(), frames.end());
  }
  playing = false;
  thread.join();
  EXPECT_GT(seen.size(), 3U) << "the film went on meanwhile";
}

// Frames arrive, are decoded and completed while a receiver ends.
TEST_F(WallPixels, ReceiversEndInTheMiddleOfAFilm) {
  start(grid_wall());
  Player& player = open({640, 360}, {0, 0, 640, 360}, "htj2k");
  std::atomic<bool> playing = true;
  std::thread thread([&] {
    const Picture picture = test_card({640, 360}, 1);
    while (playing) player.submit(picture);
  });
  const std::string name = wall_->wall().receivers[0].name;
  for (int i = 0; i < 20; ++i) {
    const uint64_t shown = player.stream().stats().frames_shown;
    EXPECT_TRUE(eventually([&] { return player.stream().stats().frames_shown > shown + 2; }));
    wall_->stop_receiver(name);
    wall_->start_receiver(name);
    EXPECT_TRUE(eventually([&] { return wall_->connected(name); }));
  }
  playing = false;
  thread.join();
}

TEST_F(WallPixels, EveryPixelFormatShowsItsColours) {
  start(grid_wall());
  constexpr int kSide = 64;
  // Red in each pixel format (BT.709, limited range for YUV).
  const std::vector<uint8_t> luma(kSide * kSide, 63);
  const std::vector<uint8_t> cb(kSide * kSide / 4, 102);
  const std::vector<uint8_t> cr(kSide * kSide / 4, 240);
  std::vector<uint8_t> cbcr;
  for (size_t i = 0; i < cb.size(); ++i) cbcr.insert(cbcr.end(), {cb[i], cr[i]});
  std::vector<uint8_t> rgba;
  std::vector<uint8_t> bgra;
  std::vector<uint8_t> rgb;
  for (int i = 0; i < kSide * kSide; ++i) {
    rgba.insert(rgba.end(), {255, 0, 0, 9});
    bgra.insert(bgra.end(), {0, 0, 255, 9});
    rgb.insert(rgb.end(), {255, 0, 0});
  }
  const sail_frame frames[] = {
      {SAIL_RGBA, {rgba.data()}, {kSide * 4}, {}, {}, nullptr, nullptr, 8, 0, 0},
      {SAIL_BGRA, {bgra.data()}, {kSide * 4}, {}, {}, nullptr, nullptr, 8, 0, 0},
      {SAIL_RGB, {rgb.data()}, {kSide * 3}, {}, {}, nullptr, nullptr, 8, 0, 0},
      {SAIL_NV12, {luma.data(), cbcr.data()}, {kSide, kSide}, {}, {}, nullptr, nullptr, 8, 0, 0},
      {SAIL_I420,
       {luma.data(), cb.data(), cr.data()},
       {kSide, kSide / 2, kSide / 2},
       {},
       {},
       nullptr,
       nullptr,
       8,
       0,
       0}};
  for (const sail_frame& frame : frames) {
    Player& player = open({kSide, kSide}, {0, 0, kSide, kSide});
    ASSERT_EQ(player.stream().submit(frame), SAIL_OK);
    EXPECT_TRUE(eventually([&] { return player.stream().stats().frames_shown == 1; }));
    const ui::WallPicture picture = ui::wall_picture(wall_->tiles());
    const uint8_t* pixel = picture.pixels.data() + (ptrdiff_t{30} * picture.size.width + 30) * 4;
    EXPECT_NEAR(pixel[0], 0, 4) << "blue, format " << frame.format;
    EXPECT_NEAR(pixel[1], 0, 4) << "green, format " << frame.format;
    EXPECT_NEAR(pixel[2], 255, 4) << "red, format " << frame.format;
    players_.clear();
  }
}

TEST_F(WallPixels, IdentifyShowsNamesAndTakesThemAway) {
  start(grid_wall());
  expect_right_picture("empty");
  wall_->call("identify", {{"on", true}});
  wall_->settle();
  std::set<std::vector<uint8_t>> pictures;
  for (const sail::TilePicture& tile : wall_->tiles().snapshot.pictures) pictures.insert(tile.bgra);
  EXPECT_EQ(pictures.size(), 4U) << "each tile shows another name";
  wall_->call("identify", {{"on", false}});
  expect_right_picture("names gone");
}

}  // namespace
}  // namespace test
