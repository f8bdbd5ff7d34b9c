// Reserves the read rates of streams: admits a stream if its storage, the folder or each of the
// film's disk servers, can carry it beside the others. Thread: the loop's.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sail/apps/server/playout/admission.h"
#include "sail/apps/server/playout/film_storage.h"
#include "sail/core/base/result.h"
#include "sail/media/storage/ibp/disk_links.h"

namespace server {

class Reservations {
 public:
  // stated_mb_per_s: the folder's peak rate according to the operator; 0: measured (set_peak).
  // share: the fraction of a peak rate that may be promised.
  Reservations(std::shared_ptr<FilmStorage> storage, std::shared_ptr<sail::DiskLinks> links,
               double stated_mb_per_s, double share);

  FilmStorage& storage() const { return *storage_; }
  void set_peak(double mb_per_s);

  // Reserves what the stream needs, and claims it for its reads. A stream of unknown rate counts as
  // best effort. kBusy: too little is left; the message has the numbers.
  sail::Result<Promise> reserve(const std::string& title, const FilmNeed& need);
  // Changes the rate of a reservation. kBusy: nothing was changed.
  sail::Result<void> change(const std::string& title, FilmNeed& reserved, double mb_per_s);

  // The load of the folder.
  SourceLoad folder() const { return load_of(""); }
  struct DiskLoad {
    sail::DiskLinks::Disk disk;
    SourceLoad load;
  };
  // The load of each disk server that has been used.
  std::vector<DiskLoad> disks() const;
  // The load of all disk servers together.
  SourceLoad all_disks() const;

 private:
  SourceLoad load_of(const std::string& disk) const;
  sail::Result<void> admit(const std::string& title, const FilmNeed& need) const;
  void claim(const FilmNeed& need);

  const std::shared_ptr<FilmStorage> storage_;
  const std::shared_ptr<sail::DiskLinks> links_;
  const bool stated_;
  const double share_;
  double peak_mb_per_s_ = 0;  // peak rate of the folder; 0: unknown
  Promises promises_;
};

}  // namespace server
