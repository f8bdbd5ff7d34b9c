// One stream from several senders on a whole wall: what the tiles show, compared with what one
// sender of whole frames would show, whatever parts and tiles; and what becomes of ranks that are
// silent, die, come late or disagree.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "sail/apps/bplay.h"
#include "sail/net/rpc_client.h"
#include "tests/support/headless_wall.h"
#include "tests/support/temp_folder.h"
#include "tests/support/test_film.h"
#include "ui/answers.h"

namespace test {
namespace {

using reference::Picture;
using sail::Rect;
using sail::Size;

constexpr Size kFrame{640, 360};

std::vector<Rect> bands(Size frame, int ranks) {
  std::vector<Rect> regions;
  for (int rank = 0; rank < ranks; ++rank) regions.push_back(sail::band_of(frame, rank, ranks));
  return regions;
}

// Two columns, of which the right one is cut in two or three.
std::vector<Rect> columns(Size frame, int ranks) {
  std::vector<Rect> regions{{0, 0, 264, frame.height}};
  for (Rect band : bands({frame.width - 264, frame.height}, ranks - 1)) {
    band.x = 264;
    regions.push_back(band);
  }
  return regions;
}

// The ranks of one picture, each an application of its own.
class Ranks {
 public:
  struct Wish {
    std::vector<Rect> regions = bands(kFrame, 3);
    Rect place{0, 0, kFrame.width, kFrame.height};
    const char* absent = "wait";
    Size frame = kFrame;
    std::string name = "parallel";
  };
  Ranks(const HeadlessWall& wall, const Wish& wish)
      : frame_(wish.frame), regions_(wish.regions), errors_(regions_.size()) {
    streams_.resize(regions_.size());
    for (size_t rank = 0; rank < regions_.size(); ++rank) {
      sessions_.push_back(wall.open_session(("rank " + std::to_string(rank)).c_str()));
    }
    std::vector<std::thread> joining;
    for (size_t rank = 0; rank < regions_.size(); ++rank) {
      joining.emplace_back([this, &wish, rank] { join(wish, rank); });
    }
    for (std::thread& each : joining) each.join();
  }

  bool opened() const {
    return std::ranges::all_of(streams_, [](const auto& one) { return !!one; });
  }
  const std::vector<std::string>& errors() const { return errors_; }
  uint32_t window() const { return streams_[0].id(); }
  size_t count() const { return streams_.size(); }
  sail::Session& session(size_t rank) { return *sessions_[rank]; }
  sail::Stream& stream(size_t rank) { return streams_[rank]; }
  uint64_t shown(size_t rank = 0) const { return streams_[rank].stats().frames_shown; }

  // The rank's part of a test card.
  sail_status submit(size_t rank, const Picture& card) {
    const Rect& region = regions_[rank];
    sail_frame frame{};
    frame.format = SAIL_BGRA;
    frame.planes[0] = card.at(region.x, region.y);
    frame.strides[0] = ptrdiff_t{card.width} * 4;
    return streams_[rank].submit(frame);
  }
  // All ranks', until it is known to be shown: what was under way when a layout came may have to go
  // again.
  void show(const Picture& card) {
    constexpr int kLooks = 40;
    const uint64_t before = shown();
    EXPECT_TRUE(eventually([&, looks = 0]() mutable {
      if (looks++ % kLooks == 0) {
        for (size_t rank = 0; rank < count(); ++rank) submit(rank, card);
      }
      return shown() > before && std::ranges::all_of(streams_, [](const auto& stream) {
               return stream.stats().frames_in_flight == 0;
             });
    }));
  }

 private:
  void join(const Wish& wish, size_t rank) {
    sail_stream_options options{};
    options.title = "parallel";
    options.width = frame_.width;
    options.height = frame_.height;
    options.place = {wish.place.x, wish.place.y, wish.place.width, wish.place.height};
    const Rect& region = regions_[rank];
    sail_part part{};
    part.name = wish.name.c_str();
    part.rank = static_cast<int32_t>(rank);
    part.ranks = static_cast<int32_t>(regions_.size());
    part.region = {region.x, region.y, region.width, region.height};
    part.absent = wish.absent;
    streams_[rank] = sessions_[rank]->join(options, part, &errors_[rank]);
  }

