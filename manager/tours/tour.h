// A tour that runs: its cells' windows follow its order. Runs on the loop thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "manager/tours/tour_order.h"
#include "manager/tours/tour_plan.h"
#include "manager/tours/waiting_windows.h"
#include "sail/core/text/json.h"

namespace manager {

// Whether people want the window's picture to stay, or are moving the window.
bool is_pinned(const Window& window);

class Tour {
 public:
  // cells: one per cell of the order. All references must outlive this object.
  Tour(TourPlan plan, TourOrder order, const std::vector<TourCell>& cells, Desk& desk,
       WaitingWindows& waiting);
  // Gives the waiting windows up. The shown ones stay.
  ~Tour();
  Tour(const Tour&) = delete;
  Tour& operator=(const Tour&) = delete;

  const TourPlan& plan() const { return plan_; }
  TourOrder& order() { return order_; }
  const TourOrder& order() const { return order_; }
  void tick(int64_t now_ms);
  // Somebody closes the window: its cell leaves the tour.
  void closing(uint32_t window);
  void renumber(uint32_t former, uint32_t number);
  // The first cell's place and window.
  const TourCell& first_cell() const { return cells_.front().at; }

  // For clients.
  sail::Json json() const;
  // Says which sources cannot be shown; empty: all can.
  std::string trouble() const;
  SavedTour saved() const;

 private:
  struct Cell {
    TourCell at;
    WindowSound sound{};
    WaitingWindows::Ticket ticket = 0;  // 0: none.
    size_t source = 0;                  // source of the ticket
    bool again = false;                 // The cell's film has ended and was asked to play again.
  };
  void follow(size_t cell);
  void check_next(size_t cell);
  void open_next(size_t cell);
  // How long a playlist's item stays.
  int64_t stay_ms(Cell& cell, const PlaylistItem& shown) const;
  void set_stay();
  void play_again();
  void drop(Cell& cell);

  const TourPlan plan_;
  TourOrder order_;
  std::vector<Cell> cells_;
  Desk& desk_;
  WaitingWindows& waiting_;
};

}  // namespace manager
