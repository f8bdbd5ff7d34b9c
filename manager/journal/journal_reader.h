// Reads the journal from its newest entry back, and checks the chain of hashes on the way. Any
// thread; blocks on the disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "sail/core/text/json.h"

namespace manager {

struct JournalQuery {
  double since = 0;      // seconds since 1970
  std::string person{};  // the client's name or its key's name; "": everybody
  std::string verb{};    // "": all
  uint32_t window = 0;   // 0: all
  uint64_t before = std::numeric_limits<uint64_t>::max();  // only entries with lower numbers
  size_t count = 100;
};

struct JournalPage {
  sail::Json entries = sail::Json::array();  // newest first
  uint64_t next = 0;                         // continue with this as `before`; 0: there is no more
  uint64_t oldest = 0;                       // the chain was checked from here …
  uint64_t newest = 0;                       // … to here; 0: nothing was read
  std::vector<uint64_t> broken{};  // entries that are damaged or do not match the next one's hash
};

JournalPage read_journal(const std::filesystem::path& folder, const JournalQuery& query);

}  // namespace manager
