#include "sail/media/film/step_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace sail {
namespace {

constexpr double kPixels = 1920 * 1080;
constexpr double kBudget = kPixels * 2 / 8;
constexpr int kBits = 8;

// Bytes that fall with the step as for a real frame, with varying slope.
double bytes_at(double step, double detail) {
  const double falling = std::log2(1 + detail / step);
  return 800 + kPixels / 8 * falling * falling / 6;
}

struct Outcome {
  int tries = 0;
  int wholes = 0;
  double bytes = 0;
};

// Estimates from samples are wrong by a factor.
Outcome search(double detail, double sample_error, double budget = kBudget) {
  StepSearch found(budget, kPixels, kBits);
  Outcome outcome;
  while (!found.settled()) {
    found.tried(sample_error * bytes_at(found.step(), detail));
    ++outcome.tries;
  }
  for (bool accepted = false; !accepted; ++outcome.wholes) {
    outcome.bytes = bytes_at(found.step(), detail);
    accepted = found.accepts(outcome.bytes);
  }
  return outcome;
}

TEST(StepSearch, FindsTheBudgetInAFewTries) {
  for (const double detail : {0.001, 0.005, 0.02, 0.1, 0.3}) {
    const Outcome outcome = search(detail, 1);
    EXPECT_LE(outcome.tries, StepSearch::kMaxTries) << detail;
    EXPECT_EQ(outcome.wholes, 1) << detail;
    // Not finer than an eighth of a level, even if bytes remain.
    const double most = bytes_at(std::ldexp(0.25, -kBits), detail);
    EXPECT_NEAR(outcome.bytes / std::min(kBudget, most), 1, 0.04) << detail;
  }
}

TEST(StepSearch, AMisleadingSampleIsMadeGood) {
  for (const double error : {0.25, 0.5, 0.8, 1.3, 2.0, 4.0}) {
    const Outcome outcome = search(0.05, error);
    EXPECT_LE(outcome.bytes, StepSearch::kMostOver * kBudget) << error;
    EXPECT_GE(outcome.bytes, 0.7 * kBudget) << error;
    EXPECT_LE(outcome.wholes, 3) << error;
  }
}

TEST(StepSearch, ASampleThatIsALittleWrongCostsNothing) {
  EXPECT_EQ(search(0.05, 0.96).wholes, 1);
  EXPECT_EQ(search(0.05, 1.04).wholes, 1);
}

TEST(StepSearch, EndsWhereTheBudgetCannotBe) {
  EXPECT_LE(search(0.3, 1, 1).wholes, 40);
  const Outcome black = search(1e-9, 1);
  EXPECT_EQ(black.tries, 2);
  EXPECT_EQ(black.wholes, 1);
}

TEST(StepSearch, IsTheSameForTheSameFrame) {
  const Outcome first = search(0.07, 1.4);
  const Outcome second = search(0.07, 1.4);
  EXPECT_EQ(first.bytes, second.bytes);
}

}  // namespace
}  // namespace sail
