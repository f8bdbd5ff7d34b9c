// Decides which source each cell of a tour shows, and when. Sources are indexes into the tour's
// list; places are those of TourRounds. Times are milliseconds of one steady clock. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "manager/tours/tour_rounds.h"

namespace manager {

class TourOrder {
 public:
  struct Timing {
    int64_t every_ms = 0;  // Time from one turn to the next.
    int64_t opening_ms =
        0;  // The first turn waits so long for sources; later ones at most every_ms.
  };
  struct Cell {
    std::optional<size_t> shown{};
    std::optional<size_t> next{};  // Opens before its turn.
    bool ready = false;            // `next` has a picture.
    bool pinned = false;           // It keeps what it shows.
    bool left = false;             // It does not belong to the tour any more.
    uint64_t since = 0;            // The turn at which `shown` came.
  };
  // What the next manager needs.
  struct State {
    int64_t first = 0;  // Place of the first source of the last turn.
    int64_t after = 0;  // Place after its last source.
    bool held = false;
    std::vector<Cell> cells{};  // Only `shown` and `left`.
  };

  // The first turn is due at now_ms, and begins with the source at place `first`.
  TourOrder(size_t sources, size_t cells, Timing timing, int64_t now_ms, TourCourse course = {},
            int64_t first = 0);
  // Continues; the next turn is due after every_ms, or at once if no cell shows anything. The
  // sources of the state must be valid.
  TourOrder(size_t sources, const State& state, Timing timing, int64_t now_ms,
            TourCourse course = {});
  State state() const;

  const std::vector<Cell>& cells() const { return cells_; }
  bool held() const { return held_; }
  uint64_t turns() const { return turns_; }
  // Why sources cannot be shown. They are tried again when their turn comes.
  const std::map<size_t, std::string>& dead() const { return dead_; }
  // Whether all cells have left, or the last source of a course without loop has had its time.
  bool over() const;

  // Chooses the next source for each cell that has none. No source is in two cells.
  void choose();
  // The cell's next source has a picture, or lost it.
  void set_ready(size_t cell, bool ready);
  // The cell's next source cannot be shown.
  void fail(size_t cell, const std::string& why);
  // Performs the turn if it is due. Returns the cells that now show their next source. Waits a
  // while for sources that are opening; then their cells keep their pictures and get them later.
  std::vector<size_t> turn(int64_t now_ms);
  // The present pictures stay for this time, counted from their turn; by default Timing::every_ms.
  void stay(int64_t ms);

  void pin(size_t cell, bool on);
  // The cell shows nothing any more.
  void lose(size_t cell);
  void leave(size_t cell);
  void hold(bool on, int64_t now_ms);
  // The next or previous turn comes as soon as its sources are ready, also during a hold.
  void step(bool back, int64_t now_ms);

 private:
  std::optional<size_t> take();
  bool in_use(size_t source) const;
  bool may_try_more() const;
  void drop_next();

  size_t sources_;
  TourRounds rounds_;
  Timing timing_;
  std::vector<Cell> cells_;
  int64_t first_ = 0;
  int64_t after_ = 0;
  int64_t plan_ = 0;  // The place where the choice of next sources continues.
  bool back_ = false;
  bool held_ = false;
  bool asked_ = false;     // A person asked for the turn.
  bool finished_ = false;  // There is no further source.
  int64_t stay_ms_;
  int64_t due_ms_ = 0;
  uint64_t turns_ = 0;
  std::map<size_t, std::string> dead_;
  std::set<size_t> failed_;  // sources that failed since the last turn
};

}  // namespace manager
