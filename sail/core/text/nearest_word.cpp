#include "sail/core/text/nearest_word.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace sail {
namespace {

constexpr size_t kNear = 3;
constexpr size_t kLongestWord = 32;

// Optimal string alignment distance (Damerau-Levenshtein): insertions, deletions, substitutions and
// swaps of adjacent letters.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before_last;
  std::vector<size_t> last(b.size() + 1);
  std::iota(last.begin(), last.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    std::vector<size_t> row = {i + 1};
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t exchanged = last[j] + (a[i] == b[j] ? 0 : 1);
      row.push_back(std::min({exchanged, row[j] + 1, last[j + 1] + 1}));
      const bool swapped = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
      if (swapped) row.back() = std::min(row.back(), before_last[j - 1] + 1);
    }
    before_last = std::exchange(last, std::move(row));
  }
  return last.back();
}

}  // namespace

std::string_view nearest_word(std::string_view word, const std::vector<std::string_view>& words) {
  if (word.size() > kLongestWord) return {};
  std::string_view nearest;
  size_t smallest = std::min(kNear, word.size());
  for (const std::string_view candidate : words) {
    const size_t distance = edit_distance(word, candidate);
    if (distance >= smallest) continue;
    smallest = distance;
    nearest = candidate;
  }
  return nearest;
}

}  // namespace sail