  const Size frame_;
  const std::vector<Rect> regions_;
  std::vector<std::string> errors_;
  std::vector<std::unique_ptr<sail::Session>> sessions_;
  std::vector<sail::Stream> streams_;
};

// Two landscape tiles with a gap, one on its side, one denser than the wall, on two receivers.
sail::Wall uneven_wall() {
  return sail::parse_wall(R"({"tiles": [
    {"name": "a", "at": [0, 0], "resolution": [320, 200], "receiver": "one"},
    {"name": "b", "at": [328, 0], "resolution": [180, 320], "rotation": 90, "receiver": "two"},
    {"name": "dense", "at": [0, 208], "resolution": [640, 320], "size": [320, 160],
     "receiver": "two", "window_at": [320, 0]}]})")
      .value();
}

// Of the wall: where parts meet and a scaled picture is not the same.
struct Seams {
  std::vector<int> columns{};
  std::vector<int> rows{};

  bool touch(int x, int y) const {
    const auto near = [](const std::vector<int>& edges, int at) {
      return std::ranges::any_of(edges, [at](int edge) { return std::abs(edge - at) <= 2; });
    };
    return near(columns, x) || near(rows, y);
  }
};

class PartsWall : public testing::Test {
 protected:
  void start(const sail::Wall& wall) { wall_ = std::make_unique<HeadlessWall>(wall); }
  static Seams seams_of(const std::vector<Rect>& regions, const Rect& place) {
    Seams seams;
    for (const Rect& region : regions) {
      seams.columns.push_back(place.x + region.x);
      seams.rows.push_back(place.y + region.y);
    }
    return seams;
  }
  // What one sender of all of the frame would show there.
  void expect_pixels(const Picture& frame, const Rect& place, const std::string& what,
                     const Seams& seams = {}) {
    wall_->settle();
    std::vector<Picture> shown;
    const auto pictures = wall_->tiles().snapshot.pictures;
    for (const sail::Tile& tile : wall_->wall().tiles) {
      const auto it = std::ranges::find(pictures, tile.name, &sail::TilePicture::tile);
      ASSERT_NE(it, pictures.end());
      shown.push_back({it->size.width, it->size.height, it->bgra});
    }
    const std::vector<reference::Window> windows = {{place, frame}};
    const Picture wanted =
        reference::wall_picture(wall_->wall(), reference::show_on_wall(wall_->wall(), windows));
    const Picture seen = reference::wall_picture(wall_->wall(), shown);
    int different = 0;
    std::string first;
    for (int y = 0; y < seen.height; ++y) {
      for (int x = 0; x < seen.width; ++x) {
        if (seams.touch(x, y)) continue;
        if (std::equal(seen.at(x, y), seen.at(x, y) + 3, wanted.at(x, y))) continue;
        if (different++ == 0) first = std::to_string(x) + ", " + std::to_string(y);
      }
    }
    EXPECT_EQ(different, 0) << what << ", the first at " << first;
  }
  void place(uint32_t window, const Rect& rect) {
    const sail::Json one{{"window", window}, {"rect", {rect.x, rect.y, rect.width, rect.height}}};
    wall_->call("place", {{"windows", sail::Json::array({one})}});
  }
  static Picture coded(const Picture& card, int reduction = 0) {
    return through(*sail::parse_codec_spec("dxt1"), card, reduction, reduction);
  }
  std::string state(size_t rank) {
    return wall_->window()["parts"][rank]["state"].get<std::string>();
  }
  std::set<uint32_t> cards() { return cards_on_all_tiles(*wall_); }

  std::unique_ptr<HeadlessWall> wall_;
};

TEST_F(PartsWall, AnyPartsOnAnyTilesAreOnePicture) {
  for (const bool uneven : {false, true}) {
    start(uneven ? uneven_wall() : grid_wall());
    for (const int ranks : {2, 3, 4}) {
      for (const auto& regions : {bands(kFrame, ranks), columns(kFrame, ranks)}) {
        const Rect place{3, 1, kFrame.width, kFrame.height};
        Ranks parallel(*wall_, {.regions = regions, .place = place});
        ASSERT_TRUE(parallel.opened()) << testing::PrintToString(parallel.errors());
        for (const uint64_t card : {1, 2}) parallel.show(test_card(kFrame, card));
        expect_pixels(coded(test_card(kFrame, 2)), place, std::to_string(ranks) + " ranks",
                      uneven ? seams_of(regions, place) : Seams{});
        EXPECT_EQ(wall_->windows().size(), 1U);
      }
      EXPECT_TRUE(eventually([&] { return wall_->windows().empty(); }));
    }
  }
}

