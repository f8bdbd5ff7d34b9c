#include "receiver/intake/memory_budget.h"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>

namespace receiver {

size_t MemoryBudget::usual_bytes() {
  const auto memory =
      static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t shared = std::min(memory, group_bytes() / 4 * 3);
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return shared;
  return std::min<size_t>(shared, limit.rlim_cur / 2);
}

size_t MemoryBudget::group_bytes(const std::filesystem::path& root) {
  constexpr std::string_view kVersion2 = "0::/";
  std::ifstream groups(root / "proc/self/cgroup");
  std::string line;
  while (std::getline(groups, line) && !line.starts_with(kVersion2)) line.clear();
  if (line.empty()) return SIZE_MAX;
  const std::filesystem::path all = root / "sys/fs/cgroup";
  size_t least = SIZE_MAX;
  for (auto group = all / line.substr(kVersion2.size());; group = group.parent_path()) {
    size_t bytes = 0;
    if (std::ifstream(group / "memory.max") >> bytes) least = std::min(least, bytes);  // not "max"
    if (group == all || group == group.parent_path()) return least;
  }
}

namespace {

constexpr size_t kWorthIt = size_t{32} << 20;
constexpr int64_t kTrimEveryNs = 60'000'000'000;

}  // namespace

// The last frames of a stream are freed some time after it has ended.
void MemoryTrim::on_second(int64_t now_ns) {
  const bool all_free = !std::exchange(freed_lately_, false);
  const bool worth_it = all_free && freed_bytes_ >= kWorthIt;
  if (!worth_it && now_ns - trimmed_ns_ < kTrimEveryNs) return;
  freed_bytes_ = 0;
  trimmed_ns_ = now_ns;
  malloc_trim(0);
}

}  // namespace receiver
