// Groups on a whole wall: streams of several applications show equal presentation times in one
// swap, even if members are slow, join, leave or move. Frames are identified by their pixels.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "sail/apps/play/bplay.h"
#include "sail/apps/play/test_card.h"
#include "sail/core/time/clock.h"
#include "sail/media/film/film_cut.h"
#include "tests/support/headless_wall.h"
#include "tests/support/temp_folder.h"
#include "tests/support/test_film.h"
#include "ui/client/answers.h"
#include "ui/impair/impairment.h"

namespace test {
namespace {

constexpr double kGroupFps = 30;
constexpr int64_t kAheadNs = 70'000'000;
constexpr int64_t kMs = 1'000'000;

sail_stream_options member_options(const sail::Rect& place, const char* group) {
  sail_stream_options options{};
  options.title = "member";
  options.width = place.width;
  options.height = place.height;
  options.place = {place.x, place.y, place.width, place.height};
  options.fps = kGroupFps;
  options.group = group;
  return options;
}

// An application with one stream, which shows test card n + 1 when the group's film is at n /
// kGroupFps.
class Member {
 public:
  Member(const HeadlessWall& wall, const sail::Rect& place, const char* transport)
      : session_(wall.open_session("member")), size_{place.width, place.height} {
    std::string error;
    sail_stream_options options = member_options(place, "panels");
    options.transport = transport;
    stream_ = session_->open(options, &error);
    EXPECT_TRUE(stream_) << error;
    thread_ = std::thread([this] { play(); });
  }
  ~Member() {
    playing_ = false;
    thread_.join();
  }
  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;

  uint32_t window() const { return stream_.id(); }
  uint64_t shown() const { return stream_.stats().frames_shown; }
  // Delays the submission of frames by this much.
  void set_late_ms(int late_ms) { late_ms_ = late_ms; }
  // Shows this many further frames.
  bool goes_on(uint64_t frames = 10) const {
    const uint64_t wanted = shown() + frames;
    return eventually([&] { return shown() >= wanted; });
  }

 private:
  void play() {
    sail::TestCard painter(size_, kGroupFps);
    int64_t last = -1;
    while (playing_) {
      hear();
      const int64_t now_ns = session_->wall_time();
      const int64_t next = due_before(now_ns + kAheadNs - late_ms_ * kMs);
      const bool again = std::exchange(again_, false) && next >= 0;
      if ((next == last && !again) || next < 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        continue;
      }
      last = next;
      const codecs::ImageView view = painter.paint(static_cast<uint64_t>(next) + 1);
      sail_frame frame{};
      frame.format = SAIL_BGRA;
      frame.planes[0] = view.planes[0];
      frame.strides[0] = view.strides[0];
      frame.present_ns = again ? 0 : present_ns(next);
      stream_.submit(frame);
    }
  }
  void hear() {
    while (const auto event = session_->poll()) {
      if (event->type == SAIL_EVENT_REFRESH) again_ = timeline_ && timeline_->paused != 0;
      if (event->type != SAIL_EVENT_TIMELINE || event->value == 0) continue;
      (timeline_ ? next_ : timeline_) = event->timeline;
    }
    if (next_ && session_->wall_time() + kAheadNs >= next_->at_ns) {
      timeline_ = *std::exchange(next_, std::nullopt);
    }
  }
  // Number of the film's last picture before this time; -1: none.
  int64_t due_before(int64_t wall_ns) const {
    if (!timeline_) return -1;
    const double passed_s =
        timeline_->paused != 0 ? 0 : static_cast<double>(wall_ns - timeline_->at_ns) / 1e9;
    if (passed_s < 0) return -1;
    return static_cast<int64_t>(
        std::floor((timeline_->position_s + passed_s * timeline_->rate) * kGroupFps + 1e-6));
  }
  int64_t present_ns(int64_t number) const {
    if (timeline_->paused != 0) return timeline_->at_ns;
    const double film_s = static_cast<double>(number) / kGroupFps - timeline_->position_s;
    return std::max<int64_t>(timeline_->at_ns,
                             timeline_->at_ns + std::llround(film_s / timeline_->rate * 1e9));
  }

  std::unique_ptr<sail::Session> session_;
  const sail::Size size_;
  sail::Stream stream_;
  std::optional<sail_timeline> timeline_;
  std::optional<sail_timeline> next_;  // takes effect later
  bool again_ = false;                 // submit the current picture again
  std::atomic<int> late_ms_ = 0;
  std::atomic<bool> playing_ = true;
  std::thread thread_;
};

class GroupWall : public testing::Test {
 protected:
  static constexpr sail::Rect kLeft{0, 0, 320, 366};
  static constexpr sail::Rect kRight{330, 0, 320, 366};

