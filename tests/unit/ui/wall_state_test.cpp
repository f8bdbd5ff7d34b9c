#include "ui/wall_state.h"

#include <gtest/gtest.h>

namespace ui {
namespace {

using sail::Json;

Json window(int number, int x) {
  return {{"window", number}, {"rect", {x, 0, 100, 100}}};
}

TEST(WallState, FollowsWhatChanges) {
  WallState state;
  state.begin({{"revision", 5},
               {"epoch", 1},
               {"receivers", Json::array({{{"name", "left"}, {"connected", false}}})},
               {"windows", {window(1, 0), window(2, 0)}}});
  EXPECT_EQ(state.bottom_to_top(), (std::vector<uint32_t>{1, 2}));
  EXPECT_TRUE(
      state.apply({{"revision", 6}, {"epoch", 2}, {"windows", Json::array({window(1, 7)})}}));
  EXPECT_EQ(state.windows().at(1)["rect"][0], 7);
  EXPECT_EQ(state.other("epoch"), 2);
  EXPECT_TRUE(state.apply({{"revision", 7},
                           {"windows", Json::array({window(3, 0)})},
                           {"removed", Json::array({1})},
                           {"order", {3, 2}},
                           {"receivers", Json::array({{{"name", "left"}, {"connected", true}}})}}));
  EXPECT_EQ(state.bottom_to_top(), (std::vector<uint32_t>{3, 2}));
  EXPECT_EQ(state.windows().size(), 2U);
  EXPECT_EQ(state.receivers().at("left")["connected"], true);
  EXPECT_EQ(state.revision(), 7U);
}

TEST(WallState, MoreOfTheSameRevisionIsNoGap) {
  WallState state;
  state.begin({{"revision", 5}, {"windows", Json::array({window(1, 0)})}});
  EXPECT_TRUE(
      state.apply({{"revision", 5}, {"windows", Json::array({window(2, 0)})}, {"order", {1, 2}}}));
  EXPECT_EQ(state.bottom_to_top(), (std::vector<uint32_t>{1, 2}));
}

Json step(int number) {
  return {{"number", number}, {"who", "Anna"}, {"what", "moved"}};
}

TEST(WallState, TheHistoryIsPutTogether) {
  WallState state;
  state.begin({{"revision", 5},
               {"history", {{"done", 4}, {"entries", {step(1), step(2), step(3), step(4)}}}}});
  EXPECT_TRUE(state.apply(
      {{"revision", 6},
       {"history", {{"done", 5}, {"keep", {2, 3}}, {"entries", Json::array({step(5)})}}}}));
  EXPECT_EQ(state.other("history"), (Json{{"done", 5}, {"entries", {step(2), step(3), step(5)}}}));
  EXPECT_TRUE(state.apply(
      {{"revision", 7}, {"history", {{"done", 3}, {"keep", {2, 5}}, {"entries", Json::array()}}}}));
  EXPECT_EQ(state.other("history"), (Json{{"done", 3}, {"entries", {step(2), step(3), step(5)}}}));
  const Json whole = {{"done", 7}, {"entries", Json::array({step(7)})}};
  EXPECT_TRUE(state.apply({{"revision", 8}, {"history", whole}}));
  EXPECT_EQ(state.other("history"), whole);
  // Nonsense.
  for (const Json& history :
       {Json(3), Json{{"keep", "all"}}, Json{{"keep", {"x"}}, {"entries", 5}}}) {
    EXPECT_TRUE(state.apply({{"revision", 8}, {"history", history}}));
  }
}

TEST(WallState, AMissedChangeIsNoticed) {
  WallState state;
  state.begin({{"revision", 5}});
  EXPECT_FALSE(state.apply({{"revision", 7}}));
  EXPECT_FALSE(state.apply({{"revision", 4}}));
}

TEST(WallState, NonsenseIsPassedOver) {
  WallState state;
  state.begin("nothing");
  state.apply(Json::array({1, 2}));
  state.apply({{"revision", 1}, {"windows", "all"}, {"removed", {"x", -1}}, {"order", 3}});
  EXPECT_TRUE(state.windows().empty());
  EXPECT_TRUE(state.bottom_to_top().empty());
}

}  // namespace
}  // namespace ui
