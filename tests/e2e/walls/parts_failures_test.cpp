// Ranks that submit frames again, are silent, die, come late or disagree; and the ranks after
// receivers or the manager die.
#include <optional>

#include "sail/core/rpc/rpc_client.h"
#include "sail/core/wire/application_messages.h"
#include "tests/e2e/walls/parts_wall.h"

namespace test {
namespace {

// Frames of a small window have half of the pixels. For a larger window each rank is asked to
// submit its last frame again, and the other ranks treat this frame as the same one.
TEST_F(PartsWall, WhatALayoutLacksIsAskedForRankByRank) {
  start(grid_wall());
  Ranks parallel(*wall_, {.place = {0, 0, kFrame.width / 2, kFrame.height / 2}});
  ASSERT_TRUE(parallel.opened());
  parallel.show(test_card(kFrame, 1));
  wall_->settle();
  parallel.show(test_card(kFrame, 2));
  parallel.asked();
  place(parallel.window(), {0, 0, kFrame.width, kFrame.height});
  std::set<size_t> asked;
  EXPECT_TRUE(eventually([&] {
    asked.merge(parallel.asked());
    return asked.size() == 3;
  })) << testing::PrintToString(asked);
  // The ranks submit one after the other, each once, and do not wait for a new frame meanwhile.
  for (const size_t rank : asked) parallel.submit(rank, test_card(kFrame, 2), true);
  answer_until_shown(parallel, 2);
  // The ranks are in step as before.
  parallel.show(test_card(kFrame, 3));
  expect_pixels(coded(test_card(kFrame, 3)), {0, 0, 640, 360}, "the next one");
}

// The restarted receiver's tiles show the last picture again, though no rank submits a new one. The
// first receiver has the ranks' sync table.
TEST_F(PartsWall, AReceiverThatDiedIsGivenWhatItLacksRankByRank) {
  start(grid_wall());
  Ranks parallel(*wall_, {});
  ASSERT_TRUE(parallel.opened());
  parallel.show(test_card(kFrame, 1));
  uint64_t card = 1;
  for (const sail::ReceiverPlace& place : wall_->wall().receivers) {
    wall_->stop_receiver(place.name);
    EXPECT_TRUE(eventually([&] { return !wall_->connected(place.name); }));
    wall_->settle();
    for (int i = 0; i < 3; ++i) parallel.show(test_card(kFrame, ++card));
    parallel.asked();
    wall_->start_receiver(place.name);
    EXPECT_TRUE(eventually([&] { return wall_->connected(place.name); }));
    answer_until_shown(parallel, card);
  }
}

TEST_F(PartsWall, FramesThatAreNumberedHaveNoTime) {
  start(grid_wall());
  Ranks parallel(*wall_, {});
  ASSERT_TRUE(parallel.opened());
  const Picture card = test_card(kFrame, 1);
  sail_frame frame{};
  frame.format = SAIL_BGRA;
  frame.planes[0] = card.at(0, 0);
  frame.strides[0] = ptrdiff_t{card.width} * 4;
  for (const int64_t present_ns : {parallel.session(0).wall_time(), int64_t{1}, int64_t{-1}}) {
    frame.present_ns = present_ns;
    EXPECT_EQ(parallel.stream(0).submit(frame), SAIL_INVALID) << present_ns;
  }
  // The frames submitted again were not counted.
  parallel.show(card);
  expect_pixels(coded(card), {0, 0, 640, 360}, "all parts");
}

// A rank that has submitted a newer frame in the meantime need not submit the old one again.
TEST_F(PartsWall, AFrameThatIsHandedOverAgainIsNoOther) {
  start(grid_wall());
  Ranks parallel(*wall_, {});
  ASSERT_TRUE(parallel.opened());
  parallel.show(test_card(kFrame, 1));
  for (const size_t rank : {0, 1}) parallel.submit(rank, test_card(kFrame, 2));
  parallel.submit(2, test_card(kFrame, 1), true);
  parallel.submit(2, test_card(kFrame, 1), true);
  parallel.submit(2, test_card(kFrame, 2));
  EXPECT_TRUE(eventually([&] { return cards() == std::set<uint32_t>{2}; }));
  wall_->settle();
  expect_pixels(coded(test_card(kFrame, 2)), {0, 0, 640, 360}, "all of it");
}

// --- without a manager --------------------------------------------------------------------------

// All ranks continue, and the next manager accepts them in their current state.
TEST_F(PartsWall, AManagerThatDiesIsNotMissed) {
  start(grid_wall());
  Ranks parallel(*wall_, {});
  ASSERT_TRUE(parallel.opened());
  parallel.show(test_card(kFrame, 1));
  wall_->settle();
  parallel.show(test_card(kFrame, 1));
  parallel.asked();
  const uint32_t window = parallel.window();
  const uint64_t dropped = parallel.dropped();
  wall_->kill_manager();
  for (uint64_t card = 2; card <= 9; ++card) parallel.show_once(card);
  wall_->start_manager();
  EXPECT_TRUE(eventually([&] { return states() == "there there there"; })) << states();
  wall_->settle();
  EXPECT_EQ(wall_->window()["window"], window);
  EXPECT_EQ(wall_->window()["stream"], parallel.stream(0).id());
  for (uint64_t card = 10; card <= 12; ++card) parallel.show_once(card);
  EXPECT_EQ(parallel.dropped(), dropped) << "none is lost";
  EXPECT_TRUE(parallel.asked().empty()) << "no block is wanted again";
  expect_pixels(coded(test_card(kFrame, 12)), {0, 0, 640, 360}, "taken up");
  wall_->call("move", {{"window", window}, {"x", 10}, {"y", 20}});
  parallel.show(test_card(kFrame, 13));
  wall_->settle();
  parallel.show(test_card(kFrame, 13));
  expect_pixels(coded(test_card(kFrame, 13)), {10, 20, 640, 360}, "moved");
  EXPECT_FALSE(parallel.closed());
}

// The next manager detects the dead rank by the region that the other ranks leave uncovered.
TEST_F(PartsWall, ARankThatDiedWithTheManagerIsMissedByTheNextOne) {
  for (const size_t dead : {0, 1}) {
    start(grid_wall());
    Ranks parallel(*wall_, {.absent = "dark"});
    ASSERT_TRUE(parallel.opened());
    parallel.show(test_card(kFrame, 1));
    wall_->settle();
    const uint32_t window = parallel.window();
    wall_->kill_manager();
    parallel.kill(dead);
    wall_->start_manager();
    const std::string wanted = dead == 0 ? "gone there there" : "there gone there";
    EXPECT_TRUE(eventually([&] { return states() == wanted; })) << states();
    EXPECT_EQ(wall_->window()["window"], window);
    const std::string away = ui::text_member(wall_->window(), "away");
    EXPECT_NE(away.find("rank " + std::to_string(dead) + " of 3 has been gone since "),
              std::string::npos);
    EXPECT_NE(away.find("its part is dark"), std::string::npos) << away;
    Picture mixed = coded(test_card(kFrame, 3));
    const Rect gone = bands(kFrame, 3)[dead];
    for (int y = gone.y; y < gone.bottom(); ++y) {
      for (int x = 0; x < kFrame.width; ++x) std::fill_n(mixed.at(x, y), 3, uint8_t{0});
    }
    for (const uint64_t card : {2, 3}) {
      for (const size_t rank : {0, 1, 2}) {
        if (rank != dead) parallel.submit(rank, test_card(kFrame, card));
      }
    }
    EXPECT_TRUE(eventually([&] { return parallel.stream(2).stats().frames_in_flight == 0; }));
    expect_pixels(mixed, {0, 0, 640, 360}, "beside the dead rank's");
    EXPECT_FALSE(parallel.closed());
  }
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
    // The rank is back and first has to catch up.
    for (uint64_t card = 2; card <= 9; ++card) parallel.submit(1, test_card(kFrame, card));
    EXPECT_TRUE(eventually([&] { return state(1) == "there"; }));
    for (const uint64_t card : {10, 11}) parallel.show(test_card(kFrame, card));
    EXPECT_TRUE(eventually([&] { return parallel.shown(1) >= 2; }));
    expect_pixels(coded(test_card(kFrame, 11)), {0, 0, 640, 360}, absent + ", all again");
  }
}

// --- ranks that only send the request to open their stream --------------------------------------

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
    rank.client->call("clock", sail::Json::object());  // by now the request has been read
    return rank;
  }
  std::string error_of(Rank& rank) {
    EXPECT_TRUE(eventually([&] {
      rank.client->wait(5);
      return rank.answer.has_value();
    }));
    return rank.answer && !*rank.answer ? rank.answer->error().message : "it was opened";
  }
  // All ranks get the same error, also later ones.
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
                 "ranks 0 and 1 disagree about the frame size: 640×360 and 640×368");
  expect_refused({open_request(0, 3, regions[0]), open_request(2, 4, regions[2]),
                  open_request(1, 3, regions[1])},
                 "ranks 0 and 2 disagree about the number of ranks: 3 and 4");
  expect_refused({open_request(0, 3, regions[0]), open_request(2, 3, regions[2]),
                  open_request(1, 3, {0, 112, 640, 128})},
                 "the regions of ranks 0 and 1 overlap: 640×8 at 0, 112");
  expect_refused(
      {open_request(0, 3, regions[0]), open_request(1, 3, {0, 120, 600, 120}),
       open_request(2, 3, regions[2])},
      "the regions of ranks 0 to 2 leave a gap in frames of 640×360: 40×120 at 600, 120");
  Rank& outside = ask(open_request(0, 2, {0, 8, 640, 360}));
  EXPECT_NE(error_of(outside).find("of rank 0 of 2 is outside the frame of 640×360"),
            std::string::npos);
  Rank& strange = ask(open_request(2, 2, {0, 0, 640, 360}));
  EXPECT_NE(error_of(strange).find("'rank' must be between 0 and 1, not 2"), std::string::npos);
  Rank& between = ask(open_request(0, 2, {0, 4, 640, 180}));
  EXPECT_NE(error_of(between).find("multiples of 8"), std::string::npos);
}

