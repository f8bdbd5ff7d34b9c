// Whether what films are read from carries one more. Pure.
//
// A film is promised its rate while the sum of what is promised stays under a share of what the
// source was measured to give: close to that, every film would lose. Best-effort films are promised
// nothing, and always admitted. The folder is one source, and so is each disk server: a film that
// lies on several needs a part of its rate from each of them.
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <set>
#include <string>

#include "sail/base/result.h"
#include "sail/server/placed_film.h"

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
  std::string disk = {};  // the disk server's; empty: the folder's

  double promised_mb_per_s() const { return peak_mb_per_s * share; }
  void add(double mb_per_s, bool best_effort);
};

// Whether so much more may be promised. kLimit, with the numbers.
sail::Result<void> admit(const SourceLoad& load, const std::string& title, double mb_per_s);

// What a stream takes, and from where.
struct FilmNeed {
  double mb_per_s = 0;  // 0: unknown, and nothing is promised
  bool best_effort = false;
  DiskShares shares = {};  // empty: all from the folder

  bool promised() const { return !best_effort && mb_per_s > 0; }
  // By disk server. What one that is away had to do is the others'.
  DiskShares by_disk(const std::set<std::string>& away) const;
};

// One stream among those that the storage was promised to carry, until it is destroyed.
using Promise = std::shared_ptr<void>;

// Those there are. One thread, that of what it gives out, too, which may outlive this.
class Promises {
 public:
  Promise add(const FilmNeed& need);
  const std::list<FilmNeed>& all() const { return *all_; }

 private:
  const std::shared_ptr<std::list<FilmNeed>> all_ = std::make_shared<std::list<FilmNeed>>();
};

}  // namespace server
