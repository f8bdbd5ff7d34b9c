// Hands sealed memory to another process of the same user on the same host: over a Unix socket with
// an abstract, random name, which exists only within the host's network namespace. Never waits. Any
// thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "sail/core/base/descriptor.h"
#include "sail/core/base/result.h"
#include "sail/core/base/sealed_memory.h"

namespace sail {

using MemoryName = std::array<uint8_t, 16>;

class MemoryListener {
 public:
  // Listens at a new name. Fails with kIo.
  static Result<std::unique_ptr<MemoryListener>> open();

  // Not a secret: the system tells it to all local users.
  const MemoryName& name() const { return name_; }
  // Takes the memory that a process of this user has handed over. Call it once hand_over() has
  // returned there. Fails with kIo if there is none, else like SealedMemory::check().
  Result<Descriptor> take(size_t bytes) const;

 private:
  MemoryListener(const MemoryName& name, Descriptor socket)
      : name_(name), socket_(std::move(socket)) {}

  const MemoryName name_;
  const Descriptor socket_;
};

// Fails with kIo if nobody listens at the name, or with kUnauthorized if another user does.
Result<void> hand_over(const SealedMemory& memory, const MemoryName& name);

}  // namespace sail
