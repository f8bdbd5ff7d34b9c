#include "sail/apps/server/playout/reservations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace server {
namespace {

class ReservationsTest : public testing::Test {
 protected:
  const std::shared_ptr<sail::DiskLinks> links_ =
      std::make_shared<sail::DiskLinks>(sail::DiskLink::Options());
  Reservations reservations_{FilmStorage::create(), links_, 100, 0.5};
};

TEST_F(ReservationsTest, AReservationCountsUntilItIsReleased) {
  auto film = reservations_.reserve("a.vmov", {.mb_per_s = 30});
  ASSERT_TRUE(film);
  const auto refused = reservations_.reserve("b.vmov", {.mb_per_s = 21});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, sail::ErrorCode::kBusy);
  EXPECT_TRUE(reservations_.reserve("b.vmov", {.mb_per_s = 21, .best_effort = true}));
  film->reset();
  EXPECT_TRUE(reservations_.reserve("b.vmov", {.mb_per_s = 21}));
  EXPECT_EQ(reservations_.folder().admitted_films, 0U);
}

TEST_F(ReservationsTest, AChangeIsRefusedAsAWholeAndLessIsAlwaysGranted) {
  const auto one = reservations_.reserve("a.vmov", {.mb_per_s = 20});
  const auto other = reservations_.reserve("b.vmov", {.mb_per_s = 20});
  ASSERT_TRUE(one && other);
  EXPECT_TRUE(reservations_.change("a.vmov", **one, 30));
  EXPECT_FALSE(reservations_.change("a.vmov", **one, 31));
  EXPECT_EQ(reservations_.folder().admitted_mb_per_s, 50);
  (*other)->mb_per_s = 40;  // by controls of its window
  EXPECT_FALSE(reservations_.change("a.vmov", **one, 31));
  EXPECT_TRUE(reservations_.change("a.vmov", **one, 10));
  EXPECT_EQ(reservations_.folder().admitted_mb_per_s, 50);
}

TEST_F(ReservationsTest, TheStatedPeakIsReportedAndAMeasuredOneReplacesNone) {
  EXPECT_TRUE(reservations_.folder().stated);
  EXPECT_EQ(reservations_.folder().peak_mb_per_s, 100);
  Reservations measured(FilmStorage::create(), links_, 0, 0.5);
  EXPECT_TRUE(measured.reserve("a.vmov", {.mb_per_s = 1e6})) << "the peak is unknown";
  measured.set_peak(10);
  EXPECT_FALSE(measured.folder().stated);
  EXPECT_FALSE(measured.reserve("a.vmov", {.mb_per_s = 6}));
}

}  // namespace
}  // namespace server
