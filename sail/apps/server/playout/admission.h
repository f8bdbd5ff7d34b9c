// Admission control: decides whether the storage can carry one more film. Pure.
//
// A film is admitted if the sum of all promised rates stays below a share of the source's measured
// peak rate; closer to the peak, every film would suffer. Best-effort films have no promised rate
// and are always admitted. The folder is one source, and each disk server is another. A film stored
// on several sources needs a part of its rate from each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <set>
#include <string>

#include "sail/apps/server/catalogue/placed_film.h"
#include "sail/core/base/result.h"

namespace server {

constexpr double kUsualShare = 0.85;  // share of the peak rate that may be promised

struct SourceLoad {
  double peak_mb_per_s = 0;  // 0: unknown, no film is refused
  bool stated = false;       // set by the operator, not measured
  double share = kUsualShare;
  size_t admitted_films = 0;
  double admitted_mb_per_s = 0;
  size_t best_effort_films = 0;
  double best_effort_mb_per_s = 0;
  std::string disk = {};  // the disk server; empty: the folder

  double promised_mb_per_s() const { return peak_mb_per_s * share; }
  void add(double mb_per_s, bool best_effort);
};

// Checks whether that much more may be promised. kBusy: no; the message has the numbers.
sail::Result<void> admit(const SourceLoad& load, const std::string& title, double mb_per_s);

// The rate that a stream needs, and from which sources.
struct FilmNeed {
  double mb_per_s = 0;  // 0: unknown, nothing is promised
  bool best_effort = false;
  DiskShares shares = {};  // per disk server; empty: all from the folder
  uint64_t stream = 0;     // number in FilmStorage; 0: its reads are not ordered

  bool promised() const { return !best_effort && mb_per_s > 0; }
  // Rates by disk server. The remaining servers take over the share of those that are away.
  DiskShares by_disk(const std::set<std::string>& away) const;
};

// A stream's reservation; released when the last reference is dropped. Its holder may change it.
using Promise = std::shared_ptr<FilmNeed>;

// The current reservations. The promises it returns must be released on the same thread, and may
// outlive this object.
class Promises {
 public:
  Promise add(const FilmNeed& need);
  const std::list<FilmNeed>& all() const { return *all_; }

 private:
  const std::shared_ptr<std::list<FilmNeed>> all_ = std::make_shared<std::list<FilmNeed>>();
};

}  // namespace server
