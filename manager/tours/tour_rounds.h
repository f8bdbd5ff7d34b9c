// The order of a tour's sources: an endless row of places. Each round of the row contains every
// source once. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace manager {

struct TourCourse {
  bool loop = true;      // Without it, there is one round.
  uint64_t shuffle = 0;  // Seed of the order, which differs in each round; 0: the order of the
                         // list.
};

class TourRounds {
 public:
  TourRounds(size_t sources, TourCourse course) : sources_(sources), course_(course) {}

  // Round 0 begins at place 0. Empty: there is no such place.
  std::optional<size_t> source_at(int64_t place);

 private:
  std::vector<size_t> shuffled(int64_t round) const;

  size_t sources_;
  TourCourse course_;
  std::optional<int64_t> round_{};  // round that `order_` is for
  std::vector<size_t> order_{};
};

// Not std::shuffle, whose result differs between libraries: the next manager must find this order.
inline std::vector<size_t> TourRounds::shuffled(int64_t round) const {
  std::vector<size_t> order(sources_);
  std::iota(order.begin(), order.end(), size_t{0});
  std::mt19937_64 numbers(course_.shuffle + static_cast<uint64_t>(round));
  for (size_t i = sources_ - 1; i > 0; --i) std::swap(order[i], order[numbers() % (i + 1)]);
  return order;
}

inline std::optional<size_t> TourRounds::source_at(int64_t place) {
  constexpr size_t kFewestShuffled = 3;  // Two sources alternate.
  const auto count = static_cast<int64_t>(sources_);
  if (!course_.loop && (place < 0 || place >= count)) return std::nullopt;
  const int64_t index = ((place % count) + count) % count;
  if (course_.shuffle == 0 || sources_ < kFewestShuffled) return static_cast<size_t>(index);
  const int64_t round = (place - index) / count;
  if (round_ != round) {
    order_ = shuffled(round);
    // No source comes twice in a row.
    if (order_.front() == shuffled(round - 1).back()) std::swap(order_[0], order_[1]);
    round_ = round;
  }
  return order_[static_cast<size_t>(index)];
}

}  // namespace manager
