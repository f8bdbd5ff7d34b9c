// Films that are open for players: each for one of them, and not too many.
#pragma once

#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "sail/base/result.h"
#include "sail/media/media_source_rtp.h"
#include "sail/server/film_access.h"

namespace server {

// A film that the loop and libuv's threads share.
struct SharedRtpFilm {
  std::atomic<bool> unwanted{false};  // reading it may be given up
  // Held while it is read: a jump may come while what was read ahead is still under way on another
  // thread, and is not waited for by the loop.
  std::mutex reading;
  std::unique_ptr<sail::RtpFilm> film;  // set once, before it is shared
  uint64_t stream = 0;                  // of the storage
  DiskShares shares;
  double mb_per_s = 0;  // what has to be read for it; 0: unknown
};

// On one of those threads. unwanted: the same as the film's, while it is being opened.
sail::Result<std::shared_ptr<SharedRtpFilm>> open_rtp_film(
    const FilmAccess& access, const std::string& title,
    const std::shared_ptr<std::atomic<bool>>& unwanted);

// How many films may be open at a time: in all, and by one network (sail::network_of). Thread: the
// loop's.
class FilmPlaces {
 public:
  FilmPlaces(size_t all, size_t each) : all_(all), each_(each) {}

  bool take(const std::string& network);
  void give_back(const std::string& network);
  size_t taken() const { return taken_; }

 private:
  const size_t all_;
  const size_t each_;
  size_t taken_ = 0;
  std::map<std::string, size_t> by_network_;
};

}  // namespace server
