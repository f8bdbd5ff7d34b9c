// Windows that open before their turn, hidden, and how they come to be shown:
// all windows of a turn in one swap, after which the former ones close. Runs on the loop thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "manager/desk/desk.h"
#include "manager/media/play_request.h"
#include "sail/core/base/geometry.h"

namespace manager {

class Players;

class WaitingWindows {
 public:
  // All must outlive this object. opening_ms: how long a window may take to have a picture.
  WaitingWindows(int64_t opening_ms, Desk& desk, Players& players);

  // Opens a window as soon as few others are opening. Never 0.
  using Ticket = uint32_t;
  Ticket open(PlayRequest request);
  struct State {
    bool ready = false;  // It has a picture.
    std::string why{};   // Why it cannot be shown; empty: it can, or is opening.
  };
  State state(Ticket ticket) const { return waiting_.at(ticket).state; }
  // Gives the window up.
  void drop(Ticket ticket);

  struct Turn {
    Ticket ticket = 0;
    uint32_t former = 0;  // window to replace; 0: none
    sail::Rect area{};    // The picture is fitted into it.
    WindowSound sound{};
  };
  // Shows these windows, which must be ready, in one swap. A window takes its former one's place in
  // the stacking order, its blanking, and its identity in the history. Returns their numbers.
  std::vector<uint32_t> show(const std::vector<Turn>& turns);

  void tick(int64_t now_ms);

 private:
  struct Waiting {
    PlayRequest request;
    int64_t began_ms = -1;  // -1: it has not begun.
    uint32_t window = 0;    // 0: not open.
    bool paused = false;    // A film that starts when it is shown.
    State state{};
  };
  void start(Ticket ticket, int64_t now_ms);
  void opened(Ticket ticket, const sail::Result<uint32_t>& number);
  void check(Ticket ticket, Waiting& waiting, int64_t now_ms);
  void fail(Ticket ticket, Waiting& waiting, const std::string& why);
  bool is_open(uint32_t number) const;
  void close(uint32_t number);
  void close_former();

  const int64_t opening_ms_;
  Desk& desk_;
  Players& players_;
  std::map<Ticket, Waiting> waiting_;
  std::vector<uint32_t> former_;  // They close as soon as the swap has happened.
  int ticks_ = 0;                 // ticks since the last swap
  size_t closing_ = 0;
};

}  // namespace manager
