#include "receiver/sound/sound_player.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "sail/core/base/environment.h"

namespace receiver {
namespace {

constexpr int kTryAgainS = 10;

}  // namespace

SoundPlayer::SoundPlayer(sail::Loop& loop, const sail::WallClock& clock, const sail::Log& log,
                         OnLevels on_levels)
    : loop_(loop), clock_(clock), log_(log), on_levels_(std::move(on_levels)), meters_(loop) {}

SoundPlayer::~SoundPlayer() {
  if (opener_.joinable()) opener_.join();
}

void SoundPlayer::set(const sail::SoundMix& mix) {
  if (!mix.metered) {
    meters_.stop();
  } else if (!mix_ || !mix_->metered) {
    constexpr int64_t kReportMs = 1000 / SoundMixer::kMetersPerSecond;
    meters_.start(kReportMs, kReportMs, [this] { report_levels(); });
  }
  const bool other_card = !mix_ || mix_->device != mix.device || mix_->channels != mix.channels;
  mix_ = mix;
  latency_ns_ = int64_t{mix.latency_ms} * 1'000'000;
  feed_.set(mix);
  if (other_card) open_card();
}

void SoundPlayer::open_card() {
  if (std::exchange(opening_, true)) return;
  card_.reset();
  feed_.begin(SoundCard::kRate, mix_->channels);
  card_clock_.emplace(SoundCard::kRate);
  feed_.set(*mix_);
  if (opener_.joinable()) opener_.join();  // the thread has already ended
  opener_ = std::thread([this, device = mix_->device, channels = mix_->channels] {
    sail::name_this_thread("sound-opener");
    opened_.push(SoundCard::open(device, channels, [this](std::span<float> out) { fill(out); }));
    loop_.post([this] { take_card(); });
  });
}

void SoundPlayer::take_card() {
  auto opened = opened_.pop();
  if (!opened) return;
  opening_ = false;
  seconds_without_ = 0;
  const std::string trouble = *opened ? "" : opened->error().message;
  if (trouble != trouble_) {
    trouble.empty() ? log_.info("sound: a sound card is available")
                    : log_.warning("{}; this node does not play the wall's sound", trouble);
  }
  trouble_ = trouble;
  if (*opened) card_ = **std::move(opened);
}

void SoundPlayer::play(uint32_t stream, const sail::Sound& sound) {
  if (card_ != nullptr) feed_.add(stream, sound);
}

// Audio thread.
void SoundPlayer::fill(std::span<float> out) {
  const int64_t now_ns = clock_.wall_now_ns();
  // One buffer is playing while this one is requested.
  const int64_t asked_ns = card_clock_->next(now_ns, SoundCard::kSamples);
  constexpr int64_t kBufferNs = int64_t{SoundCard::kSamples} * 1'000'000'000 / SoundCard::kRate;
  feed_.read(out, now_ns, asked_ns + kBufferNs + latency_ns_);
  off_ns_ = std::max<int64_t>(off_ns_, feed_.off_ns());
}

void SoundPlayer::report_levels() {
  const sail::SoundLevels levels{.levels = feed_.take_levels()};
  const bool was_silent = std::exchange(is_silent_, levels.levels.empty());
  if (!is_silent_ || !was_silent) on_levels_(levels);
}

std::optional<sail::SoundStats> SoundPlayer::stats() {
  if (!mix_) return std::nullopt;
  if (card_ && card_->disconnected()) {
    trouble_ = "the sound card has disappeared";
    log_.warning("{}; this node does not play the wall's sound", trouble_);
    card_.reset();
  }
  if (!card_ && !opening_ && ++seconds_without_ >= kTryAgainS) open_card();
  return sail::SoundStats{.trouble = trouble_,
                          .skipped = feed_.left_out(),
                          .off_ms = static_cast<double>(off_ns_.exchange(0)) / 1e6};
}

}  // namespace receiver
