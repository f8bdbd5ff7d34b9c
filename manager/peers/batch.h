// The batch size of control messages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <vector>

namespace manager {

// Windows or receivers per control message. They stay well below kMaxControlLine.
constexpr size_t kMaxInBatch = 256;

// Moves up to kMaxInBatch items out of the set.
template <typename T>
std::vector<T> take_batch(std::set<T>& items) {
  const auto last =
      std::next(items.begin(), static_cast<std::ptrdiff_t>(std::min(items.size(), kMaxInBatch)));
  std::vector<T> some(items.begin(), last);
  items.erase(items.begin(), last);
  return some;
}

}  // namespace manager
