#include "sail/apps/desktop/row_bands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sail {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Rect kScreen{0, 0, 400, 300};

TEST(RowBands, NoRowTwiceAndInOrder) {
  EXPECT_THAT(bands_of({{0, 50, 10, 10}, {100, 10, 10, 20}, {200, 55, 10, 20}}, kScreen),
              ElementsAre(RowBand{10, 30}, RowBand{50, 75}));
}

TEST(RowBands, NeighboursAreOne) {
  EXPECT_THAT(bands_of({{0, 0, 10, 10}, {0, 10, 10, 10}}, kScreen), ElementsAre(RowBand{0, 20}));
}

TEST(RowBands, ASmallOneWithinALargeOneDoesNotShortenIt) {
  EXPECT_THAT(bands_of({{0, 0, 10, 100}, {0, 20, 10, 10}, {0, 50, 5, 5}}, kScreen),
              ElementsAre(RowBand{0, 100}));
}

TEST(RowBands, CountFromTheSourcesTopAndOnlyWithinIt) {
  const Rect region{100, 40, 50, 60};
  EXPECT_THAT(bands_of({{90, 20, 20, 30}}, region), ElementsAre(RowBand{0, 10}));
  EXPECT_THAT(bands_of({{0, 40, 99, 10}, {150, 40, 9, 9}, {100, 100, 9, 9}}, region), IsEmpty());
  EXPECT_THAT(bands_of({{100, 95, 50, 500}}, region), ElementsAre(RowBand{55, 60}));
}

}  // namespace
}  // namespace sail
