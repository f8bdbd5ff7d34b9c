#include "receiver/memory_budget.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

namespace receiver {

size_t MemoryBudget::usual_bytes() {
  const auto memory =
      static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return memory;
  return std::min<size_t>(memory, limit.rlim_cur / 2);
}

}  // namespace receiver
