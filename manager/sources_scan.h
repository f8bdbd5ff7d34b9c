// Looks through folders for what bplay and vitrail-show put on a wall. Blocks on the disk: call it
// in the background.
#pragma once

#include <string>
#include <vector>

#include "manager/sources.h"

namespace manager {

struct MediaFolder {
  std::string id;    // begins the ids of its files
  std::string path;  // on this host
};

constexpr int kDeepestMedia = 12;         // folders below one another
constexpr size_t kMostMedia = 20'000;     // files of all folders
constexpr size_t kMostEntries = 200'000;  // looked at for them

// The stamp of the file as it is now (see FileVersion); empty when it is no file.
std::string file_stamp(const std::string& path);

// Files with the endings of films, pictures and documents, by folder and name. Left out are hidden
// ones, those whose names are no text, and those that a link would bring in from outside their
// folder. Folders that cannot be read count as empty.
std::vector<Source> scan_media(const std::vector<MediaFolder>& folders);

}  // namespace manager
