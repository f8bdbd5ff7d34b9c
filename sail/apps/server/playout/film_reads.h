// Reads one film for a wall: opens it in the shared storage and reserves the read rate that it
// needs. Thread: the loop's, except for open().
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "sail/apps/server/catalogue/library.h"
#include "sail/apps/server/playout/reservations.h"
#include "sail/core/base/result.h"
#include "sail/media/source/source.h"

namespace server {

class FilmReads {
 public:
  // library and reservations must outlive this object.
  FilmReads(const Library& library, Reservations& reservations, std::string title, bool best_effort)
      : library_(library),
        reservations_(reservations),
        title_(std::move(title)),
        best_effort_(best_effort) {}

  // Called once, on the reader thread, before all others.
  sail::Result<std::unique_ptr<sail::Source>> open();

  // The read rate at that playback rate; 0: unknown, so nothing can be promised.
  double mb_per_s(double rate) const { return mb_per_s_ * rate; }
  bool best_effort() const { return best_effort_ || mb_per_s_ <= 0; }
  // kBusy: the storage cannot deliver the film at that playback rate.
  sail::Result<void> reserve(int64_t duration_ns, double rate);
  // Changes the reservation, if there is one. kBusy: nothing was changed.
  sail::Result<void> change(double rate);
  // Call when the playback rate has changed. There is no check, because controls of a window are
  // not refused.
  void note(double rate);
  void release() { promise_.reset(); }

 private:
  const Library& library_;
  Reservations& reservations_;
  const std::string title_;
  const bool best_effort_;
  uint64_t bytes_ = 0;  // these three are written by open()
  uint64_t stream_ = 0;
  DiskShares shares_;
  double mb_per_s_ = 0;  // at rate 1
  Promise promise_;      // null: nothing is reserved
};

}  // namespace server
