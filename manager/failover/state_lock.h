// The lock of a state folder: two managers with one folder would rule with the same term. Any
// thread.
#pragma once

#include <cstdint>
#include <filesystem>

#include "sail/core/base/result.h"

namespace manager {

// Keeps the folder for this process until the process ends. A former manager that has closed its
// connections may still be ending, so this waits up to patience_ms for the lock. kConflict: another
// manager uses the folder. kIo: the folder cannot be locked, for example because the disk is full.
sail::Result<void> lock_state_folder(const std::filesystem::path& folder, int64_t patience_ms);

}  // namespace manager
