// The order of a tour's sources: an endless row of places. Each round of the row contains every
// source once. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace manager {

struct TourCourse {
  bool loop = true;      // Without it, there is one round.
  uint64_t shuffle = 0;  // Seed of the order, which is another one in each round; 0: of the list.
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
  std::optional<int64_t> round_{};  // Of `order_`.
  std::vector<size_t> order_{};
};

}  // namespace manager