// A rank that has continued may reconnect later; a new program cannot know which frame is due.
TEST_F(PartsByHand, OfRanksThatHaveGoneOnOneMayBeMissing) {
  const auto regions = bands(kFrame, 3);
  const auto going_on = [&](int rank, uint32_t stream, const Rect& region) {
    sail::Json request = open_request(rank, 3, region, kFrame, "last");
    sail::Resume resume{.window = 70, .secret = 5 + static_cast<uint64_t>(rank), .routes = {}};
    resume.routes.stream = stream;
    resume.routes.epoch = 9;
    resume.routes.wall_rect = {0, 0, kFrame.width, kFrame.height};
    request["resume"] = to_json(resume);
    return request;
  };
  const auto answer_of = [&](Rank& rank) {
    EXPECT_EQ(error_of(rank), "it was opened");
    return rank.answer && *rank.answer ? **rank.answer : sail::Json::object();
  };
  Rank& first = ask(going_on(0, 70, regions[0]));
  Rank& last = ask(going_on(2, 72, regions[2]));
  EXPECT_EQ(ui::number_member(answer_of(first), "stream"), 70);
  EXPECT_EQ(ui::number_member(answer_of(last), "stream"), 72);
  EXPECT_EQ(answer_of(last)["secret"], going_on(2, 72, regions[2])["resume"]["secret"]);
  EXPECT_EQ(states(), "there gone there");
  EXPECT_EQ(wall_->window()["window"], 70);
  EXPECT_EQ(wall_->window()["parts"][1]["region"], sail::rect_json(regions[1]));

  EXPECT_NE(error_of(ask(open_request(1, 3, regions[1], kFrame, "last")))
                .find("cannot rejoin 'parallel'"),
            std::string::npos);
  EXPECT_NE(error_of(ask(going_on(1, 71, {0, 112, 640, 128}))).find("differs from the lost rank's"),
            std::string::npos);
  // With a number that another rank has, this is a separate stream.
  Rank& middle = ask(going_on(1, 72, regions[1]));
  EXPECT_GT(ui::number_member(answer_of(middle), "stream"), 72);
  EXPECT_EQ(states(), "there there there");
  EXPECT_NE(error_of(ask(going_on(1, 71, regions[1]))).find("all of its 3 ranks"),
            std::string::npos);
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
                  .find("rank 0 cannot rejoin 'parallel': the other ranks"),
              std::string::npos);
    EXPECT_NE(error_of(ask(open_request(1, 2, regions[1], kFrame, absent)))
                  .find("rank 1 cannot rejoin 'parallel': window"),
              std::string::npos);
    ranks_.clear();
    EXPECT_TRUE(eventually([&] { return wall_->windows().empty(); })) << "the last one has gone";
  }
}

}  // namespace
}  // namespace test