TEST_F(PartsWall, OneWindowIsMovedTurnedCutAndScaled) {
  start(grid_wall());
  Ranks parallel(*wall_, {});
  ASSERT_TRUE(parallel.opened());
  const Picture card = test_card(kFrame, 7);
  const uint32_t window = parallel.window();
  // The frame that is under way may not have what a layout uncovers: the next one has.
  const auto show_settled = [&](const Picture& picture) {
    parallel.show(picture);
    wall_->settle();
    parallel.show(picture);
  };
  show_settled(card);
  wall_->call("move", {{"window", window}, {"x", -37}, {"y", 20}});
  show_settled(card);
  expect_pixels(coded(card), {-37, 20, 640, 360}, "moved");

  wall_->call("look", {{"window", window}, {"flip", true}});
  show_settled(card);
  sail::Look look{.flip = true};
  expect_pixels(reference::seen(coded(card), look), {-37, 20, 640, 360}, "mirrored");
  wall_->call("look", {{"window", window}, {"flip", false}, {"rotate", 90}});
  place(window, {8, 4, 360, 640});
  show_settled(card);
  look = {.rotate = 90};
  expect_pixels(reference::seen(coded(card), look), {8, 4, 360, 640}, "turned");
  wall_->call("look", {{"window", window}, {"rotate", 0}, {"crop", {100, 50, 300, 200}}});
  place(window, {8, 4, 300, 200});
  show_settled(card);
  look = {.crop = {100, 50, 300, 200}};
  expect_pixels(reference::seen(coded(card), look), {8, 4, 300, 200}, "cut");

  wall_->call("look", {{"window", window}, {"crop", {0, 0, 640, 360}}});
  place(window, {8, 4, 320, 180});
  show_settled(test_card(kFrame, 8));
  expect_pixels(coded(test_card(kFrame, 8), 1), {8, 4, 320, 180}, "halved");
  place(window, {8, 4, 533, 300});
  show_settled(card);
  expect_pixels(coded(card), {8, 4, 533, 300}, "scaled", {.rows = {4 + 100, 4 + 200}});
}

TEST_F(PartsWall, AFrameIsShownWhenAllOfItIsThere) {
  start(grid_wall());
  Ranks parallel(*wall_, {});
  ASSERT_TRUE(parallel.opened());
  parallel.show(test_card(kFrame, 1));
  const Picture next = test_card(kFrame, 2);
  const uint64_t before = parallel.shown();
  ASSERT_EQ(parallel.submit(0, next), SAIL_OK);
  ASSERT_EQ(parallel.submit(2, next), SAIL_OK);
  // By then its parts have been at their receivers for long.
  EXPECT_TRUE(eventually([&] { return state(1) == "silent"; }));
  EXPECT_EQ(cards(), std::set<uint32_t>{1});
  EXPECT_EQ(parallel.shown(), before);
  ASSERT_EQ(parallel.submit(1, next), SAIL_OK);
  EXPECT_TRUE(eventually([&] { return cards() == std::set<uint32_t>{2}; }));
  EXPECT_TRUE(eventually([&] { return state(1) == "there"; }));
}

// At their own pace, with nothing between them but the table.
TEST_F(PartsWall, NoFrameIsMixedWhileItMoves) {
  start(grid_wall());
  Ranks parallel(*wall_, {});
  ASSERT_TRUE(parallel.opened());
  std::vector<Picture> film;
  for (uint64_t card = 1; card <= 10; ++card) film.push_back(test_card(kFrame, card));
  std::atomic<bool> playing = true;
  std::vector<std::thread> threads;
  for (size_t rank = 0; rank < parallel.count(); ++rank) {
    threads.emplace_back([&, rank] {
      for (size_t i = 0; playing; ++i) {
        parallel.submit(rank, film[i % film.size()]);
        // Each by its own clock, about 30 a second.
        std::this_thread::sleep_for(std::chrono::milliseconds(30 + rank));
      }
    });
  }
  for (int i = 0; i < 20; ++i) {
    const uint64_t before = parallel.shown();
    wall_->call("move", {{"window", parallel.window()}, {"x", 3 * i}, {"y", i % 3 * 150}});
    EXPECT_TRUE(eventually([&] { return parallel.shown() > before + 3; })) << i;
    std::set<uint32_t> shown;
    // A receiver on a busy machine may have heard of a swap too late for a picture.
    for (int tries = 0; tries < 4; ++tries) {
      shown.clear();
      const auto taken = ui::take_tile_pictures(wall_->client());
      ASSERT_TRUE(taken) << taken.error().message;
      for (const sail::TilePicture& tile : taken->snapshot.pictures) shown.merge(cards_on(tile));
      if (shown.size() <= 1) break;
    }
    EXPECT_LE(shown.size(), 1U) << testing::PrintToString(shown);
  }
  // Who waits for the others hears that the window is closed.
  wall_->client().peer().call("close", {{"window", parallel.window()}}, [](const auto&) {});
  for (size_t rank = 0; rank < parallel.count(); ++rank) {
    EXPECT_TRUE(eventually([&] {
      wall_->call("list");
      const auto event = parallel.session(rank).poll();
      return event && event->type == SAIL_EVENT_CLOSE;
    })) << rank;
  }
  playing = false;
  for (std::thread& thread : threads) thread.join();
  parallel.stream(1).close();
  EXPECT_TRUE(eventually([&] { return wall_->windows().empty(); })) << "one rank ends it for all";
}

