// Whether all is well with the wall, or what is not: a receiver that is away or does not answer, a
// window that is judged slow or bad, a disk that takes nothing. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "manager/diagnosis.h"
#include "manager/judgement.h"
#include "manager/window_stack.h"
#include "sail/wire/json.h"

namespace manager {

// Troubles that neither a window nor a receiver has.
struct Troubles {
  std::string disk{};                  // why nothing can be saved; empty: it can
  std::vector<std::string> opening{};  // titles of what is being opened for long, without a window
};

class WallHealth {
 public:
  struct Problem {
    Grade grade = Grade::kWell;
    Cause cause = Cause::kNone;
    uint32_t window = 0;   // 0: it is none of a window
    std::string receiver;  // empty: it is none of a receiver
    std::string sentence;  // without figures, which would be others every second

    bool operator==(const Problem&) const = default;
  };

  // By the windows' judgements. True: other things are wrong now than at the last look.
  bool look(const Reports& reports, const WindowStack& windows, const Troubles& troubles);

  // The worst first.
  const std::vector<Problem>& problems() const { return problems_; }
  Grade grade() const { return problems_.empty() ? Grade::kWell : problems_.front().grade; }
  std::string sentence() const;

 private:
  std::vector<Problem> problems_;
};

sail::Json to_json(const WallHealth& health);

}  // namespace manager
