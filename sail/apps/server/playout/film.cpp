#include "sail/apps/server/playout/film.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "sail/core/time/clock.h"
#include "sail/media/source/source_color.h"

namespace server {
namespace {

using sail::ErrorCode;
using sail::FilmDriver;
using sail::Player;

std::string window_title(const FilmRequest& request) {
  if (!request.window_title.empty()) return request.window_title;
  return std::filesystem::path(request.title).filename().string();
}

}  // namespace

const char* end_name(FilmEnd why) {
  switch (why) {
    case FilmEnd::kEnded:
      return "ended";
    case FilmEnd::kClosed:
      return "closed";
    case FilmEnd::kStopped:
      return "stopped";
    case FilmEnd::kFailed:
      return "failed";
  }
  return "";
}

Film::Film(sail::Loop& loop, uint32_t number, FilmRequest request, const Library& library,
           Reservations& reservations, WallLink& wall, const sail::Log& log, Handlers handlers)
    : turns_(loop),
      number_(number),
      request_(std::move(request)),
      wall_(wall),
      log_(log),
      handlers_(std::move(handlers)),
      loop_(request_.loop),
      timer_(loop),
      window_(wall.session()),
      reads_(library, reservations, request_.title, request_.best_effort),
      driver_(window_, program()) {}

FilmDriver::Program Film::program() {
  // Posted to the loop, so that an answer's handler never runs within the driver or after the film
  // is destroyed.
  const auto take_answer = [this] {
    driver_.take_answer();
    finishing_ ? release_if_done() : go_on();
  };
  return {.open = [this](const auto&) { return reads_.open(); },
          .on_answer = [this, take_answer] { turns_.post(take_answer); },
          .begin =
              [this](const sail::SourceInfo& info) {
                log_.debug("film {}: {}", number_, info.description);
                return player_options(info);
              },
          .show = [this](const sail::Picture& picture) { return show(picture); },
          .playback =
              [this] {
                sail_playback playback{};
                playback.loop = loop_ ? 1 : 0;
                return playback;
              },
          .say =
              [this](sail::LogLevel, const std::string& sentence) {
                if (!finishing_) log_.warning("film {}: {}", number_, sentence);
              },
          .tracks = [] { return sail::FilmTracks(); }};  // there is nothing to choose from
}

sail::PlayerOptions Film::player_options(const sail::SourceInfo& info) const {
  sail::PlayerOptions options;
  options.fps = request_.fps;
  options.rate = request_.rate;
  options.paused = request_.paused;
  options.loop = request_.loop;
  options.hold = request_.hold;
  options.start_ns = static_cast<int64_t>(request_.start_s * sail::kSecondNs);
  options.film_duration_ns = info.duration_ns;
  return options;
}

FilmState Film::state() const {
  if (finishing_) return FilmState::kEnding;
  if (driver_.player() == nullptr || standing_ != Window::kOpen) return FilmState::kOpening;
  return driver_.player()->paused() ? FilmState::kPaused : FilmState::kPlaying;
}

void Film::go_on() {
  timer_.stop();
  if (finishing_) return;
  const int64_t next_ns = driver_.step();
  if (driver_.over()) {
    const auto& end = driver_.end();
    end ? finish(FilmEnd::kEnded) : finish(FilmEnd::kFailed, end.error());
    return;
  }
  if (next_ns == FilmDriver::kForever) return;
  const int64_t left_ns = next_ns - sail::steady_now_ns();
  const int64_t left_ms =
      std::max<int64_t>(0, (left_ns + sail::kMillisecondNs - 1) / sail::kMillisecondNs);
  timer_.start(left_ms, 0, [this] { go_on(); });
}

// --- window --------------------------------------------------------------------------------------

sail::Result<bool> Film::show(const sail::Picture& picture) {
  if (standing_ == Window::kNone) {
    if (auto opening = open_window(picture); !opening) return opening.error();
  }
  if (standing_ != Window::kOpen) return false;
  if (!std::exchange(colors_checked_, true)) {
    const auto notice = sail::unconverted_notice(picture, wall_.session().display());
    if (!notice.empty()) log_.warning("film {}: {} {}", number_, request_.title, notice);
  }
  if (!window_.fits(picture, "")) {
    return sail::fail(
        ErrorCode::kUnavailable,
        request_.title +
            ": frame size or codec changes during the film; `vitrail convert` makes it playable");
  }
  if (window_.submit(picture) < 0) {
    return sail::fail(ErrorCode::kBadData,
                      request_.title + ": the compressed data of a frame does not match its size");
  }
  return true;
}

sail::Result<void> Film::open_window(const sail::Picture& picture) {
  if (!picture.compressed) {
    return sail::fail(
        ErrorCode::kUnavailable,
        request_.title +
            ": this server does not decode films; `vitrail convert` makes it playable");
  }
  if (auto may = reads_.reserve(driver_.info().duration_ns, rate()); !may) return may;
  opening_ = opening_for(picture, "");
  opening_.title = window_title(request_);
  opening_.fps = request_.fps.value_or(opening_.fps);
  opening_.place = request_.place;
  opening_.transport = request_.transport;
  if (!request_.url.empty()) opening_.content = {{request_.url}, "bplay", request_.loop};
  opening_ = window_.placed(std::move(opening_));
  standing_ = Window::kOpening;
  wall_.open(opening_, [this](sail::Result<sail::Stream> opened) { on_window(std::move(opened)); });
  return {};
}

void Film::on_window(sail::Result<sail::Stream> opened) {
  if (!opened) {
    standing_ = Window::kNone;
    finish(FilmEnd::kFailed, opened.error());
    release_if_done();
    return;
  }
  window_.take(opening_, std::move(*opened));
  standing_ = Window::kOpen;
  if (finishing_) {
    release_if_done();
    return;
  }
  go_on();  // submit the first picture before the window is announced
  if (!finishing_) handlers_.on_opened();
}

void Film::finish(FilmEnd why, const sail::Error& error) {
  if (std::exchange(finishing_, true)) return;
  timer_.stop();
  driver_.stop();
  reads_.release();
  handlers_.on_finished(why, error);
  release_if_done();
}

// Closes the window; calls on_gone() once the window and the file are closed.
void Film::release_if_done() {
  if (!finishing_) return;
  if (standing_ == Window::kOpen) {
    standing_ = Window::kClosing;
    wall_.close(window_.leave(), [this] {
      standing_ = Window::kClosed;
      release_if_done();
    });
  }
  const bool window_gone = standing_ == Window::kNone || standing_ == Window::kClosed;
  if (window_gone && driver_.released()) handlers_.on_gone();
}

// --- commands ------------------------------------------------------------------------------------

template <typename Want>
bool Film::want(const Want& want) {
  if (finishing_ || driver_.player() == nullptr) return false;
  want(*driver_.player());
  go_on();
  driver_.tell();
  reads_.note(rate());
  return true;
}

bool Film::pause() {
  return want([](Player& player) { player.pause(sail::steady_now_ns()); });
}

bool Film::resume() {
  return want([](Player& player) { player.resume(sail::steady_now_ns()); });
}

bool Film::seek(double seconds) {
  return want([this, seconds](Player&) { driver_.seek(seconds); });
}

sail::Result<bool> Film::set_rate(double rate) {
  if (auto may = reads_.change(rate); !may) return std::move(may.error());
  return want([rate](Player& player) { player.set_rate(rate, sail::steady_now_ns()); });
}

void Film::obey(const sail_event& event) {
  if (event.stream == nullptr || !window_.concerns(event)) return;
  if (event.type == SAIL_EVENT_CLOSE) return finish(FilmEnd::kClosed);
  if (event.type == SAIL_EVENT_CODEC) {
    return log_.info("film {}: codec stays {}, as stored", number_, opening_.codec);
  }
  want([&](Player& player) {
    driver_.obey(event);
    if (event.type != SAIL_EVENT_LOOP) return;
    loop_ = event.value != 0;
    player.set_loop(loop_, sail::steady_now_ns());
  });
}

// --- statistics ----------------------------------------------------------------------------------

double Film::rate() const {
  return driver_.player() != nullptr ? driver_.player()->rate() : request_.rate;
}

void Film::measure(int64_t now_ns) {
  if (standing_ == Window::kOpen) rates_.measure(window_.stats(), now_ns);
}

Film::Figures Film::figures() const {
  const sail_stream_stats stats = window_.stats();
  Figures figures{.window = window_.number(),
                  .size = opening_.size,
                  .codec = opening_.codec,
                  .duration_ns = driver_.info().duration_ns,
                  .rate = rate(),
                  .frames_sent = stats.frames_sent,
                  .frames_shown = stats.frames_shown,
                  .frames_dropped = stats.frames_dropped,
                  .fps_shown = rates_.fps_shown(),
                  .mbit_per_s = rates_.mbit_per_s()};
  if (const Player* player = driver_.player()) {
    figures.position_ns = player->position_ns(sail::steady_now_ns());
    figures.frames_dropped += player->dropped_count();
  }
  return figures;
}

}  // namespace server
