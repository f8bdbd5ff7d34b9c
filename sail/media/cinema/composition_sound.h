// The sound of a film of several reels. One thread at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/media/cinema/package.h"
#include "sail/media/ffmpeg/sound/media_source_sound.h"

namespace sail {

class CompositionSound : public MediaSound {
 public:
  // Opens every reel's sound once, so that unusable ones fail here. kNotFound: the film has no
  // sound. Errors begin with a name.
  static Result<std::unique_ptr<MediaSound>> open(const std::string& name);

  // Nothing is returned for reels without sound.
  std::optional<Samples> next() override;
  bool live() const override { return false; }
  const std::vector<SoundTrackFacts>& tracks() const override { return tracks_; }
  int track() const override { return kUsualSoundTrack; }
  const std::string& other_tracks() const override { return other_tracks_; }
  bool seek(int64_t position_ns) override;

 private:
  explicit CompositionSound(std::vector<PackagePart> parts) : parts_(std::move(parts)) {}
  // Opens a part; the next samples are then those of this film time. False if it is unusable.
  bool turn_to(size_t number, int64_t position_ns);
  // Returns the end of the part, or the beginning of the next part if that is earlier.
  int64_t end_ns(size_t number) const;
  // Moves the samples to film time and cuts them to the part.
  void place(Samples& samples) const;

  const std::vector<PackagePart> parts_;
  const std::vector<SoundTrackFacts> tracks_;  // always empty
  const std::string other_tracks_;             // always empty
  size_t number_ = 0;                 // index of the part; parts_.size(): after the last part
  std::unique_ptr<MediaSound> part_;  // null: not open
};

}  // namespace sail
