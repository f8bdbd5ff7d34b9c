// Files that only this user can read. They are replaced atomically: a reader sees the old or the
// new file, always complete. Any thread; blocks on the disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "sail/core/base/result.h"

namespace sail {

// Creates the folder and missing parents, and removes all access of other users (mode 0700).
Result<void> make_private_folder(const std::filesystem::path& folder);

// Durability of a written file. kAnyCrash waits for the disk, so that the file survives any crash.
enum class Lasting : uint8_t { kThisBoot, kAnyCrash };

// Writes with mode 0600. On failure returns kIo with a message; the old file stays, and no
// temporary file is left.
Result<void> write_private_file(const std::filesystem::path& path, std::string_view text,
                                Lasting lasting = Lasting::kAnyCrash);

// Renames an unreadable file to PATH.SUFFIX, or PATH.SUFFIX-2 and so on if that exists; overwrites
// nothing. Returns the new path.
Result<std::filesystem::path> set_aside(const std::filesystem::path& path,
                                        std::string_view suffix = "damaged");

}  // namespace sail
