// One film on its way from storage to a wall: takes its pictures from a FilmReader and submits them
// as they are when the Player says so. A film is over for people when it says finished, and may
// be destroyed when it says gone: its file is closed and its window has left the wall.
//
// Thread: the loop's. Once it runs a picture costs no memory but libsail's copy; kAhead pictures,
// the one in hand and the one on the wall are held.
#pragma once

#include <sail/sail.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sail/base/log.h"
#include "sail/media/player.h"
#include "sail/net/loop.h"
#include "sail/server/film_reader.h"
#include "sail/server/wall_link.h"
#include "sail/wire/transport_options.h"

namespace server {

struct PlayRequest {
  std::string title;
  std::string window_title;  // empty: the title without its folders
  std::string manager;       // HOST:PORT
  std::string url;           // by which bplay asks for it again; empty: unknown
  WindowPlace place;
  bool loop = false;
  bool hold = false;  // the last picture stays until the window is closed
  bool paused = false;
  double start_s = 0;
  double rate = 1;
  std::optional<double> fps;
  sail::TransportOptions transport{};
  bool attached = false;  // ends with the session that asked for it
};

enum class FilmState : uint8_t { kOpening, kPlaying, kPaused, kEnding };
// Why a film is over.
enum class FilmEnd : uint8_t { kEnded, kClosed, kStopped, kFailed };

class Film {
 public:
  struct Handlers {
    std::function<void()> on_opened;  // its window is on the wall
    // Once; error: of kFailed.
    std::function<void(FilmEnd why, const sail::Error& error)> on_finished;
    // Once, after on_finished; not to destroy the film in it.
    std::function<void()> on_gone;
  };
  // wall outlives the film.
  Film(sail::Loop& loop, uint32_t number, PlayRequest request, FilmReader::Open open,
       WallLink& wall, const sail::Log& log, Handlers handlers);

  uint32_t number() const { return number_; }
  const PlayRequest& request() const { return request_; }
  FilmState state() const;
  bool loop() const { return loop_; }
  bool owns(const sail_stream* stream) const { return stream_ != nullptr && stream_ == stream; }

  // False while it is opening or over: then nothing happens.
  bool pause();
  bool resume();
  bool seek(double seconds);
  bool set_rate(double rate);
  bool set_loop(bool loop);
  void stop() { finish(FilmEnd::kStopped); }
  // The event must be of this film's stream.
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
  static constexpr size_t kAhead = 3;

  void on_answer(FilmReader::Answer answer);
  void on(FilmReader::Opened opened);
  void on(FilmReader::Read read);
  void on(FilmReader::Sought sought);
  void on(const FilmReader::Complaint& complaint);
  void on(FilmReader::Ended);
  void on_stream(sail::Result<sail_stream*> opened);

  // Goes on as far as it can now.
  void step();
  bool take_picture();
  bool submit_picture();
  void wait_until(int64_t steady_ns);
  void seek_source(int64_t position_ns);
  void forget_pictures();
  void ask_for_pictures();
  void open_window(const sail::Picture& picture);
  bool same_window(const sail::Picture& picture) const;
  sail_status submit(const sail::Picture& picture);
  void tell_playback();
  void spend(sail::Picture picture);
  void finish(FilmEnd why, const sail::Error& error = {});
  void release_if_done();

  const uint32_t number_;
  const PlayRequest request_;
  WallLink& wall_;
  const sail::Log& log_;
  const Handlers handlers_;

  std::optional<sail::Player> player_;  // once the file is open
  int64_t duration_ns_ = 0;
  bool loop_;
  sail::Timer timer_;
  std::deque<std::optional<sail::Picture>> ready_;  // read ahead; nothing: the film's end
  std::optional<sail::Picture> in_hand_;
  std::optional<sail::Picture> shown_;  // the one on the wall
  std::vector<sail::Picture> spent_;    // go back to the reader
  size_t asked_ = 0;                    // pictures that the reader has not answered
  bool end_read_ = false;               // there is nothing behind what is ready
  std::optional<int64_t> seeking_ns_;   // what the reader was asked
  bool refresh_due_ = false;

  enum class Window : uint8_t { kNone, kOpening, kOpen, kClosing, kClosed } window_ = Window::kNone;
  sail_stream* stream_ = nullptr;
  StreamRequest shape_;

  bool finishing_ = false;
  bool reader_ended_ = false;

  int64_t measured_ns_ = 0;
  sail_stream_stats measured_{};
  double fps_shown_ = 0;
  double mbit_per_s_ = 0;

  FilmReader reader_;  // last: its thread ends before the pictures go
};

}  // namespace server