  Member& join(const sail::Rect& place, const char* transport = "tcp") {
    return *members_.emplace_back(std::make_unique<Member>(wall_, place, transport));
  }
  // Expects the same frame on all tiles at one instant, or no frame on any.
  void expect_one_frame(int times, const std::string& what) {
    for (int i = 0; i < times; ++i) {
      std::set<uint32_t> shown;
      // A receiver on a busy machine may learn of a swap one frame late, and a member that was
      // stalled until the others continued without it has to catch up.
      constexpr size_t kMostTries = kMostFramesAtOnce == 1 ? 4 : 40;
      for (size_t tries = 0; tries < kMostTries; ++tries) {
        shown.clear();
        const auto taken = ui::take_tile_pictures(wall_.client());
        ASSERT_TRUE(taken) << taken.error().message;
        for (const sail::TilePicture& tile : taken->snapshot.pictures) shown.merge(cards_on(tile));
        if (shown.size() <= 1) break;
        ++mixed_;
      }
      EXPECT_LE(shown.size(), 1U) << what << ", picture " << i << ", frames "
                                  << testing::PrintToString(shown);
    }
  }

  HeadlessWall wall_{grid_wall(), sail::Impairment{}};
  std::vector<std::unique_ptr<Member>> members_;
  int mixed_ = 0;
};

TEST_F(GroupWall, TwoApplicationsAreOne) {
  Member& left = join(kLeft);
  Member& right = join(kRight);
  EXPECT_TRUE(left.goes_on() && right.goes_on());
  expect_one_frame(20, "at its pace");
  EXPECT_TRUE(left.goes_on() && right.goes_on());
}

TEST_F(GroupWall, HowFramesTravelIsTheMembersMatter) {
  Member& left = join(kLeft, "udp");
  Member& right = join(kRight);
  for (const sail::ReceiverPlace& place : wall_.wall().receivers) {
    wall_.set_impairment(place.name, *sail::parse_impairment("loss=2%,delay=5ms,jitter=2ms"));
  }
  EXPECT_TRUE(left.goes_on(30) && right.goes_on(30));
  expect_one_frame(20, "one by UDP that loses");
}

TEST_F(GroupWall, ALateMemberHoldsUpTheOthersAlike) {
  Member& left = join(kLeft);
  Member& right = join(kRight);
  right.set_late_ms(100);  // later than the presentation time of each of its frames
  EXPECT_TRUE(left.goes_on() && right.goes_on());
  expect_one_frame(20, "one late");
  right.set_late_ms(0);
  EXPECT_TRUE(left.goes_on(30) && right.goes_on(30));
  expect_one_frame(10, "in time");
}

// The slow receiver takes less than half of the frames, and both members show only those.
TEST_F(GroupWall, ASlowReceiverMakesTheGroupSlow) {
  Member& left = join(kLeft);
  Member& right = join(kRight);
  EXPECT_TRUE(left.goes_on() && right.goes_on());
  const std::string slow = wall_.wall().receivers.back().name;
  wall_.set_impairment(slow, *sail::parse_impairment("rate=3mbit"));
  EXPECT_TRUE(left.goes_on(30) && right.goes_on(30));
  wall_.set_impairment(slow, {});
  EXPECT_TRUE(left.goes_on(30) && right.goes_on(30));
  expect_one_frame(10, "again at its pace");
}

TEST_F(GroupWall, MembersComeAndGo) {
  join(kLeft);
  EXPECT_TRUE(members_[0]->goes_on());
  join(kRight);
  EXPECT_TRUE(members_[1]->goes_on());
  expect_one_frame(10, "the second is there");
  members_.erase(members_.begin());
  EXPECT_TRUE(members_[0]->goes_on()) << "alone";
  join(kLeft);
  EXPECT_TRUE(members_[0]->goes_on() && members_[1]->goes_on());
  expect_one_frame(10, "a third is there");
}

TEST_F(GroupWall, LayoutsShowTheGroupsFrame) {
  Member& left = join(kLeft);
  Member& right = join(kRight);
  EXPECT_TRUE(left.goes_on() && right.goes_on());
  for (int i = 1; i <= 8; ++i) {
    wall_.call("move", {{"window", left.window()}, {"x", 3 * i}, {"y", 0}});
    expect_one_frame(3, "moved");
    wall_.call("place", {{"windows",
                          {{{"window", left.window()}, {"rect", {0, i, 320, 366}}},
                           {{"window", right.window()}, {"rect", {330, i, 320, 366}}}}}});
    expect_one_frame(3, "both moved");
  }
  EXPECT_TRUE(left.goes_on() && right.goes_on());
}

TEST_F(GroupWall, GoesOnWhenTheTablesReceiverDies) {
  Member& left = join(kLeft);
  Member& right = join(kRight);
  EXPECT_TRUE(left.goes_on() && right.goes_on());
  const std::string table = wall_.wall().receivers.front().name;
  wall_.stop_receiver(table);
  EXPECT_TRUE(left.goes_on() && right.goes_on());
  expect_one_frame(10, "another has the table");
  wall_.start_receiver(table);
  EXPECT_TRUE(eventually([&] { return wall_.connected(table); }));
  wall_.settle();
  EXPECT_TRUE(left.goes_on() && right.goes_on());
  expect_one_frame(10, "it is back");
}

// The receiver with the sync table neither sends nor receives, but no connection is lost. The
// member on its tile shows no complete frames.
TEST_F(GroupWall, GoesOnWhenTheTablesReceiverHangs) {
  Member& left = join(kLeft);
  Member& right = join(kRight);
  EXPECT_TRUE(left.goes_on() && right.goes_on());
  wall_.set_impairment(wall_.wall().receivers.front().name, *sail::parse_impairment("delay=10s"));
  EXPECT_TRUE(right.goes_on(60));
}

TEST_F(GroupWall, PauseSeekAndRateActOnAll) {
  Member& left = join(kLeft);
  Member& right = join(kRight);
  EXPECT_TRUE(left.goes_on() && right.goes_on());
  const auto control = [&](const Member& member, const char* action, double value = 0) {
    sail::Json params{{"window", member.window()}, {"action", action}};
    if (value != 0) params["value"] = value;
    wall_.call("control", params);
  };
  control(left, "pause");
  control(right, "seek", 100);
  EXPECT_TRUE(eventually([&] { return cards_on_all_tiles(wall_) == std::set<uint32_t>{3001}; }))
      << "both where one was sought";
  control(left, "rate", 0.5);
  control(right, "resume");
  EXPECT_TRUE(left.goes_on() && right.goes_on());
  expect_one_frame(10, "at half the speed");
}

TEST_F(GroupWall, MembersMustAgreeAboutTheirRate) {
  join(kLeft);
  const auto session = wall_.open_session("other");
  sail_stream_options options = member_options(kRight, "panels");
  options.fps = 25;
  std::string error;
  EXPECT_FALSE(session->open(options, &error));
  EXPECT_NE(error.find("'panels' have 30 frames/s, and this stream has 25"), std::string::npos)
      << error;

  // The stream cannot be added to the group later either.
  options.group = nullptr;
  const sail::Stream alone = session->open(options, &error);
  ASSERT_TRUE(alone) << error;
  const auto answer = wall_.client().call("group", {{"name", "panels"}, {"windows", {alone.id()}}});
  ASSERT_FALSE(answer);
  EXPECT_NE(answer.error().message.find("need the same frame rate"), std::string::npos);
}

TEST_F(GroupWall, GroupsAreMadeOfWindowsThatPlay) {
  const auto session = wall_.open_session("two");
  sail::Stream left = session->open(member_options(kLeft, nullptr));
  sail::Stream right = session->open(member_options(kRight, nullptr));
  const auto numbers = sail::Json::array({left.id(), right.id()});
  wall_.call("group", {{"name", "pair"}, {"windows", numbers}});
  EXPECT_EQ(wall_.call("groups")["groups"][0]["windows"], numbers);
  std::set<sail_stream*> reported;
  EXPECT_TRUE(eventually([&] {
    while (const auto event = session->poll()) {
      if (event->type == SAIL_EVENT_TIMELINE && event->value == 1) reported.insert(event->stream);
    }
    return reported.size() == 2;
  }));
  wall_.call("group", {{"name", ""}, {"windows", numbers}});
  EXPECT_TRUE(wall_.call("groups")["groups"].empty());
  EXPECT_TRUE(eventually([&] {
    while (const auto event = session->poll()) {
      if (event->type == SAIL_EVENT_TIMELINE && event->value == 0) reported.erase(event->stream);
    }
    return reported.empty();
  }));
}

TEST_F(GroupWall, PlayersOfAGroupAreOneFilm) {
  const sail::TempFolder folder;
  std::vector<std::thread> players;
  for (const sail::Rect& place : {kLeft, kRight}) {
    sail::BplayOptions options;
    options.films = {folder.file(std::to_string(place.x) + ".vmov")};
    write_test_film(options.films[0], {.size = {place.width, place.height}, .fps = 25});
    options.manager = wall_.manager_address();
    options.place = place;
    options.loop = true;
    options.group = "film";
    options.log_level = sail::LogLevel::kError;
    players.emplace_back([options] { EXPECT_EQ(sail::Bplay(options).run(), 0); });
  }
  const auto plays = [this] { return cards_on_all_tiles(wall_).size() == 1; };
  EXPECT_TRUE(eventually([&] { return wall_.windows().size() == 2; }));
  EXPECT_TRUE(eventually(plays));
  expect_one_frame(20, "two players");
  EXPECT_TRUE(eventually(plays));
  const auto control = [&](size_t member, const char* action, double value = 0) {
    sail::Json params{{"window", wall_.windows()[member]["window"]}, {"action", action}};
    if (value != 0) params["value"] = value;
    wall_.call("control", params);
  };
  control(0, "pause");
  for (const uint32_t frame : {51U, 2U, 100U}) {
    control(frame % 2, "seek", (static_cast<double>(frame) - 0.5) / 25);
    EXPECT_TRUE(eventually([&] { return cards_on_all_tiles(wall_) == std::set<uint32_t>{frame}; }))
        << "sought " << frame;
  }
  control(1, "resume");
  EXPECT_TRUE(eventually([&] {
    const std::set<uint32_t> shown = cards_on_all_tiles(wall_);
    return shown.size() == 1 && !shown.contains(100);
  })) << "across the film's seam";
  expect_one_frame(20, "again");
  for (const sail::Json& window : wall_.windows()) {
    wall_.call("close", {{"window", window["window"]}});
  }
  for (std::thread& player : players) player.join();
}

// `vitrail convert --wall`, a player for each tile.
TEST_F(GroupWall, PanelsOfAFilmAreTheFilmFromTheInstantOn) {
  const sail::TempFolder folder;
  const TestFilm cards{.frames = 75};
  write_test_cards(folder.file("film.mkv"), cards, "-c:v ffv1 -pix_fmt bgr0");
  sail::ConvertOptions convert;
  convert.input = folder.file("film.mkv");
  convert.output = folder.file("panel.vmov");
  convert.codec = sail::parse_codec_spec("raw").value();
  auto panels = sail::open_panels(convert, wall_.wall());
  ASSERT_TRUE(panels) << panels.error().message;
  for (bool more = true; more;) {
    more = false;
    for (const auto& panel : *panels) more |= panel->step().value();
  }
  for (const auto& panel : *panels) ASSERT_TRUE(panel->finish());

  const int64_t start_at_ns = sail::calendar_now_ns() + 1500 * kMs;
  std::vector<std::thread> players;
  for (const sail::Tile& tile : wall_.wall().tiles) {
    sail::BplayOptions options;
    options.films = {sail::panel_name(convert.output, tile.name)};
    options.manager = wall_.manager_address();
    options.place = tile.wall_rect;
    options.group = "film";
    options.start_at_ns = start_at_ns;
    options.loop = true;
    options.log_level = sail::LogLevel::kError;
    players.emplace_back([options] { EXPECT_EQ(sail::Bplay(options).run(), 0); });
  }
  EXPECT_TRUE(eventually([this] { return !cards_on_all_tiles(wall_).empty(); }));
  EXPECT_GE(sail::calendar_now_ns(), start_at_ns);
  expect_one_frame(10, "a film in panels");
  ASSERT_EQ(wall_.windows().size(), players.size());
  const uint32_t window = wall_.windows()[0]["window"];
  wall_.call("control", {{"window", window}, {"action", "pause"}});
  wall_.call("control", {{"window", window}, {"action", "seek"}, {"value", 39.5 / cards.fps}});
  EXPECT_TRUE(eventually([this] { return cards_on_all_tiles(wall_) == std::set<uint32_t>{40}; }));
  const std::vector<reference::Window> whole{
      {{0, 0, cards.size.width, cards.size.height}, test_card(cards.size, 40)}};
  const ui::TilePictures taken = wall_.tiles();
  for (const sail::Tile& tile : wall_.wall().tiles) {
    const auto shown =
        std::ranges::find(taken.snapshot.pictures, tile.name, &sail::TilePicture::tile);
    ASSERT_NE(shown, taken.snapshot.pictures.end());
    EXPECT_TRUE(shown->bgra == reference::show_on_tile(tile, whole).pixels) << tile.name;
  }
  for (const sail::Json& one : wall_.windows()) wall_.call("close", {{"window", one["window"]}});
  for (std::thread& player : players) player.join();
}

// --- a frame's instant --------------------------------------------------------------------------

class PresentWall : public testing::Test {
 protected:
  PresentWall() {
    sail_stream_options options = member_options({0, 0, 480, 360}, nullptr);
    stream_ = session_->open(options);
    EXPECT_TRUE(stream_);
    stream_.watch_frames();
  }
  sail_status submit(uint64_t card, int64_t present_ns) {
    const reference::Picture picture = test_card({480, 360}, card);
    sail_frame frame{};
    frame.format = SAIL_BGRA;
    frame.planes[0] = picture.pixels.data();
    frame.strides[0] = ptrdiff_t{picture.width} * 4;
    frame.present_ns = present_ns;
    return stream_.submit(frame);
  }
  int64_t now_ns() const { return session_->wall_time(); }
  sail_frame_fate next_fate() {
    sail_frame_fate fate{};
    EXPECT_TRUE(eventually([&] {
      const auto event = session_->poll();
      if (!event || event->type != SAIL_EVENT_FRAME) return false;
      fate = event->frame;
      return true;
    }));
    return fate;
  }

