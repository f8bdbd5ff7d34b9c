#include "sail/apps/server/playout/admission.h"

#include <fmt/core.h>

namespace server {

void SourceLoad::add(double mb_per_s, bool best_effort) {
  ++(best_effort ? best_effort_films : admitted_films);
  (best_effort ? best_effort_mb_per_s : admitted_mb_per_s) += mb_per_s;
}

sail::Result<void> admit(const SourceLoad& load, const std::string& title, double mb_per_s) {
  if (load.peak_mb_per_s <= 0) return {};
  if (load.admitted_mb_per_s + mb_per_s <= load.promised_mb_per_s()) return {};
  const std::string from = load.disk.empty() ? "" : " from disk server " + load.disk;
  return sail::fail(
      sail::ErrorCode::kBusy,
      fmt::format("{} needs {:.2f} MB/s{}, but of the {:.2f} MB/s available for films ({:.0f} % of "
                  "the {:.2f} MB/s that {} delivers) {:.2f} are already reserved: stop another "
                  "film, or request best effort",
                  title, mb_per_s, from, load.promised_mb_per_s(), load.share * 100,
                  load.peak_mb_per_s, load.disk.empty() ? "the storage" : "this server",
                  load.admitted_mb_per_s));
}

DiskShares FilmNeed::by_disk(const std::set<std::string>& away) const {
  DiskShares rates;
  double there = 0;
  for (const auto& [disk, share] : shares) {
    if (away.contains(disk)) continue;
    rates[disk] = share * mb_per_s;
    there += share;
  }
  for (auto& [disk, rate] : rates) rate /= there;
  return rates;
}

Promise Promises::add(const FilmNeed& need) {
  const auto one = all_->insert(all_->end(), need);
  return {&*one, [all = all_, one](FilmNeed*) { all->erase(one); }};
}

}  // namespace server
