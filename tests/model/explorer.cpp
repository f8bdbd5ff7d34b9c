#include "tests/model/explorer.h"

#include <fmt/core.h>

#include <algorithm>
#include <unordered_set>

namespace model {
namespace {

using Begin = std::function<std::unique_ptr<World>()>;

struct State {
  size_t from = 0;  // the state before
  size_t choice = 0;
  size_t choices = 0;
  size_t depth = 0;
};

std::vector<size_t> choices_to(const std::vector<State>& states, size_t state) {
  std::vector<size_t> choices;
  for (; state != 0; state = states[state].from) choices.push_back(states[state].choice);
  std::ranges::reverse(choices);
  return choices;
}

std::vector<std::string> recorded(const Begin& begin, const std::vector<size_t>& choices) {
  std::vector<std::string> steps;
  const auto world = begin();
  world->record(steps);
  for (const size_t choice : choices) world->choose(choice);
  if (world->wrong().empty()) {
    steps.emplace_back("--- no more faults");
    world->finish();
  }
  return steps;
}

}  // namespace

std::string Explored::text() const {
  std::string text = fmt::format("{} states by {} steps; all within {} steps, the deepest after {}",
                                 states, steps, all_until, depth);
  if (wrong.empty()) return text;
  text += "\nviolation: " + wrong + "\n";
  for (const std::string& step : sequence) text += "  " + step + "\n";
  return text;
}

Explored explore(const Begin& begin, const Bounds& bounds) {
  const auto first = begin();
  std::vector<State> states{{.choices = first->choices()}};
  std::unordered_set<uint64_t> known{first->fingerprint()};
  Explored explored;
  size_t at = 0;
  for (; at < states.size() && states.size() < bounds.states; ++at) {
    if (states[at].depth == bounds.depth) break;
    std::vector<size_t> choices = choices_to(states, at);
    for (size_t choice = 0; choice < states[at].choices; ++choice) {
      const auto world = begin();
      for (const size_t before : choices) world->choose(before);
      world->choose(choice);
      ++explored.steps;
      if (world->wrong().empty() && !known.insert(world->fingerprint()).second) continue;
      states.push_back({at, choice, world->choices(), states[at].depth + 1});
      if (world->wrong().empty()) world->finish();
      if (world->wrong().empty()) continue;
      explored.wrong = world->wrong();
      choices.push_back(choice);
      explored.sequence = recorded(begin, choices);
      explored.states = states.size();
      return explored;
    }
  }
  explored.states = states.size();
  explored.depth = states.back().depth;
  explored.all_until = at < states.size() ? states[at].depth : explored.depth;
  return explored;
}

}  // namespace model
