// Reads the journal's files backwards from the newest entry, and checks its chain of hashes. Any
// thread; blocks on the disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "manager/journal/journal_writer.h"
#include "sail/core/text/json.h"

namespace manager {

// Returns the windows that a verb's parameters name, at most 1024.
std::vector<uint32_t> named_windows(const sail::Json& params);

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
  // Entries that are damaged or do not match the hash in the next one.
  std::vector<uint64_t> broken{};
};
// Returns the entries that match. Checks only these, so that a query of a month is quick.
JournalPage read_journal(const std::filesystem::path& folder, const JournalQuery& query);

struct JournalCheck {
  uint64_t checked = 0;  // number of entries
  uint64_t next = 0;     // as in JournalPage
  std::vector<uint64_t> broken{};
};
// Checks all entries with numbers below `before`, as many as can be read in about a second. end: at
// a time when all entries before it were on disk.
JournalCheck check_journal(const std::filesystem::path& folder, uint64_t before,
                           const JournalEnd& end = {});

}  // namespace manager
