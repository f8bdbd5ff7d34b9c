// Plays one video in a window: takes pictures from a FilmReader, shows them at the Player's times
// and reports the playback state to the manager. It never blocks. The program calls step() at the
// time that the last step() returned, when the reader has answered, and after a user's command.
//
// Runs on one thread, which never reads or decodes. During playback a picture is copied only by
// libsail. In memory are the next picture, the one on the wall and those read ahead: from
// kLeastAhead to kMostAhead, within a memory limit.
#pragma once

#include <sail/sail.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sail/apps/program/film_reader.h"
#include "sail/apps/program/wall_window.h"
#include "sail/core/base/log.h"
#include "sail/core/base/result.h"
#include "sail/core/wire/film_tracks.h"
#include "sail/core/wire/group.h"
#include "sail/media/film/player.h"

namespace sail {

class FilmDriver {
 public:
  // Callbacks supplied by the program.
  struct Program {
    FilmReader::Open open;
    // See FilmReader.
    std::function<void()> on_answer{};
    // Called when the video is open.
    std::function<PlayerOptions(const SourceInfo& info)> begin;
    // Shows the picture in the window. Returns false if there is no window for it yet; step() is
    // called again when there is a window. An error ends the video.
    std::function<Result<bool>(const Picture& picture)> show;
    // Returns the state that the FilmDriver does not know: loop, sound. Empty: nothing is reported.
    std::function<sail_playback()> playback;
    std::function<void(LogLevel level, const std::string& sentence)> say;
    // Returns the tracks to report. Empty: none are reported.
    std::function<FilmTracks()> tracks{};
    // A picture that cannot be read ends the video with an error; otherwise it is the video's end,
    // which may be held or followed by the beginning.
    bool error_ends = false;
  };
  // kWhenTold: the video is opened and read ahead, but not played before begin().
  enum class Begin : uint8_t { kAtOnce, kWhenTold };
  // window must outlive this object.
  FilmDriver(WallWindow& window, Program program, Begin begin = Begin::kAtOnce);
  void begin();

  // Handles the reader's next answer; waits at most `wait`. Returns false if there is none.
  bool take_answer(std::chrono::nanoseconds wait = std::chrono::nanoseconds(0));

  // Time since which the live source has sent nothing (seconds since 1970); 0: it sends, or the
  // source is not live.
  int64_t silent_since_s() const { return silent_since_s_; }

  // Time of the last jump of the video's time stamps (seconds since 1970); 0: none.
  int64_t jumped_s() const { return jumped_s_; }

  // Returned by step() if no further step is due without an event; times are steady.
  static constexpr int64_t kForever = Player::kForever;
  // Does all that is possible now. Returns when the next step is due; 0: at once, after other work.
  int64_t step();
  // Returns true if nothing can be done before the reader answers.
  bool awaits_reader() const;

  // Returns true when the video has ended or failed.
  bool over() const { return end_.has_value(); }
  const Result<void>& end() const { return *end_; }
  // Returns true if all of the video has been read and it does not loop.
  bool read_to_end() const { return end_read_; }
  // Stops reading. The video is abandoned.
  void stop() { reader_.stop(); }
  // Returns true once the reader has ended: the file is closed and destruction does not block.
  bool released() const { return released_; }
  // Statistics of reading ahead; valid after released().
  const ReadFigures& read_figures() const { return read_figures_; }

  // Pictures that the reader left out because they were late, missing or damaged.
  uint64_t left_out() const { return left_out_; }

  // Null until the video is open. Commands to the player take effect with the next step(); call
  // tell() after them.
  Player* player() { return player_ ? &*player_ : nullptr; }
  const Player* player() const { return player_ ? &*player_ : nullptr; }
  const SourceInfo& info() const { return info_; }
  // The picture on the wall; null before the first.
  const Picture* shown() const { return shown_ ? &*shown_ : nullptr; }

  // Follows the timeline from its start time on. Pictures are submitted slightly before their
  // presentation time.
  void follow(const Timeline& timeline);
  bool follows() const { return timeline_.has_value(); }
  // Returns true if the timeline's start time is in the future.
  bool yet_to_begin() const { return timeline_ && window_.wall_now_ns() < timeline_->at_ns; }
  // Handles pause, resume, seek, rate, timeline and refresh. The program handles other events.
  void obey(const sail_event& event);
  void seek(double seconds);
  // Pictures that were read ahead are read again, except of live sources and in groups.
  void choose_subtitles(const SubtitleChoice& choice);
  // Shows the picture on the wall again.
  void refresh() { refresh_due_ = true; }
  void tell();

