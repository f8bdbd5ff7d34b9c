// Closes windows and starts the content of saved windows in one step. Gives each started window the
// state of the saved one. Runs on the loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "manager/programs/process_restarter.h"
#include "sail/core/base/log.h"

namespace manager {

class ChangeFeed;
class Desk;
class Groups;

class WindowExchange {
 public:
  // All must outlive this object.
  WindowExchange(Desk& desk, Groups& groups, Players& players, ChangeFeed& changes,
                 const sail::Log& log);

  // Only one step may be in progress.
  bool in_progress() const { return in_progress_ || held_; }
  // Marks a step as in progress that closes and starts windows without run().
  void hold(bool on) { held_ = on; }
  // Closes the windows `going`, then starts `coming`. order: their stacking order.
  void run(const std::vector<uint32_t>& going, std::vector<SavedWindow> coming,
           std::vector<uint32_t> order, ProcessRestarter::Done done);
  // Starts windows outside of a step.
  void start(std::vector<SavedWindow> windows, std::vector<uint32_t> order,
             ProcessRestarter::Done done);
  // Gives the window the place and the group of the saved one, and its identity in the history.
  void restore_window(const SavedWindow& saved, uint32_t number,
                      const std::vector<uint32_t>& order);
  // Called when a window that was opened again gets another number than the saved one.
  using Renumbered = std::function<void(uint32_t former, uint32_t number)>;
  void watch_numbers(Renumbered on_renumbered) { watchers_.push_back(std::move(on_renumbered)); }
  // Like restore_window(), for a window that was started again: continues playback as well.
  void reopened(const SavedWindow& saved, uint32_t number, const std::vector<uint32_t>& order);
  // Makes the window a member of the group if its frame rate allows that; empty: of none.
  void join(uint32_t number, const std::string& group);

 private:
  void resume_playback(const SavedWindow& saved, uint32_t number);

  Desk& desk_;
  Groups& groups_;
  ChangeFeed& changes_;
  sail::Log log_;
  std::vector<Renumbered> watchers_;
  ProcessRestarter restarter_;
  bool in_progress_ = false;
  bool held_ = false;
};

}  // namespace manager
