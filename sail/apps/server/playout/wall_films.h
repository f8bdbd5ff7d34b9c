// The films that play on walls. Starts and ends them, keeps one session per wall while films are on
// it, and passes the wall's events to its films. Thread: the loop's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sail/apps/server/catalogue/library.h"
#include "sail/apps/server/playout/film.h"
#include "sail/apps/server/playout/reservations.h"
#include "sail/apps/server/playout/wall_link.h"
#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"

namespace server {

class WallFilms {
 public:
  // Called once, when the film's window is open, or with the error.
  using Opened = std::function<void(const sail::Result<const Film*>&)>;
  // A film whose window was open has ended. error: for kFailed.
  using Ended =
      std::function<void(uint64_t client, uint32_t film, FilmEnd why, const sail::Error& error)>;

  // library, reservations and log must outlive this object.
  WallFilms(sail::Loop& loop, const Library& library, Reservations& reservations, size_t max_films,
            const sail::Log& log, Ended on_ended);

  // client: is notified of the film's end; an attached film ends when the client leaves.
  void play(uint64_t client, FilmRequest request, Opened opened);
  void client_left(uint64_t client);
  // The film that plays, or kNotFound.
  sail::Result<Film*> find(uint32_t number);
  // All films, including those that are ending.
  std::vector<const Film*> all() const;

  // Ends all films and closes their windows. `done` is called once, when that is complete; it must
  // not destroy this object.
  void shut_down(std::function<void()> done);

 private:
  struct Playing {
    std::unique_ptr<Film> film;
    WallLink* wall = nullptr;
    uint64_t client = 0;
    Opened opened;  // empty once called
  };

  sail::Result<void> check_room() const;
  WallLink& wall_at(const std::string& manager);
  void opened(uint32_t number);
  void finished(uint32_t number, FilmEnd why, const sail::Error& error);
  void gone(uint32_t number);
  void leave_wall_if_unused(const WallLink* wall);
  void poll_walls();
  void end_if_done();

  sail::Loop& loop_;
  const Library& library_;
  Reservations& reservations_;
  const size_t max_films_;
  const sail::Log& log_;
  const Ended on_ended_;
  uint32_t next_film_ = 1;
  std::map<std::string, std::unique_ptr<WallLink>> walls_;  // by manager
  std::vector<std::unique_ptr<WallLink>> leaving_;
  std::map<uint32_t, Playing> films_;  // by number; includes those that are ending
  sail::Timer poll_;                   // runs while there are walls
  sail::Timer measure_;                // runs while there are walls
  bool ending_ = false;
  std::function<void()> done_;  // argument of shut_down(); empty once called
};

}  // namespace server
