// The program: plays what its options name, on the wall, until it ends or is closed. One thread,
// which never reads or decodes; each film's pictures and its sound, FFmpeg and libsail have their
// own.
#pragma once

#include <sail/sail.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sail/apps/film_controls.h"
#include "sail/apps/options.h"
#include "sail/apps/sound_thread.h"
#include "sail/apps/terminal.h"
#include "sail/apps/wall_sound.h"
#include "sail/program/film_driver.h"
#include "sail/program/program_shell.h"

namespace sail {

class ServerFilm;

class Bplay final : ProgramShell {
 public:
  explicit Bplay(BplayOptions options);

  // The exit code.
  int run();

 private:
  static constexpr int64_t kKeySeekNs = 5'000'000'000;
  static constexpr double kKeyRate = 1.25;

  // A film of the list with its threads: the one that is played, the next one, or one that is over
  // and whose file is not closed yet.
  struct Film {
    size_t place = 0;
    std::string name;
    std::unique_ptr<FilmDriver> driver;
    std::unique_ptr<SoundThread> sound;  // may have none to play
    bool told_audible = false;

    bool gone() const { return driver->released() && (!sound || sound->ended()); }
  };

  // True when anything of the film was shown.
  bool play(size_t place, bool first);
  bool is_last(size_t place) const;
  Film open(size_t place, bool first);
  void open_next_when_due();
  void take_other_answers();
  void let_go(Film film);
  bool play_from_server(const std::string& film, bool first, bool last);
  bool follow(ServerFilm& film);
  FilmDriver::Program program(size_t place, bool first);
  FilmDriver::Program reading(const std::string& film);
  // While the live source sends nothing: says so, and shows the fallback.
  void attend_silence();
  bool show_fallback();
  void end_silence();
  PlayerOptions player_options(const SourceInfo& info, bool first, bool last) const;
  Result<bool> show(const std::string& film, const Picture& whole);
  Result<bool> show(const std::string& film, const Picture& picture,
                    const std::optional<JoinParts>& part);
  // From the beginning, when the film is to start.
  Timeline first_timeline();
  // Whether somebody wants of it what is the group's matter: says so.
  bool refuse_in_group();
  void run_film();
  // Until the steady clock says so, or something has happened.
  void wait_until(int64_t steady_ns);
  // Until no more films than that are leaving. A read that hangs cannot be interrupted: then the
  // program ends without it.
  void end_reading(size_t most);
  void set_paused(bool paused);
  void toggle_paused();
  void set_loop(bool loop);
  // Of a film, once it is known whether the wall has loudspeakers: when the window is there.
  void start_sound(Film& film);
  // Keeps it in step.
  void follow_sound();
  void submit_sound();
  void change_codec(const std::string& codec);
  // So that the last pictures are seen before the window goes.
  void drain();

  // Signals, keys and events; waits at most timeout_ms for an event.
  void attend(int timeout_ms);
  void obey(const sail_event& event) override;
  void obey(const sail_input& input);
  void obey(Key key);
  void pass_on(Key key);
  // Plays the film that is being played; null until that is open.
  Player* player() { return film_ ? film_->player() : nullptr; }

  void say(LogLevel level, const std::string& sentence) override;
  bool status_due() const;
  void draw_status();
  void draw_status(const PlayStatus& status);
  void clear_status();

  const BplayOptions options_;
  const std::string group_;  // empty: none
  std::optional<TerminalKeys> keys_;
  bool status_wanted_ = false;
  bool status_drawn_ = false;

  std::vector<std::string> films_;     // names
  FilmDriver* film_ = nullptr;         // that is being played here
  ServerFilm* server_film_ = nullptr;  // or by a server

  std::string codec_;  // of pictures that are not compressed already
  bool codec_given_ = false;
  bool paused_ = false;  // go on from film to film
  double rate_ = 1;
  bool loop_;
  bool only_film_ = true;    // then its own end is where it begins again
  bool list_again_ = false;  // from its first film, though its last is not over
  FilmControls controls_;
  double volume_;
  bool wall_sounds_ = false;  // and not this machine
  WallSoundBox wall_sound_{256};
  std::optional<Loudspeakers> loudspeakers_;  // once it is known which
  int64_t opened_ns_ = 0;                     // when the film began to be opened, steady time
  int64_t silent_since_s_ = 0;                // it was said; 0: it is not silent
  bool fallback_shown_ = false;
  uint64_t submitted_ = 0;  // of the films before

  std::chrono::steady_clock::time_point status_at_;
  uint64_t shown_at_status_ = 0;
  double fps_shown_ = 0;

  // Last: their threads end before what they use goes.
  std::optional<Film> now_;
  std::optional<Film> next_;  // opened before it is due
  std::optional<Film> fallback_;
  std::vector<Film> leaving_;
};

}  // namespace sail
