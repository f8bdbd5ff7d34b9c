// Undo and redo, and the steps of the history that open or close windows. Runs on the loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "manager/desk/desk.h"
#include "manager/programs/process_restarter.h"

namespace manager {

class WallArchive;
class WindowExchange;

// A step of the history as reported to clients.
struct StepReport {
  std::string who;
  std::string what;
  std::vector<RestartResult::Failure> failed{};  // Windows that could not be restored.
};

class UndoSteps {
 public:
  // Restores a removed source, then calls Restored once.
  using Restored = std::function<void(const sail::Result<void>&)>;
  using RestoreSource = std::function<void(const RemovedSource&, Restored)>;
  // All must outlive this object.
  UndoSteps(Desk& desk, const WallArchive& archive, WindowExchange& exchange,
            RestoreSource restore_source);

  // Undoes the newest step, or redoes the step that was undone last. Skips steps that no longer
  // make a difference. kNotFound: there is none. kConflict: another step is in progress. Calls done
  // once, when all its windows have opened or closed.
  using StepTaken = std::function<void(const sail::Result<StepReport>&)>;
  void undo(const Author& author, StepTaken done) { take_step(true, author, std::move(done)); }
  void redo(const Author& author, StepTaken done) { take_step(false, author, std::move(done)); }
  // Like Desk::close(), as one undo step.
  void close(const std::vector<uint32_t>& numbers, const Author& author, Desk::Closed done);
  // Records a new window of `author`. room: moves of other windows that make room for it.
  void record_opened(uint32_t number, const Author& author, const LayoutChange& room);
  // A newly opened window replaces `former`, which is closed. The new one gets what people set for
  // the former one: place, z-order, volume, opacity, and its group if it names none itself.
  void replace(uint32_t former, uint32_t number, const Author& author);

 private:
  void take_step(bool back, const Author& author, StepTaken done);
  void record_closed(HistoryEntry entry);

  Desk& desk_;
  const WallArchive& archive_;
  WindowExchange& exchange_;
  const RestoreSource restore_source_;
};

}  // namespace manager
