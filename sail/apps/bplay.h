// The program: plays what its options name, on the wall, until it ends or is closed. One thread;
// FFmpeg and libsail have their own.
#pragma once

#include <sail/sail.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sail/apps/film_controls.h"
#include "sail/apps/film_sound.h"
#include "sail/apps/options.h"
#include "sail/apps/status_line.h"
#include "sail/apps/terminal_keys.h"
#include "sail/apps/wall_window.h"
#include "sail/base/log.h"
#include "sail/base/stop_signals.h"
#include "sail/media/player.h"
#include "sail/media/source.h"

namespace sail {

class ServerFilm;

class Bplay {
 public:
  explicit Bplay(BplayOptions options);

  // The exit code.
  int run();

 private:
  static constexpr int64_t kKeySeekNs = 5'000'000'000;
  static constexpr double kKeyRate = 1.25;
  enum class Ending : uint8_t { kPlayed, kSkipped, kFatal };

  Ending play(const std::string& film, bool first, bool last);
  Ending play_from_server(const std::string& film, bool first, bool last);
  Ending follow(ServerFilm& film);
  Result<std::unique_ptr<Source>> open_source(const std::string& film);
  bool connect();
  PlayerOptions player_options(const SourceInfo& info, bool first, bool last) const;
  // Runs the player to its end. False when the wall takes no more.
  bool run_player(Player& player, Source& source);
  void set_paused(bool paused);
  void toggle_paused();
  void set_loop(bool loop);
  void open_sound(const std::string& film);
  // Keeps it in step.
  void follow_sound();
  void obey(const sail_input& input);
  // The manager hears how the film stands.
  void tell_playback();
  std::optional<Picture> decode(Player& player, Source& source);
  bool submit(Player& player, Picture picture);
  // Shows the picture that is on the wall once more.
  void refresh();
  void change_codec(const std::string& codec);
  void seek(Player& player, Source& source, int64_t position_ns);
  // Until the steady clock says so, or something has happened.
  void wait_until(Player& player, int64_t steady_ns);
  // So that the last pictures are seen before the window goes.
  void drain();

  // Signals, keys and events; waits at most timeout_ms for an event. True when anything came.
  bool attend(int timeout_ms);
  void obey(const sail_event& event);
  void obey(Key key);
  void pass_on(Key key);
  bool done() const { return closed_ || fatal_; }

  void say(LogLevel level, const std::string& sentence);
  bool status_due() const;
  void draw_status();
  void draw_status(const PlayStatus& status);
  void clear_status();

  const BplayOptions options_;
  const Log log_;
  StopSignals signals_;
  std::optional<TerminalKeys> keys_;
  bool status_wanted_ = false;
  bool status_drawn_ = false;

  std::optional<Session> session_;
  std::optional<WallWindow> window_;
  Picture shown_;                      // the one on the wall
  bool refresh_due_ = false;           // SAIL has asked for it again
  Player* player_ = nullptr;           // of the film being played
  int64_t duration_ns_ = 0;            // and its length
  bool live_ = false;                  // it cannot be paused and sought
  ServerFilm* server_film_ = nullptr;  // the film, when a server plays it

  bool closed_ = false;
  bool fatal_ = false;
  std::string codec_;  // of pictures that are not compressed already
  bool codec_given_ = false;
  bool paused_ = false;  // go on from film to film
  double rate_ = 1;
  bool loop_;
  bool only_film_ = true;    // then its own end is where it begins again
  bool list_again_ = false;  // from its first film, though its last is not over
  FilmControls controls_;
  double volume_;
  std::unique_ptr<SoundDevice> loudspeakers_;
  bool loudspeakers_tried_ = false;
  std::unique_ptr<FilmSound> sound_;  // of the film being played, when it can be heard
  uint64_t submitted_ = 0;            // of the films before

  std::chrono::steady_clock::time_point status_at_;
  uint64_t shown_at_status_ = 0;
  double fps_shown_ = 0;
};

}  // namespace sail
