// Restarts the content of closed windows, for undo and for restored sessions. Starts a few at a
// time: a player has limited time to open its window, and many at once slow each other down. Runs
// on the loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "manager/programs/players.h"
#include "manager/wall/window_stack.h"

namespace manager {

struct RestartResult {
  std::vector<uint32_t> started;  // New window numbers.
  struct Failure {
    std::string title;
    std::string why;
    uint32_t window = 0;  // the window's former number

    bool operator==(const Failure&) const = default;
  };
  std::vector<Failure> failed;
};
// Returns the failures for a reply.
sail::Json failures_json(const std::vector<RestartResult::Failure>& failures);

// Returns the request that restores the window as it was. Requires saved.content.
PlayRequest request_for(const SavedWindow& saved);

class ProcessRestarter {
 public:
  // opened: the window of `saved` is open as `number`. order: stacking order, bottom to top, of the
  // windows that were on the wall with it, by their current numbers.
  using Opened = std::function<void(const SavedWindow& saved, uint32_t number,
                                    const std::vector<uint32_t>& order)>;
  ProcessRestarter(Players& players, Opened opened);

  using Done = std::function<void(const RestartResult&)>;
  // order: stacking order of the windows, by their former numbers. Calls done once, when each
  // window has opened or failed; at once if there are none.
  void start(std::vector<SavedWindow> windows, std::vector<uint32_t> order, Done done);
  // Ends the programs of the last start() whose windows are not open. These windows have failed,
  // and `done` is called before this returns. `opened` may still be called for one of them.
  void give_up(const std::string& why);

 private:
  struct Batch {
    std::vector<SavedWindow> windows;
    std::vector<uint32_t> order;
    Done done;
    size_t next = 0;                          // Index into `windows`.
    std::map<uint32_t, std::string> running;  // Titles by former number.
    RestartResult result;
  };
  void start_more(const std::shared_ptr<Batch>& batch);
  void launch(const std::shared_ptr<Batch>& batch, const SavedWindow& saved);

  Players& players_;
  Opened opened_;
  std::weak_ptr<Batch> last_;
};

}  // namespace manager
