#include "sail/base/descriptors.h"

#include <sys/resource.h>

#include <algorithm>

namespace sail {

void raise_descriptor_limit() {
  constexpr rlim_t kEnough = 65536;
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = std::max(limit.rlim_cur, std::min(limit.rlim_max, kEnough));
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace sail
