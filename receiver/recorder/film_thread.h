// Writes a film while others go on: a thread takes pictures from a few places, each filled by who
// samples the wall. Where all of them wait to be written a picture is left out, which the film's
// times show as a longer stay of the one before, to the end. The wall's sound, if there is any, it
// reads as pictures come.
//
// A file that cannot be written ends it. Where a film goes that is seen live, it is tried again
// with growing pauses, and pictures are lost meanwhile.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "receiver/recorder/film_sound.h"
#include "receiver/recorder/film_writer.h"
#include "sail/base/mailbox.h"

namespace receiver {

class FilmThread {
 public:
  // sound: what the wall plays, mixed for films; outlives this.
  FilmThread(FilmOptions options, SoundFeed& sound, const sail::Log& log);
  ~FilmThread();
  FilmThread(const FilmThread&) = delete;
  FilmThread& operator=(const FilmThread&) = delete;

  // --- the thread that samples
  // Pictures have that size. Once. An error says why a file cannot be written.
  sail::Result<void> begin(sail::Size size);
  // The instant of the first picture's index, 0, steady time. Once, before it.
  void begins_at(int64_t steady_ns) { begins_ns_ = steady_ns; }
  // A picture to be shown from index on; `fill` writes its pixels, size.width * 4 bytes a row.
  // Without `fill` it is the one before. False: it is left out.
  template <typename Fill>
  bool add(int64_t index, const Fill& fill);
  bool add_same(int64_t index);
  // There is no picture before: it takes one with `fill`.
  bool wants_picture() const { return wants_picture_.load(std::memory_order_acquire); }
  // It is over for good: end() says why.
  bool failed() const { return failed_.load(std::memory_order_acquire); }
  // What still waits is written, and the film is whole.
  sail::Result<void> end();

 private:
  struct Place {
    std::vector<uint8_t> pixels;
    int64_t index = 0;
    bool same = false;
  };
  using PlaceRef = std::unique_ptr<Place>;

  void run();
  void write(const Place& place);
  // What is heard before the picture of that index.
  void hear_before(int64_t index);
  void try_to_open();
  void give_up(const sail::Error& why);

  static constexpr size_t kPlaces = 4;

  FilmOptions options_;
  SoundFeed& sound_feed_;
  const sail::Log log_;
  sail::Size size_;
  int64_t begins_ns_ = 0;
  std::optional<FilmSound> sound_;    // the thread's
  int64_t next_index_ = 0;            // likewise: of the picture after the last
  int64_t end_index_ = 0;             // the sampling thread's until the end: of the picture after
                                      // the last, whether that was left out or not
  std::unique_ptr<FilmWriter> film_;  // the thread's, once it runs; null: there is none at present
  std::chrono::milliseconds pause_;
  std::chrono::steady_clock::time_point retry_at_{};
  sail::Result<void> result_;
  sail::Mailbox<PlaceRef> free_{kPlaces};
  sail::Mailbox<PlaceRef> full_{kPlaces + 1};  // null: the end
  std::atomic<bool> wants_picture_{true};
  std::atomic<bool> failed_{false};
  std::atomic<bool> ending_{false};
  std::atomic<int64_t> patience_ns_{0};  // steady: when a network is waited for no longer
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
