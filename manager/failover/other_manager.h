// Contacts the wall's other manager.
#pragma once

#include <cstdint>
#include <functional>

#include "sail/core/address/address.h"
#include "sail/core/base/log.h"
#include "sail/core/base/result.h"
#include "sail/core/rpc/manager_link.h"
#include "sail/core/wall/wall.h"

namespace manager {

// Reports the new term to the replaced manager, should it return. Loop thread only.
class FencedPrimary {
 public:
  // term: this manager's term. on_fenced: the other manager's term is higher after all.
  FencedPrimary(sail::Loop& loop, const sail::Address& at, uint64_t term,
                std::function<void(uint64_t term)> on_fenced, const sail::Log& log);

 private:
  sail::ManagerLink link_;
};

// For a standby that will follow this manager: returns its wall with host names as seen from this
// host, and without its standby, which is this process. Blocks until the answer. kUnavailable: the
// manager does not answer, or is itself a standby.
sail::Result<sail::Wall> wall_of(const sail::Address& manager);

}  // namespace manager
