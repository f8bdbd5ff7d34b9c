// Contacts the replaced manager, should it return, and reports the new term. Loop thread only.
#pragma once

#include <cstdint>
#include <functional>

#include "sail/core/base/log.h"
#include "sail/core/rpc/manager_link.h"

namespace manager {

class FencedPrimary {
 public:
  // term: this manager's term. on_fenced: the other manager's term is higher after all.
  FencedPrimary(sail::Loop& loop, const sail::Address& at, uint64_t term,
                std::function<void(uint64_t term)> on_fenced, const sail::Log& log);

 private:
  sail::ManagerLink link_;
};

}  // namespace manager
