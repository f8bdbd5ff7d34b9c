// The answer of applications and receivers to the manager's request "memory"; see sail/PROTOCOL.md.
// Pure.
#pragma once

#include <cstdint>
#include <optional>

#include "sail/core/base/process_memory.h"
#include "sail/core/text/json_fields.h"
#include "sail/core/text/limits.h"

namespace sail {

struct MemoryUse {
  static constexpr const char* kMethod = "memory";

  uint64_t pid = 0;
  ProcessMemory process{};
  // Receivers only: memory that is reserved for the most that streams may send, and its limit.
  std::optional<uint64_t> reserved{};
  std::optional<uint64_t> limit{};

  bool operator==(const MemoryUse&) const = default;
};
void fields(auto& visit, Of<MemoryUse> auto& memory) {
  visit("pid", kCount, memory.pid);
  visit("resident", kCount, memory.process.resident);
  visit("fair", kCount, memory.process.fair);
  visit("huge", kCount, memory.process.huge);
  visit("allocated", kCount, memory.process.allocated);
  visit("kept", kCount, memory.process.kept);
  visit("reserved", kCount, memory.reserved);
  visit("limit", kCount, memory.limit);
}

}  // namespace sail
