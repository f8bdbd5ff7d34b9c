// The journal: who changed what and when, from where, and which attempts were denied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "manager/journal/journal_writer.h"
#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/rpc/rpc_service.h"
#include "sail/core/text/json.h"

namespace manager {

class Desk;

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

// Reads the journal from its newest entry back, and checks the chain of hashes on the way. Any
// thread; blocks on the disk.
JournalPage read_journal(const std::filesystem::path& folder, const JournalQuery& query);

// Runs on the loop thread.
class Journal {
 public:
  // An empty state folder: nothing is kept. desk must outlive this object.
  Journal(sail::Loop& loop, const std::filesystem::path& state_folder, const Desk& desk,
          const sail::Log& log);

  // A peer's verb begins, or is denied. The result adds the entry once the answer is known.
  sail::VerbNote note(sail::ServicePeer& peer, const char* verb, const sail::Json& params);
  // Calls `done` with the entries, including those that were just added.
  void read(const JournalQuery& query, std::function<void(JournalPage)> done);

 private:
  uint64_t newest_step() const;

  sail::Loop& loop_;
  const Desk& desk_;
  const std::filesystem::path folder_;
  std::shared_ptr<JournalWriter> writer_;  // null: nothing is kept
  std::list<std::shared_ptr<void>> reads_;
};

}  // namespace manager
