#include "sail/wire/nearest_word.h"

#include <algorithm>
#include <numeric>

namespace sail {
namespace {

constexpr size_t kNear = 3;
constexpr size_t kLongestWord = 32;

// Levenshtein's.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t exchanged = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({exchanged, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
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
