// Whether what films are read from carries one more. Pure.
//
// A film is promised its rate while the sum of what is promised stays under a share of what the
// source was measured to give: close to that, every film would lose. Best-effort films are promised
// nothing, and always admitted.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <string>

#include "sail/base/result.h"

namespace server {

constexpr double kUsualShare = 0.85;  // of the peak that may be promised

struct SourceLoad {
  double peak_mb_per_s = 0;  // 0: unknown, and nothing is refused
  bool stated = false;       // by the operator, and not measured
  double share = kUsualShare;
  size_t admitted_films = 0;
  double admitted_mb_per_s = 0;
  size_t best_effort_films = 0;
  double best_effort_mb_per_s = 0;

  double promised_mb_per_s() const { return peak_mb_per_s * share; }
  void add(double mb_per_s, bool best_effort);
};

// One stream among those that the storage was promised to carry, until it is destroyed.
using Promise = std::shared_ptr<void>;

// Those there are. One thread, that of what it gives out, too, which may outlive this.
class Promises {
 public:
  // Nothing for a stream whose need is unknown, whatever it asks for. kLimit, with the numbers.
  // load: with add_to().
  sail::Result<Promise> add(const SourceLoad& load, const std::string& title, double mb_per_s,
                            bool best_effort);
  void add_to(SourceLoad& load) const;

 private:
  struct One {
    double mb_per_s = 0;
    bool best_effort = false;
  };
  const std::shared_ptr<std::list<One>> all_ = std::make_shared<std::list<One>>();
};

// Whether so much more may be promised. kLimit, with the numbers.
sail::Result<void> admit(const SourceLoad& load, const std::string& title, double mb_per_s);

}  // namespace server
