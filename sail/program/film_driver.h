// Plays one film in a window: takes its pictures from a FilmReader, shows them when the Player says
// so, and tells the manager how the film stands. It waits for nobody: who runs it calls step(), and
// again when that says, when the reader has answered, and when somebody wants something of the
// film.
//
// One thread, which never reads or decodes. Once it plays a picture costs no memory but libsail's
// copy. Held are the picture in hand, the one on the wall, and those read ahead: as many as fit
// into some memory, from kLeastAhead to kMostAhead.
#pragma once

#include <sail/sail.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sail/base/log.h"
#include "sail/base/result.h"
#include "sail/media/player.h"
#include "sail/program/film_reader.h"
#include "sail/program/wall_window.h"
#include "sail/wire/group.h"

namespace sail {

class FilmDriver {
 public:
  // What the program adds to it.
  struct Program {
    FilmReader::Open open;
    // As for FilmReader.
    std::function<void()> on_answer{};
    // The film is open.
    std::function<PlayerOptions(const SourceInfo& info)> begin;
    // Shows the picture in the window, or false: there is none for it yet, and step() is called
    // when there is. An error ends the film.
    std::function<Result<bool>(const Picture& picture)> show;
    // What of its playback the film itself does not know: loop, sound. Empty: nothing of it is
    // told.
    std::function<sail_playback()> playback;
    std::function<void(LogLevel level, const std::string& sentence)> say;
  };
  // kWhenTold: it is opened and read ahead, and does nothing else before begin().
  enum class Begin : uint8_t { kAtOnce, kWhenTold };
  // window outlives the film.
  FilmDriver(WallWindow& window, Program program, Begin begin = Begin::kAtOnce);
  void begin();

  // Takes the reader's next answer, waiting for it at most so long; false when there is none.
  bool take_answer(std::chrono::nanoseconds wait = std::chrono::nanoseconds(0));

  // Its live source has sent nothing for a while, since this instant (seconds since 1970); 0: it
  // sends, or it is none.
  int64_t silent_since_s() const { return silent_since_s_; }

  // The time stamps of its live source jumped then (seconds since 1970), lastly; 0: they never did.
  int64_t jumped_s() const { return jumped_s_; }

  // When the next step is due though nothing happens, steady time.
  static constexpr int64_t kForever = Player::kForever;
  // Goes on as far as it can now; 0: at once, others just get their turn.
  int64_t step();
  // It has nothing to do before the reader answers.
  bool awaits_reader() const;

  // It goes on no more: it has come to its end, or failed.
  bool over() const { return end_.has_value(); }
  const Result<void>& end() const { return *end_; }
  // All that there is of it has been read, and it will not begin again by itself.
  bool read_to_end() const { return end_read_; }
  // Reads no more, whatever becomes of it.
  void stop() { reader_.stop(); }
  // The reader has ended: the file is closed, and the film goes without waiting.
  bool released() const { return released_; }
  // Then: what was read ahead.
  const ReadFigures& read_figures() const { return read_figures_; }

  // Nothing until the film is open. What somebody wants of it takes effect with the next step, and
  // is to be told.
  Player* player() { return player_ ? &*player_ : nullptr; }
  const Player* player() const { return player_ ? &*player_ : nullptr; }
  const SourceInfo& info() const { return info_; }
  // The picture on the wall; nothing before the first.
  const Picture* shown() const { return shown_ ? &*shown_ : nullptr; }

  // The film goes by it, once its instant has come: each picture is handed over a little before the
  // instant at which it is to be seen.
  void follow(const Timeline& timeline);
  bool follows() const { return timeline_.has_value(); }
  // The instant at which that begins is still to come.
  bool yet_to_begin() const { return timeline_ && window_.wall_now_ns() < timeline_->at_ns; }
  // Pause, resume, seek, rate, timeline and refresh. What else there is is the program's.
  void obey(const sail_event& event);
  void seek(double seconds);
  // The picture on the wall is to be shown once more.
  void refresh() { refresh_due_ = true; }
  void tell();

 private:
  // Enough to outlast a decoder that begins anew at a loop's seam or in a list's next film.
  static constexpr size_t kMostAhead = 16;
  static constexpr size_t kLeastAhead = 2;
  static constexpr size_t kLiveAhead = 3;  // what waits here is late
  static constexpr size_t kDecodedAheadBytes = size_t{192} << 20;
  static constexpr size_t kCompressedAheadBytes = size_t{32} << 20;
  static constexpr int64_t kUsualIntervalNs = 40'000'000;  // of pictures that do not say

  // What the reader has answered: nothing is the film's end.
  struct Ready {
    std::optional<Picture> picture;
    bool again = false;
    uint64_t left_out = 0;
    int64_t came_ns = 0;  // steady time
  };

  void on(FilmReader::Opened opened);
  void on(FilmReader::Read read);
  void on(FilmReader::Passed) { --asked_; }
  void on(FilmReader::Sought sought);
  void on(const FilmReader::Complaint& complaint);
  void on(const FilmReader::Ended& ended);

  bool take_picture();
  bool show_picture();
  void show_again(int64_t left_ns);
  void hand_over_again(int64_t present_ns);
  void start_player();
  // Finds whether a live source is silent; returns when to look again.
  int64_t look_for_signal();
  // Finds whether the time stamps of a live source jump with the picture.
  void look_for_jump(const Picture& picture, int64_t came_ns);
  // What the player takes for now: pictures of a timeline are handed over ahead.
  int64_t player_now_ns() const;
  int64_t ahead_ns() const;
  // When the player's clock says that, or a timeline is to be taken.
  int64_t wake_ns(int64_t due_ns) const;
  // The timeline to come holds from now on, if it is time.
  void take_timeline();
  // When the picture in hand is to be seen, wall time; 0: soonest.
  int64_t present_hand_ns();
  // The picture at which a paused timeline stands is handed over at each instant of standing_ns.
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
  size_t most_ahead_ = kLeastAhead;  // as many as there is memory for
  std::optional<Picture> in_hand_;
  std::optional<Picture> shown_;
  std::vector<Picture> spent_;         // go back to the reader
  size_t asked_ = 0;                   // pictures that the reader has not answered
  bool end_read_ = false;              // there is nothing behind what is ready
  std::optional<int64_t> seeking_ns_;  // what the reader was asked
  bool refresh_due_ = false;
  int64_t interval_ns_ = kUsualIntervalNs;
  int64_t came_ns_ = 0;         // the last picture from the reader, steady time
  int64_t silent_since_s_ = 0;  // since 1970
  int64_t jumped_s_ = 0;        // since 1970
  struct Stamp {
    int64_t pts_ns = 0;
    int64_t came_ns = 0;  // steady time
  };
  std::optional<Stamp> stamp_;  // of the picture before
  std::optional<Timeline> timeline_;
  std::optional<Timeline> next_timeline_;  // its instant is still to come
  int64_t last_present_ns_ = 0;            // wall
  int64_t stood_ns_ = 0;                   // the last instant of its standing, wall
  std::optional<Result<void>> end_;
  bool released_ = false;
  ReadFigures read_figures_;

  FilmReader reader_;  // last: its thread ends before the pictures go
};

}  // namespace sail
