// Whether all is well with the wall, or what is not: a receiver that is away, a window that stays
// slow, a disk that takes nothing. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "manager/diagnosis.h"
#include "manager/receiver_roster.h"
#include "manager/window_stack.h"
#include "sail/wall/wall.h"
#include "sail/wire/json.h"

namespace manager {

// What is known of a window's stream with these new figures.
Flow flow_of(const Window& window, const sail::StreamStats& stats, const sail::Wall& wall,
             const ReceiverRoster& receivers);

class WallHealth {
 public:
  struct Problem {
    Grade grade = Grade::kWell;
    uint32_t window = 0;   // 0: it is none of a window
    std::string receiver;  // empty: it is none of a receiver
    std::string sentence;  // without figures, which would be others every second

    bool operator==(const Problem&) const = default;
  };

  // disk_trouble: why nothing can be saved; empty: it can. True: other things are wrong now than at
  // the last look.
  bool look(const sail::Wall& wall, const WindowStack& windows, const ReceiverRoster& receivers,
            const std::string& disk_trouble);

  // The worst first.
  const std::vector<Problem>& problems() const { return problems_; }
  Grade grade() const { return problems_.empty() ? Grade::kWell : problems_.front().grade; }
  std::string sentence() const;

 private:
  std::vector<Problem> problems_;
};

sail::Json to_json(const WallHealth& health);

}  // namespace manager
