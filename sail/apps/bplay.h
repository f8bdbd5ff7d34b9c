// The program: plays what its options name, on the wall, until it ends or is closed. One thread;
// reading, FFmpeg and libsail have their own.
#pragma once

#include <sail/sail.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "sail/apps/film_controls.h"
#include "sail/apps/film_sound.h"
#include "sail/apps/options.h"
#include "sail/apps/terminal.h"
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

  // True when anything of the film was shown.
  bool play(const std::string& film, bool first, bool last);
  bool play_from_server(const std::string& film, bool first, bool last);
  bool follow(ServerFilm& film);
  FilmDriver::Program program(const std::string& film, bool first, bool last);
  PlayerOptions player_options(const SourceInfo& info, bool first, bool last) const;
  Result<bool> show(const std::string& film, const Picture& picture);
  void run_film();
  // Until the steady clock says so, or something has happened.
  void wait_until(int64_t steady_ns);
  // A read that hangs cannot be interrupted: then the program ends without it.
  void end_reading();
  void set_paused(bool paused);
  void toggle_paused();
  void set_loop(bool loop);
  void open_sound(const std::string& film, bool live);
  // Keeps it in step.
  void follow_sound();
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
  std::optional<TerminalKeys> keys_;
  bool status_wanted_ = false;
  bool status_drawn_ = false;

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
  std::unique_ptr<SoundDevice> loudspeakers_;
  bool loudspeakers_tried_ = false;
  std::unique_ptr<FilmSound> sound_;  // of the film being played, when it can be heard
  uint64_t submitted_ = 0;            // of the films before

  std::chrono::steady_clock::time_point status_at_;
  uint64_t shown_at_status_ = 0;
  double fps_shown_ = 0;
};

}  // namespace sail
