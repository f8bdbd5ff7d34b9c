// Writes a film on its own thread. The sampling thread fills a few picture buffers. If all of them
// wait to be written, a frame is skipped and the previous one lasts longer, so the film's timing
// stays correct. The wall's sound, if any, is read as pictures arrive.
//
// A file that cannot be written ends the recording, as does a live destination that is wrong or
// refuses the stream at the first try. Otherwise a live destination is retried with growing pauses,
// and frames are dropped meanwhile. Frames are dropped before they are encoded, so viewers can
// decode all that is sent.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "receiver/recorder/film_writer.h"
#include "receiver/sound/sound_mixer.h"
#include "sail/core/base/mailbox.h"

namespace receiver {

// The wall's sound for a recording, from the film's beginning, synchronized with its pictures.
//
// Not thread-safe.
class FilmSound {
 public:
  // begins_ns: start of the film; steady time, as in the feed. The feed must outlive this object.
  FilmSound(SoundFeed& feed, double fps, int64_t begins_ns);

  // Returns the next samples before `sample`, interleaved, at most a tenth of a second; empty:
  // there are no more. Valid until the next call.
  std::span<const float> read_before(int64_t sample);
  // Returns the film's index of the next sample.
  int64_t next_sample() const { return next_sample_; }

 private:
  SoundFeed& feed_;
  const int64_t begins_ns_;
  int64_t next_sample_ = 0;
  std::vector<float> samples_;
};

// Figures of a live stream since its first picture.
struct LiveFigures {
  int64_t sent = 0;     // frames
  int64_t dropped = 0;  // frames, because the destination was away or something was too slow
  int connections = 0;
};
// "120 pictures sent, 3 dropped, 1 reconnect"
std::string figures_text(const LiveFigures& figures);

class FilmThread {
 public:
  // sound: the wall's sound, mixed for recording; must outlive this object.
  FilmThread(FilmOptions options, SoundFeed& sound, const sail::Log& log);
  // Without end(): abandons a live destination at once, even while FFmpeg waits for it.
  ~FilmThread();
  FilmThread(const FilmThread&) = delete;
  FilmThread& operator=(const FilmThread&) = delete;

  // --- sampling thread
  // Sets the picture size and opens the file. Call once. Returns an error if the file cannot be
  // written.
  sail::Result<void> begin(sail::Size size);
  // Sets the time of frame 0, in steady time. Call once, before the first frame.
  void begins_at(int64_t steady_ns) { begins_ns_ = steady_ns; }
  // Adds a picture to be shown from frame `index` on; `fill` writes its pixels, size.width * 4
  // bytes a row. add_same() repeats the previous picture. Return false if the frame is skipped.
  template <typename Fill>
  bool add(int64_t index, const Fill& fill);
  bool add_same(int64_t index);
  // Returns true if there is no previous picture: the next must be added with `fill`.
  bool wants_picture() const { return wants_picture_.load(std::memory_order_acquire); }
  // Returns true if the recording failed permanently; end() returns the error.
  bool failed() const { return failed_.load(std::memory_order_acquire); }
  // Writes the waiting pictures and completes the film. Live: fails if nothing was ever sent.
  sail::Result<void> end();
  // After end().
  const LiveFigures& figures() const { return figures_; }

 private:
  struct Place {
    std::vector<uint8_t> pixels;
    int64_t index = 0;
    bool same = false;
  };
  using PlaceRef = std::unique_ptr<Place>;

  void run();
  void write(const Place& place);
  // Returns true if the picture was written.
  bool put(const Place& place);
  void drop_waiting();
  void report();
  // Writes the sound before the frame with this index.
  void receive_sound_before(int64_t index);
  void try_to_open();
  void give_up(const sail::Error& why);
  bool ending() const { return end_timeout_ns_ != kNotEnding; }

  static constexpr size_t kPlaces = 4;
  static constexpr int64_t kNotEnding = std::numeric_limits<int64_t>::max();

  FilmOptions options_;
  SoundFeed& sound_feed_;
  const sail::Log log_;
  sail::Size size_;
  int64_t begins_ns_ = 0;
  std::optional<FilmSound> sound_;    // used only on the film's thread
  LiveFigures figures_;               // film's thread
  int64_t reported_dropped_ = 0;      // film's thread
  int64_t next_index_ = 0;            // film's thread: index after the last picture
  int64_t end_index_ = 0;             // sampling thread's until end(): index after the last frame
  std::unique_ptr<FilmWriter> film_;  // used by the film's thread once it runs; null: not open
  std::chrono::milliseconds pause_;
  std::chrono::steady_clock::time_point retry_at_{};
  std::chrono::steady_clock::time_point report_at_{};
  sail::Result<void> result_;
  sail::Mailbox<PlaceRef> free_{kPlaces};
  sail::Mailbox<PlaceRef> full_{kPlaces + 1};  // null ends the thread
  std::atomic<bool> wants_picture_{true};
  std::atomic<bool> failed_{false};
  // Steady times; FFmpeg stops waiting for the network at the earlier one.
  std::atomic<int64_t> wait_timeout_ns_{0};          // deadline of each write of the film's thread
  std::atomic<int64_t> end_timeout_ns_{kNotEnding};  // deadline of the end, set by the sampling
                                                     // thread
  std::thread thread_;
};

template <typename Fill>
bool FilmThread::add(int64_t index, const Fill& fill) {
  end_index_ = index + 1;
  auto place = free_.pop();
  if (!place) return false;
  fill((*place)->pixels.data());
  (*place)->index = index;
  (*place)->same = false;
  full_.push(*std::move(place));
  return true;
}

}  // namespace receiver
