// No mixed frame, no layout half, one ruler per term, nobody waits for ever: in all orders of
// messages and faults within the bounds.
#include <fmt/core.h>
#include <gtest/gtest.h>

#include "tests/model/bounds.h"
#include "tests/model/explorer.h"
#include "tests/model/scenario.h"
#include "tests/model/succession.h"
#include "tests/model/wall_world.h"

namespace model {
namespace {

template <typename Modelled, typename Setup>
Explored explore_all(Setup setup, Bounds bounds) {
  const AskedBounds& asked = asked_bounds();
  bounds.depth = asked.depth.value_or(bounds.depth);
  bounds.states = asked.states.value_or(asked.depth ? SIZE_MAX : bounds.states);
  setup.faults = asked.faults.value_or(setup.faults);
  const Explored explored = explore([&] { return std::make_unique<Modelled>(setup); }, bounds);
  fmt::print("{}\n", explored.text());
  return explored;
}

TEST(Model, ALayoutChangesInAnyOrderOfMessages) {
  const Explored all = explore_all<WallWorld>(Scenario{.faults = 0}, {30, 2000});
  EXPECT_EQ(all.wrong, "") << all.text();
  EXPECT_GT(all.states, 500U);
}

TEST(Model, ALayoutChangesWhileSomethingFails) {
  const Explored all = explore_all<WallWorld>(Scenario{}, {30, 3000});
  EXPECT_EQ(all.wrong, "") << all.text();
  EXPECT_GT(all.states, 500U);
}

// Far enough for faults whose effect is seen only with the frames after the layout.
Explored explore_a_fault_at_any_moment(const Scenario& scenario) {
  const auto begin = [&scenario] {
    auto world = std::make_unique<WallWorld>(scenario);
    world->choose(1);  // the windows are moved
    return world;
  };
  return explore_surprises(begin, {.depth = asked_bounds().depth.value_or(40)});
}

TEST(Model, ALayoutChangesWithAFaultAtAnyMoment) {
  const Explored all = explore_a_fault_at_any_moment(Scenario{});
  fmt::print("{}\n", all.text());
  EXPECT_EQ(all.wrong, "") << all.text();
  EXPECT_GT(all.states, 1000U);
}

TEST(Model, WithoutAnAllowanceItsCaseIsFound) {
  for (const Allowance allowance : {Allowance::kStoppedReceiver, Allowance::kLateMessage,
                                    Allowance::kCutReceiver, Allowance::kLeftBehind}) {
    Scenario strict;
    strict.allowed.erase(allowance);
    const Explored all = explore_a_fault_at_any_moment(strict);
    EXPECT_NE(all.wrong, "") << static_cast<int>(allowance);
  }
}

TEST(Model, ALayoutOfAGroupChangesInAnyOrderOfMessages) {
  const Explored all =
      explore_all<WallWorld>(Scenario{.senders = 2, .grouped = true, .faults = 0}, {30, 1200});
  EXPECT_EQ(all.wrong, "") << all.text();
  EXPECT_GT(all.states, 500U);
}

TEST(Model, AtMostOneManagerRulesInATerm) {
  const Explored all = explore_all<Succession>(Reigns{.receivers = 2, .faults = 3}, {30, 20000});
  EXPECT_EQ(all.wrong, "") << all.text();
  EXPECT_GT(all.states, 1000U);
}

// With a witness, no two managers rule at one time, not even in different terms, unless a clock
// drifts by more than a tenth. Receivers have no vote; without them, all states are explored.
class WitnessedReigns : public testing::TestWithParam<Reigns> {};

TEST_P(WitnessedReigns, AtMostOneManagerRules) {
  const Explored all = explore_all<Succession>(GetParam(), {60, 500'000});
  EXPECT_EQ(all.wrong, "") << all.text();
  EXPECT_GT(all.states, 1000U);
}

INSTANTIATE_TEST_SUITE_P(
    Model, WitnessedReigns,
    testing::Values(Reigns{.receivers = 0, .faults = 4, .witness = true},
                    Reigns{.receivers = 1, .faults = 2, .witness = true},
                    Reigns{.receivers = 0, .faults = 3, .witness = true, .drift = 10},
                    Reigns{.receivers = 0, .faults = 3, .witness = true, .drift = 10, .slow = 1},
                    Reigns{.receivers = 0, .faults = 3, .witness = true, .lost_witness = true},
                    Reigns{.receivers = 1, .faults = 2, .witness = true, .lost_witness = true}));

TEST(Model, AVoteThatIsForgottenGivesTwoManagers) {
  const Explored all = explore_all<Succession>(
      Reigns{.receivers = 0, .faults = 5, .witness = true, .forgetful = true}, {60, 500'000});
  EXPECT_EQ(all.wrong, "two managers rule at one time") << all.text();
}

TEST(Model, AClockThatDriftsTooMuchGivesTwoManagers) {
  const Explored all = explore_all<Succession>(
      Reigns{.receivers = 0, .faults = 2, .witness = true, .drift = 15}, {40, 100'000});
  EXPECT_EQ(all.wrong, "two managers rule at one time") << all.text();
}

}  // namespace
}  // namespace model
