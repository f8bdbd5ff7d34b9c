#include "sail/apps/server/playout/admission.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace server {
namespace {

using testing::HasSubstr;

TEST(Admission, FilmsArePromisedAShareOfThePeak) {
  SourceLoad load{.peak_mb_per_s = 100};
  for (int film = 0; film < 5; ++film) {
    EXPECT_TRUE(admit(load, "a.vmov", 16));
    load.add(16, false);
  }
  EXPECT_TRUE(admit(load, "a.vmov", 5)) << "85 MB/s may be promised";
  const auto refused = admit(load, "a.vmov", 5.01);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, sail::ErrorCode::kBusy);
  for (const char* words : {"a.vmov needs 5.01 MB/s", "85.00", "85 %", "100.00", "80.00"}) {
    EXPECT_THAT(refused.error().message, HasSubstr(words));
  }
}

TEST(Admission, BestEffortTakesNothingFromWhatIsPromised) {
  SourceLoad load{.peak_mb_per_s = 100};
  load.add(1000, true);
  EXPECT_TRUE(admit(load, "a.vmov", 85));
  EXPECT_EQ(load.best_effort_films, 1U);
  EXPECT_EQ(load.best_effort_mb_per_s, 1000);
  EXPECT_EQ(load.admitted_films, 0U);
}

TEST(Admission, NothingIsRefusedWhileThePeakIsUnknown) {
  EXPECT_TRUE(admit({}, "a.vmov", 1e6));
}

TEST(Admission, WhatADiskServerHadToDoIsTheOthersOnceItIsAway) {
  const FilmNeed need{.mb_per_s = 12, .shares = {{"a:1", 0.25}, {"b:1", 0.5}, {"c:1", 0.25}}};
  EXPECT_EQ(need.by_disk({}), (DiskShares{{"a:1", 3}, {"b:1", 6}, {"c:1", 3}}));
  EXPECT_EQ(need.by_disk({"b:1"}), (DiskShares{{"a:1", 6}, {"c:1", 6}}));
  EXPECT_EQ(need.by_disk({"a:1", "b:1", "c:1"}), DiskShares());
}

TEST(Admission, ARefusalNamesTheDiskServer) {
  const SourceLoad full{.peak_mb_per_s = 10, .admitted_mb_per_s = 8, .disk = "store1:7452"};
  const auto refused = admit(full, "a.vmov", 1);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message,
              HasSubstr("a.vmov needs 1.00 MB/s from disk server store1:7452, but of the 8.50"));
}

}  // namespace
}  // namespace server
