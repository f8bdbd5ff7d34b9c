// Scans folders for files that bplay and vitrail-show can display. Blocks on the disk; call it in
// the background.
#pragma once

#include <string>
#include <vector>

#include "manager/media/sources.h"

namespace manager {

struct MediaFolder {
  std::string id;    // Prefix of its files' ids.
  std::string path;  // On this host.
};

constexpr int kDeepestMedia = 12;         // Maximum depth of folders.
constexpr size_t kMostMedia = 20'000;     // Files of all folders.
constexpr size_t kMostEntries = 200'000;  // Folder entries read for them.

// Returns the file's current stamp (see FileVersion); empty: not a file.
std::string file_stamp(const std::string& path);

struct FoundMedia {
  std::vector<Source> sources;  // Sorted by id.
  size_t unlisted = 0;  // Further files, whose names are not UTF-8 or have control characters.
  std::string example;  // Path of one of them, with '?' for such bytes.
};
// Returns the files with an extension of films, pictures and documents. Skips hidden files and
// links to files outside their folder. Unreadable folders count as empty.
FoundMedia scan_media(const std::vector<MediaFolder>& folders);

}  // namespace manager
