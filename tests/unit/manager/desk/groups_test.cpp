// Groups: messages to members, place of the sync table, and commands for all members.
#include <gtest/gtest.h>

#include "sail/core/time/wall_clock.h"
#include "sail/core/wire/group.h"
#include "tests/unit/manager/peers/manager_test.h"

namespace manager {
namespace {

using sail::Json;

class GroupsTest : public PeopledManagerTest {
 protected:
  Json params(const std::string& group, double fps = 25) {
    Json params = stream_params();
    if (!group.empty()) params["group"] = group;
    params["fps"] = fps;
    return params;
  }
  // The next seat message to the application: a stream and a group.
  sail::GroupMembership seat() {
    return sail::message_from_json<sail::GroupMembership>(app->next("group")).value();
  }
  // The next group tables sent to the receiver.
  static std::vector<sail::CoordinatedGroup> tables(ScriptedPeer& receiver) {
    return sail::message_from_json<sail::CoordinatedGroups>(receiver.next("group_tables"))
        .value()
        .groups;
  }
  Json group_of(uint32_t window) {
    const Json windows = console->expect("list")["windows"];
    for (const Json& one : windows) {
      if (one["window"] == window) return one.value("group", Json());
    }
    return {};
  }
};

TEST_F(GroupsTest, ATableIsAtAReceiverAndMovesWithItsLoss) {
  app->expect("open_stream", params("panels"));
  const sail::GroupMembership first = seat();
  EXPECT_EQ(first.stream, 1U);
  EXPECT_EQ(first.name, "panels");
  EXPECT_EQ(first.port, 5001);
  auto reported = tables(*left);
  ASSERT_EQ(reported.size(), 1U);
  EXPECT_EQ(reported[0].secret, first.secret);
  EXPECT_EQ(reported[0].streams, std::vector<uint32_t>{1});
  // The second stream gets the same, and the table knows it.
  app->expect("open_stream", params("panels"));
  const sail::GroupMembership second = seat();
  EXPECT_EQ(second.stream, 2U);
  EXPECT_EQ(second.secret, first.secret);
  EXPECT_EQ(second.timeline, first.timeline);
  EXPECT_EQ(tables(*left).at(0).streams, (std::vector<uint32_t>{1, 2}));
  // Both get the new table's address.
  left.reset();
  for (const uint32_t stream : {1U, 2U}) {
    const sail::GroupMembership moved = seat();
    EXPECT_EQ(moved.stream, stream);
    EXPECT_EQ(moved.port, 5002);
    EXPECT_NE(moved.secret, first.secret);
  }
  EXPECT_EQ(tables(*right).at(0).streams, (std::vector<uint32_t>{1, 2}));
  // The group ends with its last stream.
  app->notify("close_stream", {{"stream", 1}});
  EXPECT_EQ(tables(*right).at(0).streams, std::vector<uint32_t>{2});
  app->notify("close_stream", {{"stream", 2}});
  EXPECT_TRUE(tables(*right).empty());
  EXPECT_EQ(console->expect("groups")["groups"], Json::array());
}

TEST_F(GroupsTest, WhatPeopleWantOfAMemberActsOnAll) {
  Json first = params("panels");
  first["timeline"] = {{"position_s", 10}, {"at_ns", 1}, {"rate", 1.5}};
  app->expect("open_stream", first);
  EXPECT_EQ(seat().timeline, (sail::Timeline{.position_s = 10, .at_ns = 1, .rate = 1.5}));
  app->expect("open_stream", params("panels"));
  EXPECT_EQ(seat().timeline.rate, 1.5) << "the first member's";
  console->expect("control", {{"window", 2}, {"action", "seek"}, {"value", 61.5}});
  const sail::GroupMembership sought = seat();
  EXPECT_EQ(sought.stream, 1U);
  EXPECT_EQ(sought.timeline.position_s, 61.5);
  EXPECT_EQ(seat().timeline, sought.timeline);
  console->expect("control", {{"window", 1}, {"action", "pause"}});
  EXPECT_TRUE(seat().timeline.paused && seat().timeline.paused);
  // Actions without a timeline concern only the one window.
  console->expect("control", {{"window", 1}, {"action", "loop"}, {"value", 1}});
  EXPECT_EQ(app->next("event")["stream"], 1);
}

TEST_F(GroupsTest, AFilmThatIsYetToBeginBeginsThen) {
  const int64_t at_ns = fs_manager->desk().clock().wall_now_ns() + int64_t{3600} * 1'000'000'000;
  Json first = params("panels");
  first["timeline"] = {{"position_s", 0}, {"at_ns", at_ns}, {"rate", 1}};
  app->expect("open_stream", first);
  EXPECT_EQ(seat().timeline.at_ns, at_ns);
  console->expect("control", {{"window", 1}, {"action", "rate"}, {"value", 0.5}});
  EXPECT_EQ(seat().timeline, (sail::Timeline{.position_s = 0, .at_ns = at_ns, .rate = 0.5}));
}

TEST_F(GroupsTest, AStreamThatTakesAnothersPlaceIsAMemberLikeThat) {
  app->expect("open_stream", params(""));
  console->expect("group", {{"name", "panels"}, {"windows", {1}}});
  const sail::GroupMembership former = seat();
  Json next = params("");
  next["replaces"] = former.stream;
  const uint32_t stream = app->expect("open_stream", next)["stream"];
  const sail::GroupMembership now = seat();
  EXPECT_EQ(now.stream, stream);
  EXPECT_EQ(now.secret, former.secret);
  EXPECT_EQ(group_of(1), "panels");
  // A stream with another frame rate cannot stay in the group.
  next = params("", 30);
  next["replaces"] = stream;
  EXPECT_TRUE(app->expect("open_stream", next).is_object());
  EXPECT_EQ(group_of(1), Json());
}

TEST_F(GroupsTest, TheTableKnowsWhoseFramesHaveNumbersForTimes) {
  Json rank = params("", 0);
  const sail::Size size{1920, 1080};
  rank["part"] = to_json(sail::JoinParts{
      .name = "film", .region = {0, 0, size.width, size.height}, .frame_size = size});
  app->expect("open_stream", rank);
  auto reported = tables(*left);
  ASSERT_EQ(reported.size(), 1U);
  EXPECT_TRUE(reported[0].numbered && reported[0].waits);
  app->expect("open_stream", params("panels"));
  reported = tables(*left);
  ASSERT_EQ(reported.size(), 2U);
  EXPECT_NE(reported[0].numbered, reported[1].numbered);
}

TEST_F(GroupsTest, MembersMustAgree) {
  app->expect("open_stream", params("panels", 30));
  const auto other = app->call("open_stream", params("panels", 25));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, sail::ErrorCode::kConflict);
  EXPECT_TRUE(app->call("open_stream", params("panels", 30.0005))) << "nearly the same";
  EXPECT_TRUE(app->call("open_stream", params("panels", 0))) << "unknown";
  app->expect("open_stream", params("", 25));
  const auto put = console->call("group", {{"name", "panels"}, {"windows", {4}}});
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code, sail::ErrorCode::kConflict);
  EXPECT_EQ(group_of(4), Json());
}

TEST_F(GroupsTest, WhoLeavesIsTold) {
  app->expect("open_stream", params("panels"));
  EXPECT_EQ(seat().name, "panels");
  console->expect("group", {{"name", ""}, {"windows", {1}}});
  const sail::GroupMembership left_it = seat();
  EXPECT_EQ(left_it.stream, 1U);
  EXPECT_EQ(left_it.name, "");
}

}  // namespace
}  // namespace manager
