#include "sail/apps/server/playout/wall_films.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "sail/core/base/environment.h"
#include "sail/core/time/clock.h"

namespace server {
namespace {

using sail::ErrorCode;

// How often events of the walls are polled. libsail has no descriptor to wait for. A poll costs a
// microsecond and happens only while films play.
constexpr int64_t kPollMs = 10;
constexpr size_t kShownFilmBytes = 64 << 20;  // memory of read-ahead, pictures and threads
constexpr int64_t kMeasureMs = 500;

}  // namespace

WallFilms::WallFilms(sail::Loop& loop, const Library& library, Reservations& reservations,
                     size_t max_films, const sail::Log& log, Ended on_ended)
    : loop_(loop),
      library_(library),
      reservations_(reservations),
      max_films_(max_films),
      log_(log),
      on_ended_(std::move(on_ended)),
      poll_(loop),
      measure_(loop) {}

sail::Result<Film*> WallFilms::find(uint32_t number) {
  const auto it = films_.find(number);
  if (it == films_.end() || it->second.film->state() == FilmState::kEnding) {
    return sail::fail(
        ErrorCode::kNotFound,
        fmt::format("film {} is not playing: `films` lists the playing films", number));
  }
  return it->second.film.get();
}

std::vector<const Film*> WallFilms::all() const {
  std::vector<const Film*> films;
  films.reserve(films_.size());
  for (const auto& [number, playing] : films_) films.push_back(playing.film.get());
  return films;
}

sail::Result<void> WallFilms::check_room() const {
  if (ending_) return sail::fail(ErrorCode::kUnavailable, "this server is shutting down");
  if (films_.size() >= max_films_) {
    return sail::fail(
        ErrorCode::kLimit,
        fmt::format("{} films are already playing, the maximum of this server", max_films_));
  }
  return sail::ask_for_memory(kShownFilmBytes, "another film");
}

void WallFilms::play(uint64_t client, FilmRequest request, Opened opened_callback) {
  if (auto room = check_room(); !room) return opened_callback(room.error());
  const uint32_t number = next_film_++;
  WallLink& wall = wall_at(request.manager);
  Playing& playing = films_[number];
  playing.wall = &wall;
  playing.client = client;
  playing.opened = std::move(opened_callback);
  log_.info("film {}: playing '{}' on the wall of {}", number, request.title, request.manager);
  playing.film = std::make_unique<Film>(
      loop_, number, std::move(request), library_, reservations_, wall, log_,
      Film::Handlers{
          .on_opened = [this, number] { opened(number); },
          .on_finished = [this, number](FilmEnd why,
                                        const sail::Error& error) { finished(number, why, error); },
          .on_gone = [this, number] { loop_.post([this, number] { gone(number); }); }});
}

void WallFilms::opened(uint32_t number) {
  Playing& playing = films_.at(number);
  if (playing.opened) std::exchange(playing.opened, nullptr)(playing.film.get());
}

void WallFilms::finished(uint32_t number, FilmEnd why, const sail::Error& error) {
  Playing& playing = films_.at(number);
  if (why == FilmEnd::kFailed) {
    log_.warning("film {}: {}", number, error.message);
  } else {
    log_.info("film {}: {}", number, end_name(why));
  }
  if (!playing.opened) return on_ended_(playing.client, number, why, error);
  const sail::Error told =
      why == FilmEnd::kFailed
          ? error
          : sail::Error{ErrorCode::kUnavailable,
                        fmt::format("the film was {} before its window opened", end_name(why))};
  std::exchange(playing.opened, nullptr)(told);
}

void WallFilms::client_left(uint64_t client) {
  for (auto& [number, playing] : films_) {
    if (playing.client == client && playing.film->request().attached) playing.film->stop();
  }
}

void WallFilms::gone(uint32_t number) {
  const WallLink* wall = films_.at(number).wall;
  films_.erase(number);
  leave_wall_if_unused(wall);
  end_if_done();
}

// --- walls ---------------------------------------------------------------------------------------

WallLink& WallFilms::wall_at(const std::string& manager) {
  auto& wall = walls_[manager];
  if (!wall) wall = std::make_unique<WallLink>(loop_, manager, max_films_, log_);
  poll_.start(kPollMs, kPollMs, [this] { poll_walls(); });
  measure_.start(kMeasureMs, kMeasureMs, [this] {
    for (auto& [number, playing] : films_) playing.film->measure(sail::steady_now_ns());
  });
  return *wall;
}

void WallFilms::leave_wall_if_unused(const WallLink* wall) {
  const bool used = std::any_of(films_.begin(), films_.end(),
                                [&](const auto& playing) { return playing.second.wall == wall; });
  if (used) return;
  auto left = walls_.extract(wall->manager());
  leaving_.push_back(std::move(left.mapped()));
  leaving_.back()->end([this, wall] {
    std::erase_if(leaving_, [&](const auto& one) { return one.get() == wall; });
    end_if_done();
  });
  if (!walls_.empty()) return;
  poll_.stop();
  measure_.stop();
}

void WallFilms::poll_walls() {
  for (const auto& [manager, wall] : walls_) {
    while (const auto event = wall->poll()) {
      for (auto& [number, playing] : films_) {
        if (playing.wall == wall.get()) playing.film->obey(*event);
      }
    }
  }
}

// --- shutdown ------------------------------------------------------------------------------------

void WallFilms::shut_down(std::function<void()> done) {
  if (std::exchange(ending_, true)) return;
  done_ = std::move(done);
  for (auto& [number, playing] : films_) playing.film->stop();
  end_if_done();
}

void WallFilms::end_if_done() {
  if (!done_ || !films_.empty() || !leaving_.empty()) return;
  std::exchange(done_, nullptr)();
}

}  // namespace server
