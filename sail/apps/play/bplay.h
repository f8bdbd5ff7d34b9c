// The bplay program: plays the videos given in its options on the wall, until they end or the
// window is closed. Runs on one thread, which never reads or decodes. Reading pictures, sound,
// FFmpeg and libsail have their own threads.
#pragma once

#include <sail/sail.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sail/apps/play/carried_watch.h"
#include "sail/apps/play/codec_tries.h"
#include "sail/apps/play/film_controls.h"
#include "sail/apps/play/memory_watch.h"
#include "sail/apps/play/options.h"
#include "sail/apps/play/sound_device.h"
#include "sail/apps/play/sound_thread.h"
#include "sail/apps/play/terminal.h"
#include "sail/apps/program/film_driver.h"
#include "sail/apps/program/program_shell.h"

namespace sail {

class ServerFilm;

class Bplay final : ProgramShell {
 public:
  explicit Bplay(BplayOptions options);

  // Returns the exit code.
  int run();

 private:
  static constexpr int64_t kKeySeekNs = 5'000'000'000;
  static constexpr double kKeyRate = 1.25;

  // A video of the list with its threads: the current one, the next one, or a finished one whose
  // file is not closed yet.
  struct Film {
    size_t place = 0;
    std::string name;
    std::unique_ptr<FilmDriver> driver;
    std::unique_ptr<SoundThread> sound;  // may be silent
    bool reported_audible = false;
    int reported_track = kUsualSoundTrack;

    bool finished() const { return driver->released() && (!sound || sound->ended()); }
  };

  // Returns true if any picture of the video was shown.
  bool play(size_t place, bool first);
  bool play_once(size_t place, bool first);
  bool is_last(size_t place) const;
  Film open(size_t place);
  void open_next_when_due();
  void take_other_answers();
  void let_go(Film film);
  bool play_from_server(const std::string& film, bool first, bool last);
  bool follow(ServerFilm& film);
  FilmDriver::Program program(size_t place);
  FilmDriver::Program reading(const std::string& film);
  // While the live source sends nothing: logs this and shows the fallback.
  void attend_silence();
  bool show_fallback();
  void end_silence();
  PlayerOptions player_options(const std::string& film, const SourceInfo& info, bool last) const;
  Result<bool> show(const std::string& film, const Picture& whole);
  Result<bool> show(const std::string& film, const Picture& picture,
                    const std::optional<JoinParts>& part);
  // Timeline from the beginning, for the start time in the options.
  Timeline first_timeline();
  // If the group controls playback, logs this and returns true.
  bool refuse_in_group();
  void seek_before_player(double seconds);
  void run_film();
  // Waits until the steady time or an event.
  void wait_until(int64_t steady_ns);
  // Waits until at most `most` finished videos are still closing. A hanging read cannot be
  // interrupted: if the program is ending, it exits without waiting for that read.
  void end_reading(size_t most);
  void set_paused(bool paused);
  void toggle_paused();
  void set_loop(bool loop);
  // kInvalidParams: the only film has no sound track as --sound-track asks. In a list, each film
  // that has none is reported when it plays.
  Result<void> check_sound_track() const;
  // Starts the video's sound. Requires the window, which tells whether the wall has loudspeakers.
  void start_sound(Film& film);
  // Synchronises the sound with the picture.
  void follow_sound();
  void submit_sound();
  void change_codec(const std::string& codec);
  // Chooses the codec from now on, as with --codec auto.
  void choose_codec();
  // Opens the video again, where it is, for another codec.
  void open_again(const std::string& why);
  // Opens the video again, to be decoded here until the next try.
  void decode_here(const std::string& why);
  // Applies the rule of --codec auto (bplay_codec.cpp) to the current video.
  void watch_codec();
  void watch_carried(int64_t now_ns);
  bool shows_carried() const;
  // Videos are opened to be sent undecoded if that is possible.
  bool may_carry() const;
  // The codec for a picture that is not compressed, and a sentence about this choice.
  const std::string& codec_for(const Picture& picture) const;
  std::string reason_for(const Picture& picture) const;
  void change_subtitles(const SubtitleChoice& choice);
  // The tracks of the current video.
  FilmTracks film_tracks() const;
  // Waits until the last pictures have been shown.
  void drain();

  // Handles signals, keys and events; waits at most timeout_ms for an event.
  void attend(int timeout_ms);
  void obey(const sail_event& event) override;
  void obey(const sail_input& input);
  void obey(PlayKey key);
  void pass_on(PlayKey key);
  // The current video's player; null until the video is open.
  Player* player() { return film_ ? film_->player() : nullptr; }

  void say(LogLevel level, const std::string& sentence) override;
  bool status_due() const;
  void draw_status();
  void draw_status(const PlayStatus& status);
  void clear_status();

  const BplayOptions options_;
  int failure_ = EXIT_FAILURE;  // exit code if nothing was shown
  const std::string group_;     // empty: not in a group
  std::optional<TerminalKeys> keys_;
  bool status_wanted_ = false;
  bool status_drawn_ = false;

  std::vector<std::string> films_;     // names or URLs
  FilmDriver* film_ = nullptr;         // the current video, if played by this process
  ServerFilm* server_film_ = nullptr;  // the current video, if played by a film server

  std::string codec_;                       // for pictures that are not compressed
  const std::string memory_codec_ = "raw";  // for those that receivers read in this host's memory
  std::string codec_reason_;                // with --codec auto: a sentence about the current video
  bool codec_given_ = false;
  bool chooses_codec_;          // with --codec auto, or people choose "auto"
  CarriedWatch carried_watch_;  // of the current video, with --codec auto
  CodecTries carried_tries_;
  MemoryWatch memory_watch_;  // with --codec auto
  // Place of the video that is decoded here, but could be sent undecoded.
  std::optional<size_t> decoded_place_;
  int64_t start_ns_ = 0;  // position at which the current video begins
  // The current video ends, and is opened again for another codec at this position.
  std::optional<int64_t> again_at_ns_;
  bool keeps_time_ = true;  // with a start time: the video still follows its timeline
  SubtitleChoice subtitles_;
  bool paused_ = false;  // kept from one video to the next
  double rate_ = 1;
  bool loop_;
  bool only_film_ = true;  // one video only: its player loops it
  // Start the list again at once, even though the last video is held at its end.
  bool list_again_ = false;
  FilmControls controls_;
  double volume_;
  bool wall_sounds_ = false;  // sound is played by the wall and not by this machine
  WallSoundBox wall_sound_{256};
  std::optional<Loudspeakers> loudspeakers_;  // set once the device is chosen
  int64_t opened_ns_ = 0;                     // steady time at which the video's opening began
  int64_t silent_since_s_ = 0;                // as logged; 0: not silent
  bool fallback_shown_ = false;
  uint64_t submitted_ = 0;  // pictures of earlier videos

  std::chrono::steady_clock::time_point status_at_;
  uint64_t shown_at_status_ = 0;
  double fps_shown_ = 0;

  // Last members: their threads must end before the members that they use are destroyed.
  std::optional<Film> now_;
  std::optional<Film> next_;  // opened ahead of time
  std::optional<Film> fallback_;
  std::vector<Film> leaving_;
};

}  // namespace sail
