#include "receiver/sound/sound_feed.h"

#include <utility>

namespace receiver {

void SoundFeed::begin(int rate, int channels) {
  mixer_ = std::make_unique<SoundMixer>(rate, channels);
}

void SoundFeed::add(uint32_t stream, const sail::Sound& sound) {
  Piece piece{stream, sound, {sound.samples.begin(), sound.samples.end()}};
  if (pieces_.push(std::move(piece))) ++left_out_;
}

void SoundFeed::read(std::span<float> out, int64_t now_ns, int64_t heard_ns) {
  if (auto mix = mixes_.pop()) mixer_->set(*mix);
  while (auto piece = pieces_.pop()) {
    piece->sound.samples = piece->samples;
    if (!mixer_->add(piece->stream, piece->sound, now_ns)) ++left_out_;
  }
  mixer_->read(out, heard_ns);
}

}  // namespace receiver