TEST_F(PartsWall, OthersGoOnBesideASilentRank) {
  start(grid_wall());
  for (const std::string absent : {"last", "dark"}) {
    Ranks parallel(*wall_, {.absent = absent.c_str()});
    ASSERT_TRUE(parallel.opened());
    parallel.show(test_card(kFrame, 1));
    Picture mixed = coded(test_card(kFrame, 9));
    for (uint64_t card = 2; card <= 9; ++card) {
      for (const size_t rank : {0, 2}) parallel.submit(rank, test_card(kFrame, card));
    }
    EXPECT_TRUE(eventually([&] { return state(1) == "silent"; }));
    EXPECT_TRUE(eventually([&] { return parallel.stream(0).stats().frames_in_flight == 0; }));
    const Picture first = coded(test_card(kFrame, 1));
    const Rect silent = bands(kFrame, 3)[1];
    for (int y = silent.y; y < silent.bottom(); ++y) {
      for (int x = 0; x < kFrame.width; ++x) {
        const uint8_t black[] = {0, 0, 0};
        std::copy_n(absent == "dark" ? black : first.at(x, y), 3, mixed.at(x, y));
      }
    }
    expect_pixels(mixed, {0, 0, 640, 360}, absent);
    // Back again: it has to catch up first.
    for (uint64_t card = 2; card <= 9; ++card) parallel.submit(1, test_card(kFrame, card));
    EXPECT_TRUE(eventually([&] { return state(1) == "there"; }));
    for (const uint64_t card : {10, 11}) parallel.show(test_card(kFrame, card));
    EXPECT_TRUE(eventually([&] { return parallel.shown(1) >= 2; }));
    expect_pixels(coded(test_card(kFrame, 11)), {0, 0, 640, 360}, absent + ", all again");
  }
}

// --- a rank that says nothing but what it opens -------------------------------------------------

sail::Json open_request(int rank, int ranks, const Rect& region, Size frame = kFrame,
                        const std::string& absent = "wait") {
  return {{"title", "by hand"},
          {"frame_size", {region.width, region.height}},
          {"block_size", {128, 64}},
          {"codecs", {"dxt1"}},
          {"part",
           {{"name", "parallel"},
            {"rank", rank},
            {"ranks", ranks},
            {"region", {region.x, region.y, region.width, region.height}},
            {"frame_size", {frame.width, frame.height}},
            {"absent", absent}}}};
}

class PartsByHand : public PartsWall {
 protected:
  struct Rank {
    std::unique_ptr<sail::RpcClient> client;
    std::optional<sail::Result<sail::Json>> answer;
  };
  PartsByHand() { start(grid_wall()); }

