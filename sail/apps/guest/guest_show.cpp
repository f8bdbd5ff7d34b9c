#include "sail/apps/guest/guest_show.h"

#include <chrono>
#include <utility>

#include "sail/core/time/clock.h"
#include "sail/media/ffmpeg/sound/media_source_sound.h"

namespace sail {
namespace {

constexpr int kMostSoundFailures = 30;  // consecutive packets that cannot be decoded

// Maximum wait for a chunk, and so the maximum delay of events from the wall.
constexpr std::chrono::milliseconds kWaitForChunk(5);

}  // namespace

Result<void> SharedSound::play(const QueuedSound& sound, WallWindow& window) {
  if (!decoder_) {
    auto decoder = OpusDecoder::open();
    if (!decoder) return decoder.error();
    decoder_ = std::move(*decoder);
  }
  const auto samples = decoder_->decode(sound.bytes);
  if (!samples) return ++failures_ < kMostSoundFailures ? Result<void>() : samples.error();
  failures_ = 0;
  if (samples->empty()) return {};
  const auto time = times_.time_of(sound.timestamp_us * 1000, steady_now_ns());
  sail_audio audio{};
  audio.format = SAIL_FLOAT;
  audio.samples = samples->data();
  audio.count = samples->size() / kSoundChannels;
  audio.rate = kSoundRate;
  audio.channels = kSoundChannels;
  audio.at_ns = time.at_ns;
  audio.with_picture = 1;
  audio.restart = time.anew ? 1 : 0;
  // Ignore the result: sound that is late or not wanted is dropped.
  static_cast<void>(window.submit(audio));
  return {};
}

GuestShow::GuestShow(const char* name, const ShellOptions& options, OpenLink open)
    : ProgramShell(name, options), options_(options), open_(std::move(open)) {}

int GuestShow::run() {
  if (const auto begun = begin(); !begun) return give_up(begun.error().message);
  while (!ended_) {
    take_chunks();
    take_sounds();
    hear(0);
    show();
    const auto state = link_->state();
    if (state == GuestLink::State::kNobodyCame) fail_for("timeout: no sender connected");
    if (state == GuestLink::State::kLeft) ended_ = true;
  }
  static_cast<void>(window_.leave());  // close the window first; ending the link may take long
  link_.reset();
  return exit_code_;
}

Result<void> GuestShow::begin() {
  auto link = open_();
  if (!link) return link.error();
  link_ = std::move(*link);
  return session_.open();
}

void GuestShow::take_chunks() {
  auto wait = kWaitForChunk;
  sail::take_chunks(chunks_, GuestLink::kMostChunks,
                    [&] { return link_->take(std::exchange(wait, {})); });
  for (size_t i = begin_of(chunks_); i < chunks_.size() && !ended_; ++i) {
    if (gate_.admit(chunks_[i])) {
      const auto decoded = decode(chunks_[i]);
      if (!decoded && ++failures_ >= kMostFailures) return fail_for(decoded.error().message);
      if (!decoded) gate_.close();
    }
    if (gate_.take_request()) link_->ask_for_key_frame();
  }
}

void GuestShow::take_sounds() {
  for (size_t i = 0; i < GuestLink::kMostSounds && !ended_; ++i) {
    const auto sound = link_->take_sound();
    if (!sound) return;
    if (!window_.wall_has_audio()) continue;
    if (const auto played = sound_.play(*sound, window_); !played) {
      fail_for(played.error().message);
    }
  }
}

Result<void> GuestShow::decode(const QueuedChunk& chunk) {
  if (!decoder_ || format_ != chunk.format) {
    auto decoder = ChunkDecoder::open(chunk.video);
    if (!decoder) return decoder.error();
    decoder_ = std::move(*decoder);
    format_ = chunk.format;
  }
  auto picture = decoder_->decode(chunk.bytes);
  if (!picture) return picture.error();
  if (!*picture) return {};
  failures_ = 0;
  picture_ = std::move(*picture);
  dirty_ = true;
  return {};
}

void GuestShow::show() {
  if (!picture_ || ended_) return;
  const bool first = window_.size() == Size{};
  if (first || window_.settled(picture_->size, kSettleNs)) {
    if (const auto opened = open_window(); !opened) return fail_for(opened.error().message);
  }
  if (!dirty_ || picture_->size != window_.size()) return;
  const sail_status status = window_.submit(*picture_);
  dirty_ = status != SAIL_OK;
  if (status < 0) fail_for("libsail rejected the frame");
}

Result<void> GuestShow::open_window() {
  dirty_ = true;
  Opening opening = opening_for(*picture_, options_.codec);
  fill_in(opening, options_, "Guest");
  return window_.open(opening);
}

void GuestShow::obey(const sail_event& event) {
  if (event.type == SAIL_EVENT_CONNECTED || event.type == SAIL_EVENT_REFRESH) dirty_ = true;
}

void GuestShow::fail_for(const std::string& why) {
  link_->set_close_reason(why);
  give_up(why);
}

}  // namespace sail
