// Files that only this user may read, written so that whoever reads them finds the old or the new
// one, whole. Any thread; blocks on the disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "sail/base/result.h"

namespace sail {

// Makes it, with those above it when they are missing, and takes it from all other users.
Result<void> make_private_folder(const std::filesystem::path& folder);

// What is to be there after a crash of the whole system costs a wait for the disk.
enum class Lasting : uint8_t { kThisBoot, kAnyCrash };

// Mode 0600. kIo with a sentence when it cannot be written: then the old one stands, and nothing is
// left beside it.
Result<void> write_private_file(const std::filesystem::path& path, std::string_view text,
                                Lasting lasting = Lasting::kAnyCrash);

// Renames a file that cannot be read to PATH.SUFFIX, or PATH.SUFFIX-2 and so on when that is there:
// nothing overwrites it. Its new path.
Result<std::filesystem::path> set_aside(const std::filesystem::path& path,
                                        std::string_view suffix = "damaged");

}  // namespace sail
