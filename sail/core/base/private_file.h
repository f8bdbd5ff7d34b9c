// Files that only this user can read. They are replaced atomically: a reader sees the old or the
// new file, always complete. Any thread; blocks on the disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
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

// Reads a whole file, of any mode; one longer than most_bytes is cut to most_bytes + 1. kNotFound:
// there is none. kIo: there is one, and the message states why it cannot be read.
Result<std::string> read_file(const std::filesystem::path& path, size_t most_bytes);

// Renames an unreadable file to PATH.SUFFIX, or PATH.SUFFIX-2 and so on if that exists; overwrites
// nothing. Returns the new path.
Result<std::filesystem::path> set_aside(const std::filesystem::path& path,
                                        std::string_view suffix = "damaged");

}  // namespace sail
