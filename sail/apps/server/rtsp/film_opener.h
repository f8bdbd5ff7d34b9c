// Opens the films of one RTSP connection, one at a time, and keeps the one that was described until
// it is played. Thread: the loop's; films are opened and destroyed on libuv's threads.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "sail/apps/server/playout/film_access.h"
#include "sail/apps/server/rtsp/rtp_films.h"
#include "sail/apps/server/rtsp/rtsp_headers.h"
#include "sail/core/base/log.h"
#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"

namespace server {

class FilmOpener {
 public:
  struct Film {
    RtspPath path;  // as requested
    std::shared_ptr<SharedRtpFilm> film;
    FilmPlaces::Place place;
  };
  using Opened = std::function<void(sail::Result<Film>)>;

  // files, places and log must outlive this object. network: the client's, for the limits.
  FilmOpener(sail::Loop& loop, const FilmFiles& files, FilmPlaces& places, const sail::Log& log,
             std::string network)
      : loop_(loop), files_(files), places_(places), log_(log), network_(std::move(network)) {}
  ~FilmOpener();
  FilmOpener(const FilmOpener&) = delete;
  FilmOpener& operator=(const FilmOpener&) = delete;

  // `opened` is called within the call or later, unless this object is destroyed. kLimit: too many
  // films are open.
  void open(const RtspPath& path, Opened opened);
  // Keeps this film instead of the previous one.
  void keep(Film film);
  // The kept film, if it has that title; else null.
  Film* kept(const std::string& title);
  // Returns the kept film and keeps it no longer.
  Film take();
  // Closes a film without blocking.
  void drop(Film film);

 private:
  struct Opening {
    std::shared_ptr<std::atomic<bool>> unwanted;  // set to true: abort
    FilmPlaces::Place place;
    std::shared_ptr<void> work;
  };

  sail::Loop& loop_;
  const FilmFiles& files_;
  FilmPlaces& places_;
  const sail::Log& log_;
  const std::string network_;
  std::optional<Opening> opening_;
  std::optional<Film> kept_;
};

}  // namespace server
