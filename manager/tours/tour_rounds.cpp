#include "manager/tours/tour_rounds.h"

#include <numeric>
#include <random>
#include <utility>

namespace manager {

// Not std::shuffle, whose result differs between libraries: the next manager must find this order.
std::vector<size_t> TourRounds::shuffled(int64_t round) const {
  std::vector<size_t> order(sources_);
  std::iota(order.begin(), order.end(), size_t{0});
  std::mt19937_64 numbers(course_.shuffle + static_cast<uint64_t>(round));
  for (size_t i = sources_ - 1; i > 0; --i) std::swap(order[i], order[numbers() % (i + 1)]);
  return order;
}

std::optional<size_t> TourRounds::source_at(int64_t place) {
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
