// The journal: who changed what and when, from where, and which attempts were denied.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "manager/journal/journal_reader.h"
#include "manager/journal/journal_writer.h"
#include "manager/journal/past_layouts.h"
#include "manager/journal/wall_changes.h"
#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/rpc/rpc_service.h"
#include "sail/core/text/json.h"

namespace manager {

class Desk;

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
  void check(uint64_t before, std::function<void(JournalCheck)> done);
  // See manager::layout_at().
  void layout_at(double at, std::function<void(sail::Result<sail::Json>)> done);
  // Call after each change of the wall.
  void wall_changed(const Touched& touched);
  // Why entries are not written, for people; empty: they are.
  std::string trouble() const { return writer_ ? writer_->trouble() : ""; }

 private:
  // The entry of a verb until it is written, as JSON text.
  struct NewEntry {
    std::string at{};
    std::string fields{};
    std::string windows{};  // Fields behind those of the answer.
    std::vector<uint32_t> named{};
    std::shared_ptr<const WallChanges::Verb> verb{};  // Null: the verb has failed.
  };

  template <typename Page>
  void in_background(std::function<Page()> work, std::function<void(Page)> done);
  uint64_t newest_step() const;
  void await_end_of_turn();
  void write(const NewEntry& entry);
  void write_answered();

  sail::Loop& loop_;
  const Desk& desk_;
  const std::filesystem::path folder_;
  const std::shared_ptr<JournalReader> reader_;
  std::shared_ptr<JournalWriter> writer_;  // null: nothing is kept
  WallChanges changes_;
  sail::Timer next_turn_;
  bool in_turn_ = false;            // next_turn_ is running.
  std::vector<NewEntry> answered_;  // Written once the change in progress is known.
  PastLayouts past_;
  std::list<std::shared_ptr<void>> reads_;
};

}  // namespace manager
