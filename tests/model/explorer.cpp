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

std::unique_ptr<World> played(const Begin& begin, const std::vector<size_t>& choices) {
  auto world = begin();
  for (const size_t choice : choices) world->choose(choice);
  return world;
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
      const auto world = played(begin, choices);
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

Explored explore_surprises(const Begin& begin, const Bounds& bounds) {
  constexpr size_t kUsualSteps[] = {0, 10, 40};  // after the surprise
  Explored explored;
  for (size_t at = 0; at < bounds.depth; ++at, ++explored.all_until) {
    const size_t choices = played(begin, std::vector<size_t>(at, 0))->choices();
    for (size_t choice = 1; choice < choices; ++choice) {
      for (const size_t usual : kUsualSteps) {
        std::vector<size_t> sequence(at + 1 + usual, 0);
        sequence[at] = choice;
        const auto world = played(begin, sequence);
        if (world->wrong().empty()) world->finish();
        ++explored.states;
        explored.steps += sequence.size();
        explored.depth = std::max(explored.depth, sequence.size());
        if (world->wrong().empty()) continue;
        explored.wrong = world->wrong();
        explored.sequence = recorded(begin, sequence);
        return explored;
      }
    }
  }
  return explored;
}

}  // namespace model