 private:
  // As many pictures as bridge the restart of the decoder, at a loop's end or at the next video of
  // a playlist.
  static constexpr size_t kMostAhead = 16;
  static constexpr size_t kLeastAhead = 2;
  static constexpr size_t kLiveAhead = 3;  // more would only add latency
  static constexpr size_t kDecodedAheadBytes = size_t{192} << 20;
  static constexpr size_t kCompressedAheadBytes = size_t{32} << 20;
  static constexpr int64_t kUsualIntervalNs = 40'000'000;  // if the pictures have no duration

  // A picture that the reader has delivered; empty: end of the video.
  struct Ready {
    std::optional<Picture> picture;
    bool again = false;
    uint64_t left_out = 0;
    int64_t came_ns = 0;              // steady time
    std::optional<Error> error = {};  // ends the video
  };

  void on(FilmReader::Opened opened);
  void on(FilmReader::Read read);
  void on(FilmReader::Passed) { --asked_; }
  void on(FilmReader::Sought sought);
  void on(const FilmReader::Complaint& complaint);
  void on(const FilmReader::Ended& ended);

  int64_t advance();
  // For the reader; empty: no picture is late.
  std::optional<FilmClock> clock() const;
  bool take_picture();
  bool show_picture();
  void show_again(int64_t left_ns);
  void hand_over_again(int64_t present_ns);
  void start_player();
  // Checks whether a live source is silent. Returns when to check again.
  int64_t check_signal();
  // How far the time stamps of a live source step with this picture; 0: unknown.
  int64_t jump_of_live(const Picture& picture, int64_t came_ns);
  // Reports a step of the time stamps that is a jump.
  void note_jump(int64_t step_ns);
  // The player's current time. With a timeline it runs ahead, because pictures are submitted early.
  int64_t player_now_ns() const;
  int64_t ahead_ns() const;
  // Returns when to wake up for a time of the player's clock or for the next timeline.
  int64_t wake_ns(int64_t due_ns) const;
  // Adopts next_timeline_ if its time has come.
  void take_timeline();
  // Returns the presentation time (wall clock) of the next picture; 0: as soon as possible.
  int64_t present_hand_ns();
  // On a paused timeline, submits the current picture again at each time given by standing_ns().
  int64_t stand_again();
  void drop_picture();
  void ask_for_pictures();
  void spend(Picture picture) { spent_.push_back(std::move(picture)); }

  WallWindow& window_;
  const Program program_;
  SourceInfo info_;
  std::optional<Player> player_;
  bool begun_;
  bool opened_ = false;
  std::deque<Ready> ready_;
  size_t most_ahead_ = kLeastAhead;  // limited by memory
  std::optional<Picture> in_hand_;
  std::optional<Picture> shown_;
  uint64_t left_out_ = 0;
  std::vector<Picture> spent_;         // to be returned to the reader for reuse
  size_t asked_ = 0;                   // requested pictures not answered yet
  bool end_read_ = false;              // nothing follows the pictures in ready_
  std::optional<int64_t> seeking_ns_;  // position of the pending seek request
  bool refresh_due_ = false;
  int64_t interval_ns_ = kUsualIntervalNs;
  int64_t came_ns_ = 0;         // steady arrival time of the last picture
  int64_t silent_since_s_ = 0;  // since 1970
  int64_t jumped_s_ = 0;        // since 1970
  struct Stamp {
    int64_t pts_ns = 0;
    int64_t came_ns = 0;  // steady time
  };
  std::optional<Stamp> stamp_;  // stamp of the previous picture
  std::optional<Timeline> timeline_;
  std::optional<Timeline> next_timeline_;  // its time is still to come
  int64_t last_present_ns_ = 0;            // wall clock
  int64_t stood_ns_ = 0;  // last time given by standing_ns() on a paused timeline, wall clock
  std::optional<Result<void>> end_;
  bool released_ = false;
  ReadFigures read_figures_;

  FilmReader reader_;  // last member: its thread must end before the pictures are destroyed
};

}  // namespace sail
