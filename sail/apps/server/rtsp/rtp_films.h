// Films opened for RTSP players, one per player, and the limit of their number.
#pragma once

#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "sail/apps/server/playout/film_access.h"
#include "sail/core/base/result.h"
#include "sail/media/rtp/media_source_rtp.h"

namespace server {

// A film shared by the loop and libuv's worker threads.
struct SharedRtpFilm {
  std::atomic<bool> unwanted{false};  // aborts reads of the film
  // Held while reading: after a seek, an earlier read-ahead may still run on another thread, and
  // the loop does not wait for it.
  std::mutex reading;
  std::unique_ptr<sail::RtpFilm> film;  // set once, before the object is shared
  uint64_t stream = 0;                  // stream number in FilmStorage
  DiskShares shares;
  double mb_per_s = 0;  // read rate needed; 0: unknown
};

// Call on a worker thread. unwanted: aborts the opening.
sail::Result<std::shared_ptr<SharedRtpFilm>> open_rtp_film(
    const FilmFiles& files, const std::string& title,
    const std::shared_ptr<std::atomic<bool>>& unwanted);

// Limits the films open at a time, in total and per client network (sail::network_of). Thread: the
// loop's.
class FilmPlaces {
 public:
  // A place is given back when its last reference is dropped. All references must be dropped before
  // the FilmPlaces object is destroyed.
  using Place = std::shared_ptr<void>;

  FilmPlaces(size_t all, size_t each) : all_(all), each_(each) {}
  FilmPlaces(const FilmPlaces&) = delete;
  FilmPlaces& operator=(const FilmPlaces&) = delete;

  // Null: none is free.
  Place take(const std::string& network);
  size_t taken() const { return taken_; }

 private:
  void release(const std::string& network);

  const size_t all_;
  const size_t each_;
  size_t taken_ = 0;
  std::map<std::string, size_t> by_network_;
};

}  // namespace server
