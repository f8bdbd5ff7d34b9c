#include "tests/bench/link/traffic.h"

#include <algorithm>
#include <numeric>

namespace bench {

std::vector<uint64_t> bins(const std::map<int64_t, uint64_t>& bytes_by_ms, int bin_ms) {
  if (bytes_by_ms.empty()) return {};
  const int64_t first_ms = bytes_by_ms.begin()->first;
  const int64_t whole = (bytes_by_ms.rbegin()->first - first_ms + 1) / bin_ms;
  std::vector<uint64_t> sums(static_cast<size_t>(whole));
  for (const auto& [ms, bytes] : bytes_by_ms) {
    const int64_t bin = (ms - first_ms) / bin_ms;
    if (bin < whole) sums[static_cast<size_t>(bin)] += bytes;
  }
  return sums;
}

std::map<int64_t, uint64_t> last_busy(const std::map<int64_t, uint64_t>& bytes_by_ms, int64_t ms) {
  if (bytes_by_ms.empty()) return {};
  uint64_t peak = 0;
  for (const auto& [at_ms, bytes] : bytes_by_ms) peak = std::max(peak, bytes);
  const auto last = std::find_if(bytes_by_ms.rbegin(), bytes_by_ms.rend(),
                                 [&](const auto& entry) { return entry.second > peak / 4; });
  const int64_t end_ms = last->first;
  return {bytes_by_ms.lower_bound(end_ms - ms), bytes_by_ms.lower_bound(end_ms)};
}

double peak_to_mean(const std::vector<uint64_t>& bins) {
  if (bins.empty()) return 0;
  const auto sum = static_cast<double>(std::accumulate(bins.begin(), bins.end(), uint64_t{0}));
  const auto peak = static_cast<double>(*std::max_element(bins.begin(), bins.end()));
  return sum == 0 ? 0 : peak * static_cast<double>(bins.size()) / sum;
}

}  // namespace bench
