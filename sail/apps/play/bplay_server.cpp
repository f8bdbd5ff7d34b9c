// bplay with a film server as player.
#include "sail/apps/play/bplay.h"
#include "sail/apps/play/server_film.h"
#include "sail/core/command_line/command_line.h"

namespace sail {
namespace {

constexpr int64_t kPollIntervalMs = 50;

}  // namespace

bool Bplay::play_from_server(const std::string& film, bool first, bool last) {
  const auto url = parse_server_url(film);
  if (!url) {
    say(LogLevel::kError, film + " is not server://HOST[:PORT]/TITLE");
    return false;
  }
  if (subtitles_.is_explicit()) {
    say(LogLevel::kWarning, film + ": films from servers are shown without subtitles");
  }
  const ServerPlay wanted{.manager = options_.manager,
                          .window_title = options_.title,
                          .place = options_.place,
                          .fps = options_.fps,
                          .start_s = first ? options_.start_s : 0,
                          .rate = rate_,
                          .paused = paused_,
                          .loop = options_.loop && first && last,
                          .hold = options_.hold && last,
                          .best_effort = options_.best_effort,
                          .transport = options_.transport};
  const auto playing = ServerFilm::play(*url, wanted, [this] {
    attend(0);
    return ended_;
  });
  if (ended_) return false;
  if (!playing) {
    say(LogLevel::kError, playing.error().message);
    if (playing.error().code == ErrorCode::kBusy) failure_ = kFilmServerIsBusy;
    return false;
  }
  return follow(**playing);
}

bool Bplay::follow(ServerFilm& film) {
  server_film_ = &film;
  while (!ended_ && !film.end()) {
    attend(0);
    film.wait(kPollIntervalMs);
    if (status_due()) draw_status(film.status());
  }
  server_film_ = nullptr;
  paused_ = film.status().paused;
  rate_ = film.status().rate;
  if (!film.end() || film.end()->why == ServerFilm::End::Why::kEnded) return true;
  if (film.end()->why == ServerFilm::End::Why::kClosed) {
    ended_ = true;
    return true;
  }
  say(LogLevel::kError, film.end()->message);
  return false;
}

void Bplay::pass_on(PlayKey key) {
  const PlayStatus& status = server_film_->status();
  switch (key) {
    case PlayKey::kSpace:
      server_film_->set_paused(!status.paused);
      break;
    case PlayKey::kLeft:
      server_film_->seek(status.position_ns - kKeySeekNs);
      break;
    case PlayKey::kRight:
      server_film_->seek(status.position_ns + kKeySeekNs);
      break;
    case PlayKey::kPlus:
      server_film_->set_rate(status.rate * kKeyRate);
      break;
    case PlayKey::kMinus:
      server_film_->set_rate(status.rate / kKeyRate);
      break;
    case PlayKey::kQuit:
      break;
  }
}

}  // namespace sail
