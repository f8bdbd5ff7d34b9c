// The health of the whole wall: absent or stalled receivers, late windows, a failing disk. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "manager/monitor/diagnosis.h"
#include "manager/monitor/judgement.h"
#include "manager/wall/window_stack.h"
#include "sail/core/text/json.h"

namespace manager {

// Problems of neither a window nor a receiver.
struct Troubles {
  std::string disk{};                  // Why saving fails; empty: it works.
  std::vector<std::string> hanging{};  // A sentence for each player that does not answer.
  std::vector<std::string> damaged{};  // A sentence for each file that cannot be read.
  std::vector<std::string> opening{};  // Titles of media that have long been opening.
};

class WallHealth {
 public:
  struct Problem {
    Grade grade = Grade::kWell;
    Cause cause = Cause::kNone;
    uint32_t window = 0;   // 0: not about a window.
    std::string receiver;  // Empty: not about a receiver.
    std::string sentence;  // Without figures, which change every second.

    bool operator==(const Problem&) const = default;
  };

  // Collects the problems from verdicts and reports. Returns whether they have changed.
  bool evaluate(const Reports& reports, const WindowStack& windows, const Troubles& troubles);

  // Worst first.
  const std::vector<Problem>& problems() const { return problems_; }
  Grade grade() const { return problems_.empty() ? Grade::kWell : problems_.front().grade; }
  std::string sentence() const;

 private:
  std::vector<Problem> problems_;
};

sail::Json to_json(const WallHealth& health);

}  // namespace manager
