// The text of a journal's files. A finished file may be compressed: zstd's "seekable format"
// (frames of 256 KiB of text, and a table of them at the end; `zstdcat` reads it). So a part of a
// file can be read without the rest. Any thread; blocks on the disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sail/core/base/result.h"

namespace manager {

struct JournalFile {
  std::filesystem::path path;
  uint64_t first = 0;  // number of its first entry
  bool compressed() const { return path.extension() == ".zst"; }
};
// The journal's files in this folder, oldest first.
std::vector<JournalFile> journal_files(const std::filesystem::path& folder);

constexpr size_t kMostJournalText = 64 << 20;  // bytes of a file

// Also if the file is compressed in the meantime. kNotFound: there is no such file (any more). kIo:
// it cannot be opened. kBadData: it is damaged, no regular file, or has more than `most` bytes of
// text.
sail::Result<std::string> read_journal_text(JournalFile file, size_t most = kMostJournalText);
// Reads `size` bytes from `begin` on, or as many as there are. kNotFound, kIo: see above. kBadData:
// the file is damaged, no regular file, or has no such bytes.
sail::Result<std::string> read_journal_part(JournalFile file, size_t begin, size_t size);
// Replaces a file by a compressed one, atomically. An empty file stays as it is. kIo: the disk
// fails. kNotFound, kBadData: see above.
sail::Result<void> compress_journal_file(const JournalFile& file);
// Removes what is left of a compressed file if the manager was killed while it was written. The
// plain file is still there then.
void remove_unfinished_files(const std::filesystem::path& folder);

}  // namespace manager
