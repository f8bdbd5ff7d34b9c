// Streams one film from storage to a wall. Compressed pictures are sent as they are stored.
// on_finished() is called when playback is over. After on_gone() the film may be destroyed: its
// file is closed and its window has left the wall. Thread: the loop's.
#pragma once

#include <sail/sail.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "sail/apps/program/film_driver.h"
#include "sail/apps/program/wall_window.h"
#include "sail/apps/server/catalogue/library.h"
#include "sail/apps/server/playout/film_reads.h"
#include "sail/apps/server/playout/reservations.h"
#include "sail/apps/server/playout/wall_link.h"
#include "sail/core/base/geometry.h"
#include "sail/core/base/log.h"
#include "sail/core/loop/loop.h"
#include "sail/core/time/clock.h"
#include "sail/core/wall/transport.h"

namespace server {

// The rates of a stream in the last measuring interval. Pure.
class StreamRates {
 public:
  // Call regularly, with the stream's statistics until now.
  void measure(const sail_stream_stats& stats, int64_t now_ns) {
    const double seconds = static_cast<double>(now_ns - measured_ns_) / sail::kSecondNs;
    if (measured_ns_ > 0 && seconds > 0) {
      fps_shown_ = static_cast<double>(stats.frames_shown - measured_.frames_shown) / seconds;
      mbit_per_s_ =
          static_cast<double>(stats.bytes_sent - measured_.bytes_sent) * 8 / 1e6 / seconds;
    }
    measured_ns_ = now_ns;
    measured_ = stats;
  }
  double fps_shown() const { return fps_shown_; }
  double mbit_per_s() const { return mbit_per_s_; }

 private:
  int64_t measured_ns_ = 0;
  sail_stream_stats measured_{};
  double fps_shown_ = 0;
  double mbit_per_s_ = 0;
};

// A client's request to play a film on a wall.
struct FilmRequest {
  std::string title;
  std::string window_title;         // empty: the title without its folders
  std::string manager;              // HOST:PORT
  std::string url;                  // for bplay, to request the film again; empty: unknown
  std::optional<sail::Rect> place;  // without a size: the film's size; empty: the manager chooses
  bool loop = false;
  bool hold = false;  // keep the last picture until the window is closed
  bool paused = false;
  double start_s = 0;
  double rate = 1;
  std::optional<double> fps;
  sail::TransportOptions transport{};
  bool attached = false;     // ends with the control session that requested it
  bool best_effort = false;  // no rate is promised to it
};

enum class FilmState : uint8_t { kOpening, kPlaying, kPaused, kEnding };
// Why a film ended.
enum class FilmEnd : uint8_t { kEnded, kClosed, kStopped, kFailed };
// Returns "ended", "closed", "stopped" or "failed".
const char* end_name(FilmEnd why);

class Film {
 public:
  struct Handlers {
    std::function<void()> on_opened;  // the window is on the wall
    // Called once. error: for kFailed.
    std::function<void(FilmEnd why, const sail::Error& error)> on_finished;
    // Called once, after on_finished. Must not destroy the film within the call.
    std::function<void()> on_gone;
  };
  // library, reservations and wall must outlive the film. The film reserves its read rate before
  // its window opens.
  Film(sail::Loop& loop, uint32_t number, FilmRequest request, const Library& library,
       Reservations& reservations, WallLink& wall, const sail::Log& log, Handlers handlers);

  uint32_t number() const { return number_; }
  const FilmRequest& request() const { return request_; }
  FilmState state() const;
  bool loop() const { return loop_; }
  // The read rate needed at the present playback rate; 0: unknown, so nothing can be promised.
  double mb_per_s() const { return reads_.mb_per_s(rate()); }
  bool best_effort() const { return reads_.best_effort(); }

  // Return false, without effect, while the film is opening or over.
  bool pause();
  bool resume();
  bool seek(double seconds);
  // kBusy: the storage cannot deliver the film at that rate.
  sail::Result<bool> set_rate(double rate);
  void stop() { finish(FilmEnd::kStopped); }
  // Handles an event of the wall; ignores those of other films.
  void obey(const sail_event& event);

  struct Figures {
    uint32_t window = 0;  // 0: not open
    sail::Size size;
    std::string codec;
    int64_t position_ns = 0;
    int64_t duration_ns = 0;  // 0: unknown
    double rate = 1;
    uint64_t frames_sent = 0;
    uint64_t frames_shown = 0;
    uint64_t frames_dropped = 0;  // by this server, libsail and the receivers
    double fps_shown = 0;         // in the last measuring interval
    double mbit_per_s = 0;
  };
  Figures figures() const;
  // Call regularly: updates fps_shown and mbit_per_s.
  void measure(int64_t now_ns);

 private:
  sail::FilmDriver::Program program();
  sail::PlayerOptions player_options(const sail::SourceInfo& info) const;
  sail::Result<bool> show(const sail::Picture& picture);
  sail::Result<void> open_window(const sail::Picture& picture);
  void on_window(sail::Result<sail::Stream> opened);
  void go_on();
  // Applies a request to the player, if the film is playing.
  template <typename Want>
  bool want(const Want& want);
  double rate() const;
  void finish(FilmEnd why, const sail::Error& error = {});
  void release_if_done();

  sail::Loop& turns_;
  const uint32_t number_;
  const FilmRequest request_;
  WallLink& wall_;
  const sail::Log& log_;
  const Handlers handlers_;
  bool loop_;
  sail::Timer timer_;

  enum class Window : uint8_t { kNone, kOpening, kOpen, kClosing, kClosed };
  Window standing_ = Window::kNone;
  sail::WallWindow window_;
  sail::Opening opening_;
  bool finishing_ = false;
  bool colors_checked_ = false;

  FilmReads reads_;
  StreamRates rates_;

  sail::FilmDriver driver_;  // last member: its thread ends before the others are destroyed
};

}  // namespace server
