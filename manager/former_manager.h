// The manager whose place this one took, should it come back: it is told that its term is over.
// Thread: the loop's.
#pragma once

#include <cstdint>
#include <functional>

#include "sail/base/log.h"
#include "sail/net/manager_link.h"

namespace manager {

class FormerManager {
 public:
  // term: of the manager that has this. on_outrun: the other one's is higher after all.
  FormerManager(sail::Loop& loop, const sail::Address& at, uint64_t term,
                std::function<void(uint64_t term)> on_outrun, const sail::Log& log);

 private:
  sail::ManagerLink link_;
};

}  // namespace manager