  HeadlessWall wall_{one_tile_wall()};
  std::unique_ptr<sail::Session> session_{wall_.open_session("present")};
  sail::Stream stream_;
};

TEST_F(PresentWall, FramesAreSeenWhenTheyAreToBe) {
  ASSERT_EQ(submit(1, 0), SAIL_OK);
  EXPECT_TRUE(next_fate().shown);
  const int64_t present_ns = now_ns() + 300 * kMs;
  ASSERT_EQ(submit(2, present_ns), SAIL_OK);
  const sail_frame_fate fate = next_fate();
  EXPECT_TRUE(fate.shown);
  EXPECT_GE(fate.first_swapped_ns, present_ns - sail::kSamePresentNs);
}

TEST_F(PresentWall, TimesThatMakeNoSenseAreRefused) {
  const int64_t now = now_ns();
  EXPECT_EQ(submit(1, now + int64_t{365} * 86400 * 1000 * kMs), SAIL_INVALID) << "a year ahead";
  EXPECT_EQ(submit(1, -1), SAIL_INVALID);
  EXPECT_EQ(submit(1, INT64_MAX), SAIL_INVALID);
  ASSERT_EQ(submit(1, now + 200 * kMs), SAIL_OK);
  EXPECT_EQ(submit(2, now + 100 * kMs), SAIL_INVALID) << "back";
  EXPECT_EQ(submit(2, now + 200 * kMs), SAIL_OK) << "the same once more";
}

TEST_F(PresentWall, WhatIsLongPastIsDroppedAndCounted) {
  EXPECT_EQ(submit(1, 1), SAIL_DROPPED);
  EXPECT_EQ(stream_.stats().frames_dropped, 1U);
  EXPECT_FALSE(next_fate().shown);
  ASSERT_EQ(submit(2, 0), SAIL_OK);
  EXPECT_TRUE(next_fate().shown);
}

// Tiles of a stream without synchronisation still show each frame.
TEST(ApartWall, TilesThatAreApartShowTheFrames) {
  HeadlessWall wall(grid_wall());
  const auto session = wall.open_session("apart");
  sail_stream_options options = member_options({0, 0, 650, 366}, nullptr);
  options.step = "none";
  sail::Stream stream = session->open(options);
  ASSERT_TRUE(stream);
  for (uint64_t card = 1; card <= 20; ++card) {
    const reference::Picture picture = test_card({650, 366}, card);
    sail_frame frame{};
    frame.format = SAIL_BGRA;
    frame.planes[0] = picture.pixels.data();
    frame.strides[0] = ptrdiff_t{picture.width} * 4;
    ASSERT_EQ(stream.submit(frame), SAIL_OK);
    EXPECT_TRUE(eventually([&] { return stream.stats().frames_shown == card; }));
    if (card % 10 == 0) {
      wall.call("move", {{"window", stream.id()}, {"x", static_cast<int>(card)}, {"y", 0}});
      wall.settle();
      EXPECT_TRUE(eventually([&] {
        return cards_on_all_tiles(wall) == std::set<uint32_t>{static_cast<uint32_t>(card)};
      }));
    }
  }
}

}  // namespace
}  // namespace test
