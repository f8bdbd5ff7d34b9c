// Reads the journal's files backwards from the newest entry, and checks its chain of hashes. Any
// thread; blocks on the disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "manager/journal/journal_index.h"
#include "manager/journal/journal_writer.h"
#include "sail/core/text/json.h"

namespace manager {

// Returns the windows that a verb's parameters or its answer name, at most 1024.
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
  size_t read_bytes = 0;  // of the lines that were searched
};
// Reads the files of one journal.
class JournalReader {
 public:
  explicit JournalReader(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // Returns the entries that match. Checks only these. The first query for names or a window reads
  // whole files, later ones only the blocks that may have entries.
  JournalPage read(const JournalQuery& query);
  // Reads the finished files that are not compressed, so that the first query is as fast as later
  // ones.
  void prepare() { read({.verb = " "}); }

 private:
  const std::filesystem::path folder_;
  JournalIndex index_;
};

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
