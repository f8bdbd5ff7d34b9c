// The journal: who changed what and when, from where, and which attempts were denied. Runs on the
// loop thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <memory>

#include "manager/journal/journal_reader.h"
#include "manager/journal/journal_writer.h"
#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/rpc/rpc_service.h"

namespace manager {

class Desk;

class Journal {
 public:
  // An empty state folder: nothing is kept. desk must outlive this object.
  Journal(sail::Loop& loop, const std::filesystem::path& state_folder, const Desk& desk,
          const sail::Log& log);

  // A peer's verb begins, or is denied. The result adds the entry once the answer is known.
  sail::VerbNote note(sail::ServicePeer& peer, const char* verb, const sail::Json& params);
  // Calls back with the entries, those of just now included.
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
