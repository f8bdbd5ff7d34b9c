// One film on its way from storage to a wall: its pictures go as they are stored. A film is over
// for people when it says finished, and may be destroyed when it says gone: its file is closed and
// its window has left the wall. Thread: the loop's.
#pragma once

#include <sail/sail.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "sail/base/log.h"
#include "sail/net/loop.h"
#include "sail/program/film_driver.h"
#include "sail/program/wall_window.h"
#include "sail/server/wall_link.h"
#include "sail/wire/transport.h"

namespace server {

struct FilmRequest {
  std::string title;
  std::string window_title;         // empty: the title without its folders
  std::string manager;              // HOST:PORT
  std::string url;                  // by which bplay asks for it again; empty: unknown
  std::optional<sail::Rect> place;  // without a size the film's own; nothing: the manager chooses
  bool loop = false;
  bool hold = false;  // the last picture stays until the window is closed
  bool paused = false;
  double start_s = 0;
  double rate = 1;
  std::optional<double> fps;
  sail::TransportOptions transport{};
  bool attached = false;     // ends with the session that asked for it
  bool best_effort = false;  // nothing is promised to it
};

enum class FilmState : uint8_t { kOpening, kPlaying, kPaused, kEnding };
// Why a film is over.
enum class FilmEnd : uint8_t { kEnded, kClosed, kStopped, kFailed };

class Film {
 public:
  // Tells also how many bytes there are of it.
  using Open = std::function<sail::Result<std::unique_ptr<sail::Source>>(uint64_t& bytes)>;
  struct Handlers {
    // What it needs is known, and its window is to be opened; an error ends it.
    std::function<sail::Result<void>()> admit;
    std::function<void()> on_opened;  // its window is on the wall
    // Once; error: of kFailed.
    std::function<void(FilmEnd why, const sail::Error& error)> on_finished;
    // Once, after on_finished; not to destroy the film in it.
    std::function<void()> on_gone;
  };
  // wall outlives the film. open: called by a thread of the film's.
  Film(sail::Loop& loop, uint32_t number, FilmRequest request, Open open, WallLink& wall,
       const sail::Log& log, Handlers handlers);

  uint32_t number() const { return number_; }
  const FilmRequest& request() const { return request_; }
  FilmState state() const;
  bool loop() const { return loop_; }
  // What has to be read for it at that rate; 0: unknown, and nothing can be promised to it.
  double mb_per_s_at(double rate) const { return mb_per_s_ * rate; }
  double mb_per_s() const { return mb_per_s_at(rate()); }
  bool best_effort() const { return request_.best_effort || mb_per_s_ <= 0; }
  bool admitted() const { return admitted_; }

  // False while it is opening or over: then nothing happens.
  bool pause();
  bool resume();
  bool seek(double seconds);
  bool set_rate(double rate);
  bool set_loop(bool loop);
  void stop() { finish(FilmEnd::kStopped); }
  // An event of its wall; nothing happens when it is another film's.
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
    uint64_t frames_dropped = 0;  // here and on their way
    double fps_shown = 0;         // lately
    double mbit_per_s = 0;
  };
  Figures figures() const;
  // Once in a while, for what is shown lately.
  void measure(int64_t now_ns);

 private:
  sail::FilmDriver::Program program(Open open);
  sail::PlayerOptions player_options(const sail::SourceInfo& info) const;
  sail::Result<bool> show(const sail::Picture& picture);
  sail::Result<void> open_window(const sail::Picture& picture);
  void on_window(sail::Result<sail::Stream> opened);
  void go_on();
  // What is wanted of a film that plays.
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

  uint64_t bytes_ = 0;  // the reader's thread's, before it says that the film is open
  double mb_per_s_ = 0;
  bool admitted_ = false;

  int64_t measured_ns_ = 0;
  sail_stream_stats measured_{};
  double fps_shown_ = 0;
  double mbit_per_s_ = 0;

  sail::FilmDriver driver_;  // last: its thread ends before the rest goes
};

}  // namespace server
