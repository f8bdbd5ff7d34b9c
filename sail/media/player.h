// When each picture is shown: pacing by film time on a steady clock, as a state machine without a
// clock, threads or pixels. Single-threaded; pure; all times in nanoseconds.
//
// Whoever runs it asks next() what to do, does it, and answers: decode → decoded() or
// reached_end(); submit → submitted(); drop → dropped(); seek → sought(). Commands may come at any
// time between.
#pragma once

#include <cstdint>
#include <optional>

#include "sail/wire/playback.h"

namespace sail {

struct PlayerOptions {
  // Pictures a second instead of the film's own times; 0: as fast as they are taken.
  std::optional<double> fps;
  double rate = 1;
  bool paused = false;  // shows its first picture and stays
  bool loop = false;
  bool hold = false;             // the last picture stays when the film has ended
  bool live = false;             // a late picture moves the film's clock: the source sets the pace
  bool jumps = false;            // times that jump ahead are those of another piece
  uint64_t max_frames = 0;       // the film ends after so many submitted pictures; 0: no limit
  int64_t start_ns = 0;          // where it begins
  int64_t still_ns = 0;          // how long a film of a single picture is shown; 0: for ever
  int64_t film_duration_ns = 0;  // 0: unknown
};

class Player {
 public:
  enum class Action : uint8_t {
    kDecode,  // get the next picture
    kSubmit,  // show the picture in hand
    kDrop,    // throw the picture in hand away: it is late
    kWait,    // until at_ns, or until a command
    kSeek,    // to the film time at_ns; drop the picture in hand
    kEnd,
  };
  struct Step {
    Action action = Action::kDecode;
    int64_t at_ns = 0;

    bool operator==(const Step&) const = default;
  };
  static constexpr int64_t kForever = INT64_MAX;

  explicit Player(const PlayerOptions& options);

  Step next(int64_t now_ns) const;

  // Film time of the picture in hand, and how long it is to be seen (0: unknown).
  void decoded(int64_t pts_ns, int64_t duration_ns);
  void reached_end();
  void submitted(int64_t now_ns);
  void dropped();
  // done: false when the source could not seek; then playing goes on.
  void sought(bool done);

  void pause(int64_t now_ns);
  // A film that stands at its end begins again.
  void resume(int64_t now_ns);
  void seek(int64_t position_ns);
  // The film's clock is another's: film_ns is at the instant steady_ns (a film that loops, at a
  // whole number of rounds before), and no picture sets it, until somebody wants something else.
  // Where it stands, the picture there is shown, and no other.
  void follow(int64_t film_ns, int64_t steady_ns, double rate, bool paused, int64_t now_ns);
  // Its clock goes that much later.
  void nudge(int64_t ns) { steady_anchor_ns_ += ns; }
  // Of the picture in hand.
  int64_t due_ns() const { return due_ns(picture_->pts_ns); }
  // Clamped to [kMinRate, kMaxRate].
  void set_rate(double rate, int64_t now_ns);
  // From the next end on; from this one when the film stands at its end.
  void set_loop(bool loop, int64_t now_ns);

  bool paused() const { return paused_; }
  bool loops() const { return loop_; }
  // It has come to its end, and its last picture is held. Not so a single still, which has none.
  bool at_end(int64_t now_ns) const;
  // The film's clock runs, and with it what goes along with the pictures.
  bool moving() const {
    return !paused_ && !show_at_once_ && !seek_ns_ && last_.has_value() && !ended_;
  }
  double rate() const { return rate_; }
  int64_t position_ns(int64_t now_ns) const;
  uint64_t submitted_count() const { return submitted_; }
  uint64_t dropped_count() const { return dropped_; }

 private:
  struct PictureTimes {
    int64_t pts_ns;
    int64_t duration_ns;
    int64_t film_pts_ns;  // differs from pts_ns when --fps replaces the film's own times

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

  // The film's clock: film time film_anchor_ is at the instant steady_anchor_; stands when paused.
  int64_t film_anchor_ns_ = 0;
  int64_t steady_anchor_ns_ = 0;
  std::optional<int64_t> seam_ns_;  // film time that is followed by that one, when it jumped there
  double rate_ = 1;
  bool loop_;
  bool paused_ = false;

  std::optional<PictureTimes> picture_;  // in hand
  std::optional<PictureTimes> last_;     // the one before
  bool last_is_shown_ = false;           // or was dropped
  std::optional<int64_t> seek_ns_;
  bool seek_is_rewind_ = false;  // of a loop: the clock goes on
  bool following_ = false;
  bool show_at_once_ = true;  // the first picture after the start or a seek sets the clock
  bool ended_ = false;
  bool from_start_ = true;  // no seek since the film began
  uint64_t pictures_ = 0;   // decoded since the film began or was sought in
  int64_t last_submit_ns_ = 0;
  uint64_t submitted_ = 0;
  uint64_t dropped_ = 0;
};

}  // namespace sail
