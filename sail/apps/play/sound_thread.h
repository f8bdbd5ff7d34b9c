// Opens, reads and decodes a video's sound on its own thread. A slow file delays the sound but no
// picture. The player only reports the playback position.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "sail/apps/play/film_sound.h"
#include "sail/core/base/log.h"
#include "sail/core/base/mailbox.h"

namespace sail {

// The loudspeakers, used by one video at a time. Callable from any thread.
class Loudspeakers {
 public:
  using Open = std::function<Result<std::unique_ptr<SoundDevice>>()>;
  Loudspeakers(Open open, const Log& log) : open_(std::move(open)), log_(log) {}
  // Returns true if the device exists. The first call opens it; other threads wait for that.
  bool exist();
  // Returns null if another video has the device.
  std::unique_ptr<SoundDevice> take();
  void recycle(std::unique_ptr<SoundDevice> device) { free_.push(std::move(device)); }

 private:
  const Open open_;
  const Log& log_;
  std::once_flag tried_;
  std::atomic<bool> exist_{false};
  Mailbox<std::unique_ptr<SoundDevice>> free_{1};
};

class SoundThread {
 public:
  // track: see parse_sound_track().
  using Open = std::function<Result<std::unique_ptr<MediaSound>>(int track)>;
  // Opens at once. loudspeakers and log must outlive this object.
  SoundThread(Open open, int track, Loudspeakers& loudspeakers, const Log& log);
  // Waits for the thread to end.
  ~SoundThread();
  SoundThread(const SoundThread&) = delete;
  SoundThread& operator=(const SoundThread&) = delete;

  // Returns true once there is sound to play; never becomes false again.
  bool audible() const { return audible_; }
  // The number of the track that is played, as MediaSound::track(); kUsualSoundTrack: there is no
  // sound to play yet, or no choice.
  int track() const { return track_; }
  // The file's tracks; only if track() is not kUsualSoundTrack.
  const std::vector<SoundTrackFacts>& tracks() const { return tracks_; }
  // Plays another track from the present position on. If there is no such track, the log says so,
  // and the sound continues.
  void choose(int track);
  // Call often: the video is at this position and playing at normal speed. volume: 0 to 1. Live
  // sound is played as it arrives.
  void follow(int64_t position_ns, double volume);
  // The video is paused or plays at another speed.
  void be_silent();
  // Closes the file and returns the loudspeakers as soon as the current operation ends.
  void stop();
  bool ended() const { return ended_; }

 private:
  struct Wish {
    enum class Kind : uint8_t { kSilence, kFollow, kStop } kind = Kind::kSilence;
    int64_t position_ns = 0;
    int64_t at_ns = 0;  // steady time at which the video was at position_ns
    double volume = 1;
  };

  void wish(const Wish& wish);
  void run(const Open& open);
  void note_tracks(const MediaSound& sound);
  void play(const Open& open, std::unique_ptr<MediaSound> sound);
  // The sound of another wanted track; null: nothing else is wanted, or it cannot be opened.
  std::unique_ptr<MediaSound> open_other(const Open& open);
  void play_live(MediaSound& sound);

  Loudspeakers& loudspeakers_;
  const Log& log_;
  Wish told_;
  std::atomic<bool> audible_{false};
  std::atomic<bool> ended_{false};
  std::atomic<int> wanted_;                // track
  int opened_;                             // track that was tried last; of the sound's thread
  std::vector<SoundTrackFacts> tracks_{};  // written once, before track_
  std::atomic<int> track_{kUsualSoundTrack};
  Mailbox<Wish> wishes_{1};  // only the newest counts
  std::thread thread_;
};

}  // namespace sail
