// Decides when each picture is shown: paces film time on a steady clock. A state machine without
// clock, threads or pixels. Single-threaded; pure; all times in nanoseconds.
//
// The caller asks next() for an action, performs it, and reports the result: decode → decoded() or
// reached_end(); submit → submitted(); drop → dropped(); seek → sought(). Commands may be given at
// any time between.
#pragma once

#include <cstdint>
#include <optional>

#include "sail/core/wire/group.h"
#include "sail/core/wire/playback.h"

namespace sail {

// The presentation time of a film that follows a shared timeline. Rounds a due time to the grid of
// pictures: a whole number of intervals (film time) from the film's beginning. Every member of the
// group thus computes the same time for the same picture, despite clock drift and irregular time
// stamps.
int64_t presentation_ns(const Timeline& timeline, int64_t due_wall_ns, int64_t interval_ns);

// While the timeline is paused, all members submit the same picture at at_ns, and again at agreed
// instants with doubling intervals. A member that missed one instant meets the others at the next.
// Returns the first such instant that is not before wall_ns.
int64_t standing_ns(const Timeline& timeline, int64_t wall_ns);

struct PlayerOptions {
  // Overrides the film's own times with a frame rate; 0: as fast as possible.
  std::optional<double> fps;
  double rate = 1;
  bool paused = false;  // show the first picture and stop there
  bool loop = false;
  bool hold = false;  // keep the last picture at the end
  // Late pictures move the film's clock: the source sets the pace. A jump of more than 10 s is not
  // waited for.
  bool live = false;
  bool jumps = false;            // a jump ahead in time is a new piece, not a pause
  uint64_t max_frames = 0;       // submitted pictures after which the film ends; 0: no limit
  int64_t start_ns = 0;          // start position
  int64_t still_ns = 0;          // how long a single-picture film is shown; 0: for ever
  int64_t film_duration_ns = 0;  // 0: unknown
};

// The film's clock of a Player, for pictures that the Player does not have yet.
struct FilmClock {
  // Film time film_ns corresponds to steady time steady_ns.
  int64_t film_ns = 0;
  int64_t steady_ns = 0;
  double rate = 1;
  int64_t last_pts_ns = 0;       // time of the picture decoded last
  int64_t last_duration_ns = 0;  // duration of that picture
  int64_t submitted_ns = 0;      // when a picture was submitted last
  int64_t ahead_ns = 0;          // pictures are submitted this long before they are due

  int64_t due_ns(int64_t pts_ns) const;
};

class Player {
 public:
  enum class Action : uint8_t {
    kDecode,  // get the next picture
    kSubmit,  // show the decoded picture
    kDrop,    // discard the decoded picture, which is late
    kWait,    // until at_ns or a command
    kSeek,    // to film time at_ns; drop the decoded picture
    kEnd,
  };
  struct Step {
    Action action = Action::kDecode;
    int64_t at_ns = 0;

    bool operator==(const Step&) const = default;
  };
  static constexpr int64_t kForever = INT64_MAX;
  // Pictures are not dropped for longer than this: a film too heavy for this machine keeps moving.
  static constexpr int64_t kLongestGapNs = 250'000'000;

  explicit Player(const PlayerOptions& options);

  Step next(int64_t now_ns) const;

  // The picture's film time and duration (0: unknown).
  void decoded(int64_t pts_ns, int64_t duration_ns);
  void reached_end();
  void submitted(int64_t now_ns);
  void dropped();
  // done: false if the source could not seek; playback then continues.
  void sought(bool done);

  void pause(int64_t now_ns);
  // At its end, the film starts again.
  void resume(int64_t now_ns);
  void seek(int64_t position_ns);
  // Follows an external timeline: the film is at film_ns at the instant steady_ns. A looping film
  // uses the remainder after whole rounds. Pictures do not set the clock until another command.
  // While paused, only the picture at film_ns is shown.
  void follow(int64_t film_ns, int64_t steady_ns, double rate, bool paused, int64_t now_ns);
  // Delays the film's clock.
  void nudge(int64_t ns) { steady_anchor_ns_ += ns; }
  // By how much the film's times jump with the picture in hand; 0: they do not, or a loop begins
  // again.
  int64_t jump_ns() const { return jump_ns_; }
  // When the picture in hand is due.
  int64_t due_ns() const { return due_ns(picture_->pts_ns); }
  // Clamped to [kMinRate, kMaxRate].
  void set_rate(double rate, int64_t now_ns);
  // Takes effect at the next end; at once if the film is at its end.
  void set_loop(bool loop, int64_t now_ns);

  bool paused() const { return paused_; }
  bool loops() const { return loop_; }
  // True when the film has ended and its last picture is held. Never true for a single still.
  bool at_end(int64_t now_ns) const;
  // True while the film's clock runs, and thus the sound.
  bool moving() const {
    return !paused_ && !show_at_once_ && !seek_ns_ && last_.has_value() && !ended_;
  }
  // Empty if no picture can be late: the clock does not run, or the film is live or has other times
  // than its own.
  std::optional<FilmClock> clock() const;
  double rate() const { return rate_; }
  // The film's length; 0: unknown. Grows if pictures follow the end that the file states, as in
  // some films of variable frame rate.
  int64_t length_ns() const { return length_ns_; }
  int64_t position_ns(int64_t now_ns) const;
  uint64_t submitted_count() const { return submitted_; }
  uint64_t dropped_count() const { return dropped_; }

 private:
  struct PictureTimes {
    int64_t pts_ns;
    int64_t duration_ns;
    int64_t film_pts_ns;  // differs from pts_ns if options_.fps is set

    int64_t end_ns() const { return pts_ns + duration_ns; }
  };

  Step next_with_picture(int64_t now_ns) const;
  Step next_at_end(int64_t now_ns) const;
  int64_t end_of_last_ns() const;
  bool unpaced() const { return options_.fps && *options_.fps == 0; }
  bool still() const;
  bool late(int64_t now_ns) const;
  bool shows(int64_t film_ns) const;
  bool is_near(int64_t film_ns) const;
  bool limit_reached() const;
  int64_t due_ns(int64_t pts_ns) const;
  int64_t clock_ns(int64_t now_ns) const;
  void set_clock(int64_t film_ns, int64_t steady_ns);

  const PlayerOptions options_;

  // Film time film_anchor_ns_ corresponds to steady time steady_anchor_ns_. Stopped while paused.
  int64_t film_anchor_ns_ = 0;
  int64_t steady_anchor_ns_ = 0;
  std::optional<int64_t> seam_ns_;  // film time before the jump that set the anchor
  int64_t jump_ns_ = 0;             // jump of the film's times before the picture decoded last
  double rate_ = 1;
  bool loop_;
  bool paused_ = false;
  int64_t length_ns_;

  std::optional<PictureTimes> picture_;  // the picture in hand
  std::optional<PictureTimes> last_;     // the previous picture
  bool last_is_shown_ = false;           // false: it was dropped
  std::optional<int64_t> seek_ns_;
  bool seek_is_rewind_ = false;  // rewind of a loop: the clock continues
  bool following_ = false;
  bool show_at_once_ = true;  // the first picture after the start or a seek sets the clock
  bool ended_ = false;
  bool from_start_ = true;  // no seek since the film began
  uint64_t pictures_ = 0;   // decoded since the beginning or the last seek
  int64_t last_submit_ns_ = 0;
  uint64_t submitted_ = 0;
  uint64_t dropped_ = 0;
};

}  // namespace sail
