#include "manager/tours/tour_rounds.h"

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <vector>

namespace manager {
namespace {

constexpr int64_t kSources = 7;

TEST(TourRounds, WithoutShuffleTheyRepeatTheList) {
  TourRounds rounds(3, {});
  EXPECT_EQ(rounds.source_at(0), 0U);
  EXPECT_EQ(rounds.source_at(5), 2U);
  EXPECT_EQ(rounds.source_at(-1), 2U);
  TourRounds once(3, {.loop = false});
  EXPECT_EQ(once.source_at(2), 2U);
  EXPECT_FALSE(once.source_at(3));
  EXPECT_FALSE(once.source_at(-1));
}

TEST(TourRounds, AShuffledRoundHasEachSourceOnceAndNoneTwiceInARow) {
  for (uint64_t seed = 1; seed < 100; ++seed) {
    TourRounds rounds(kSources, {.shuffle = seed});
    std::optional<size_t> before;
    std::set<std::vector<size_t>> orders;
    for (int64_t round = -2; round < 4; ++round) {
      std::vector<size_t> order;
      for (int64_t i = 0; i < kSources; ++i) {
        const auto source = rounds.source_at(round * kSources + i);
        ASSERT_TRUE(source);
        EXPECT_NE(source, before);
        before = source;
        order.push_back(*source);
      }
      EXPECT_EQ(std::set<size_t>(order.begin(), order.end()).size(), size_t{kSources});
      orders.insert(order);
    }
    EXPECT_GT(orders.size(), 1U) << "each round has its own order";
  }
}

// Going back, and the next manager, find the order that was there before.
TEST(TourRounds, TheSeedDeterminesTheOrder) {
  TourRounds rounds(kSources, {.shuffle = 5});
  std::vector<size_t> order;
  for (int64_t place = 0; place < 3 * kSources; ++place) {
    order.push_back(*rounds.source_at(place));
  }
  TourRounds again(kSources, {.shuffle = 5});
  for (int64_t place = 3 * kSources - 1; place >= 0; --place) {
    EXPECT_EQ(again.source_at(place), order[static_cast<size_t>(place)]);
  }
}

TEST(TourRounds, TwoSourcesAlternate) {
  TourRounds rounds(2, {.shuffle = 5});
  for (int64_t place = 0; place < 6; ++place) {
    EXPECT_EQ(rounds.source_at(place), static_cast<size_t>(place % 2));
  }
}

}  // namespace
}  // namespace manager
