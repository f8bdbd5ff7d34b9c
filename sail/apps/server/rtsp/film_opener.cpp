#include "sail/apps/server/rtsp/film_opener.h"

#include <utility>

namespace server {

FilmOpener::~FilmOpener() {
  if (opening_) *opening_->unwanted = true;
  if (kept_) drop(take());
}

void FilmOpener::open(const RtspPath& path, Opened opened) {
  auto place = places_.take(network_);
  if (!place) {
    opened(sail::fail(sail::ErrorCode::kLimit, "too many films are playing: try again later"));
    return;
  }
  const auto unwanted = std::make_shared<std::atomic<bool>>(false);
  opening_ = Opening{.unwanted = unwanted, .place = std::move(place), .work = {}};
  auto film = std::make_shared<sail::Result<std::shared_ptr<SharedRtpFilm>>>(nullptr);
  opening_->work = sail::in_background(
      loop_,
      [film, files = files_, title = path.title, unwanted] {
        *film = open_rtp_film(files, title, unwanted);
        // The connection is gone: destroy the film on this thread, which may wait for its reads.
        if (*unwanted) *film = nullptr;
      },
      [this, film, path, opened = std::move(opened)] {
        FilmPlaces::Place taken = std::exchange(opening_, std::nullopt)->place;
        if (!*film) {
          taken.reset();
          return opened(std::move(film->error()));
        }
        const std::string left_out = (**film)->film->left_out();
        if (!left_out.empty()) log_.warning("rtsp: '{}': {}", path.title, left_out);
        opened(Film{.path = path, .film = std::move(**film), .place = std::move(taken)});
      });
}

void FilmOpener::keep(Film film) {
  if (kept_) drop(take());
  kept_ = std::move(film);
}

FilmOpener::Film* FilmOpener::kept(const std::string& title) {
  return kept_ && kept_->path.title == title ? &*kept_ : nullptr;
}

FilmOpener::Film FilmOpener::take() {
  return *std::exchange(kept_, std::nullopt);
}

void FilmOpener::drop(Film film) {
  film.film->unwanted = true;
  sail::in_background(loop_, [shared = std::move(film.film)]() mutable { shared.reset(); }, {});
}

}  // namespace server