  Rank& ask(const sail::Json& request) {
    Rank& rank = *ranks_.emplace_back(std::make_unique<Rank>());
    auto client =
        sail::RpcClient::connect(sail::parse_address(wall_->manager_address(), {}).value(),
                                 {.hello = {.role = sail::Role::kApplication, .name = "by hand"}});
    EXPECT_TRUE(client);
    rank.client = *std::move(client);
    rank.client->peer().call(
        "open_stream", request, [&rank](const auto& answer) { rank.answer = answer; }, 60'000);
    rank.client->call("clock", sail::Json::object());  // it has been read
    return rank;
  }
  std::string error_of(Rank& rank) {
    EXPECT_TRUE(eventually([&] {
      rank.client->wait(5);
      return rank.answer.has_value();
    }));
    return rank.answer && !*rank.answer ? rank.answer->error().message : "it was opened";
  }
  // All hear the same, those who come later, too.
  void expect_refused(const std::vector<sail::Json>& requests, const std::string& why) {
    for (const sail::Json& request : requests) ask(request);
    for (const auto& rank : ranks_) {
      EXPECT_NE(error_of(*rank).find(why), std::string::npos) << error_of(*rank);
    }
    ranks_.clear();
    EXPECT_TRUE(wall_->windows().empty());
  }

  std::vector<std::unique_ptr<Rank>> ranks_;
};

TEST_F(PartsByHand, RanksThatCannotBeOnePictureAreTold) {
  const auto regions = bands(kFrame, 3);
  expect_refused({open_request(0, 3, regions[0]), open_request(1, 3, regions[1], {640, 368}),
                  open_request(2, 3, regions[2])},
                 "ranks 0 and 1 disagree about the size of frames: 640×360 and 640×368");
  expect_refused({open_request(0, 3, regions[0]), open_request(2, 4, regions[2]),
                  open_request(1, 3, regions[1])},
                 "ranks 0 and 2 disagree about ranks: 3 and 4");
  expect_refused({open_request(0, 3, regions[0]), open_request(2, 3, regions[2]),
                  open_request(1, 3, {0, 112, 640, 128})},
                 "the regions of ranks 0 and 1 overlap: 640×8 at 0, 112");
  expect_refused(
      {open_request(0, 3, regions[0]), open_request(1, 3, {0, 120, 600, 120}),
       open_request(2, 3, regions[2])},
      "the regions of ranks 0 to 2 leave a hole in frames of 640×360: 40×120 at 600, 120");
  Rank& outside = ask(open_request(0, 2, {0, 8, 640, 360}));
  EXPECT_NE(error_of(outside).find("of rank 0 of 2 is not within frames of 640×360"),
            std::string::npos);
  Rank& strange = ask(open_request(2, 2, {0, 0, 640, 360}));
  EXPECT_NE(error_of(strange).find("rank 2 of 2: ranks count from 0 to 1"), std::string::npos);
  Rank& between = ask(open_request(0, 2, {0, 4, 640, 180}));
  EXPECT_NE(error_of(between).find("multiples of 8"), std::string::npos);
}

TEST_F(PartsByHand, ARankThatDiedIsReportedAndComesTooLate) {
  const auto regions = bands(kFrame, 2);
  for (const std::string absent : {"last", "wait"}) {
    Rank& mortal = ask(open_request(0, 2, regions[0], kFrame, absent));
    Rank& other = ask(open_request(1, 2, regions[1], kFrame, absent));
    EXPECT_EQ(error_of(mortal) + error_of(other), "it was openedit was opened");
    mortal.client.reset();
    EXPECT_TRUE(eventually([&] { return state(0) == "gone"; }));
    EXPECT_EQ(state(1), "there");
    EXPECT_NE(error_of(ask(open_request(0, 2, regions[0], kFrame, absent)))
                  .find("rank 0 joins 'parallel' late: the others have gone on"),
              std::string::npos);
    EXPECT_NE(error_of(ask(open_request(1, 2, regions[1], kFrame, absent)))
                  .find("rank 1 joins 'parallel' late: window"),
              std::string::npos);
    ranks_.clear();
    EXPECT_TRUE(eventually([&] { return wall_->windows().empty(); })) << "the last one has gone";
  }
}

// --- a film -------------------------------------------------------------------------------------

TEST_F(PartsWall, PlayersOfBandsAreOneFilm) {
  start(grid_wall());
  const sail::TempFolder folder;
  const std::string film = folder.file("film.vmov");
  write_test_film(film, {.size = kFrame, .fps = 25});
  std::vector<std::thread> players;
  for (int rank = 0; rank < 3; ++rank) {
    sail::BplayOptions options;
    options.films = {film};
    options.manager = wall_->manager_address();
    options.place = Rect{5, 3, 0, 0};
    options.loop = true;
    options.part = {rank, 3};
    options.log_level = sail::LogLevel::kError;
    players.emplace_back([options] { EXPECT_EQ(sail::Bplay(options).run(), 0); });
  }
  EXPECT_TRUE(eventually([&] { return wall_->windows().size() == 1; }));
  EXPECT_EQ(wall_->window()["group"], "film.vmov");
  EXPECT_EQ(wall_->window()["title"], "film.vmov");
  EXPECT_TRUE(eventually([&] { return cards().size() == 1; }));
  wall_->call("control", {{"window", wall_->window()["window"]}, {"action", "pause"}});
  wall_->call("control",
              {{"window", wall_->window()["window"]}, {"action", "seek"}, {"value", 1.98}});
  EXPECT_TRUE(eventually([&] { return cards() == std::set<uint32_t>{50}; }));
  wall_->settle();
  expect_pixels(coded(test_card(kFrame, 50)), {5, 3, 640, 360}, "a film's picture");
  wall_->call("close", {{"window", wall_->window()["window"]}});
  for (std::thread& player : players) player.join();
  EXPECT_TRUE(wall_->windows().empty());
}

}  // namespace
}  // namespace test
