// Starts what windows showed that are gone: for undone closes and restored sessions. A few at a
// time: each player has only so long to open its window, and all at once would slow each other
// down. Thread: the loop's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "manager/players.h"
#include "manager/saved_window.h"

namespace manager {

struct Relaunched {
  std::vector<uint32_t> started;  // their new numbers
  struct Failure {
    std::string title;
    std::string why;
    uint32_t window = 0;  // the number that it had
  };
  std::vector<Failure> failed;
};
// As answers tell them.
sail::Json failures_json(const std::vector<Relaunched::Failure>& failures);

// What is played to have its window again as it was. It has content.
PlayRequest request_for(const SavedWindow& saved);

class Relauncher {
 public:
  // opened: the window that `saved` was is open under a new number. order: the numbers that the
  // windows have now that stood on the wall with it, bottom to top.
  using Opened = std::function<void(const SavedWindow& saved, uint32_t number,
                                    const std::vector<uint32_t>& order)>;
  Relauncher(Players& players, Opened opened);

  using Done = std::function<void(const Relaunched&)>;
  // order: the stack in which they stood, by the numbers they had then. done comes once, when each
  // has opened its window or failed, at once if there is none.
  void start(std::vector<SavedWindow> windows, std::vector<uint32_t> order, Done done);

 private:
  struct Batch {
    std::vector<SavedWindow> windows;
    std::vector<uint32_t> order;
    Done done;
    size_t next = 0;  // of windows
    size_t running = 0;
    Relaunched result;
  };
  void go_on(const std::shared_ptr<Batch>& batch);
  void launch(const std::shared_ptr<Batch>& batch, const SavedWindow& saved);

  Players& players_;
  Opened opened_;
};

}  // namespace manager
