#include "sail/server/admission.h"

#include <fmt/core.h>

namespace server {

void SourceLoad::add(double mb_per_s, bool best_effort) {
  ++(best_effort ? best_effort_films : admitted_films);
  (best_effort ? best_effort_mb_per_s : admitted_mb_per_s) += mb_per_s;
}

sail::Result<void> admit(const SourceLoad& load, const std::string& title, double mb_per_s) {
  if (load.peak_mb_per_s <= 0) return {};
  if (load.admitted_mb_per_s + mb_per_s <= load.promised_mb_per_s()) return {};
  return sail::fail(
      sail::ErrorCode::kLimit,
      fmt::format("{} needs {:.2f} MB/s, and of the {:.2f} MB/s that may be promised ({:.0f} % of "
                  "the {:.2f} MB/s that the storage gives) {:.2f} are taken: stop another film, or "
                  "ask for best effort",
                  title, mb_per_s, load.promised_mb_per_s(), load.share * 100, load.peak_mb_per_s,
                  load.admitted_mb_per_s));
}

sail::Result<Promise> Promises::add(const SourceLoad& load, const std::string& title,
                                    double mb_per_s, bool best_effort) {
  best_effort = best_effort || mb_per_s <= 0;
  if (!best_effort) {
    auto admitted = admit(load, title, mb_per_s);
    if (!admitted) return std::move(admitted.error());
  }
  const auto one = all_->insert(all_->end(), {mb_per_s, best_effort});
  return Promise(all_.get(), [all = all_, one](void*) { all->erase(one); });
}

void Promises::add_to(SourceLoad& load) const {
  for (const One& one : *all_) load.add(one.mb_per_s, one.best_effort);
}

}  // namespace server
