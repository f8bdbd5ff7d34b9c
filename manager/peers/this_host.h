// Names in wall files that mean the manager's own host.
#pragma once

#include <string_view>

namespace manager {

// Whether `host` is the manager's host.
inline bool is_this_host(std::string_view host) {
  return host.empty() || host == "localhost" || host == "127.0.0.1" || host == "::1";
}

}  // namespace manager
