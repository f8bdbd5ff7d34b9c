#include "sail/apps/play/sound_thread.h"

#include <chrono>
#include <cstdlib>
#include <optional>
#include <utility>

#include "sail/apps/play/film_sound.h"
#include "sail/core/base/environment.h"
#include "sail/core/time/clock.h"

namespace sail {
namespace {

constexpr std::chrono::milliseconds kStep(FilmSound::kMaxStepMs / 2);
constexpr std::chrono::hours kUntilSomethingIsWanted(1);
constexpr int64_t kResendNs = kSecondNs / 20;
constexpr int64_t kJumpNs = kSecondNs / 100;

}  // namespace

bool Loudspeakers::exist() {
  std::call_once(tried_, [this] {
    auto opened = open_();
    exist_ = opened.has_value();
    opened ? recycle(std::move(*opened))
           : log_.info("no sound is heard: {}", opened.error().message);
  });
  return exist_;
}

std::unique_ptr<SoundDevice> Loudspeakers::take() {
  auto free = free_.pop();
  return free ? std::move(*free) : nullptr;
}

// --- the player's thread -------------------------------------------------------------------------

SoundThread::SoundThread(Open open, int track, Loudspeakers& loudspeakers, const Log& log)
    : loudspeakers_(loudspeakers),
      log_(log),
      wanted_(track),
      opened_(track),
      thread_([this, open = std::move(open)] { run(open); }) {}

SoundThread::~SoundThread() {
  stop();
  thread_.join();
}

void SoundThread::follow(int64_t position_ns, double volume) {
  const Wish now{Wish::Kind::kFollow, position_ns, steady_now_ns(), volume};
  const int64_t passed_ns = now.at_ns - told_.at_ns;
  const bool unchanged = told_.kind == now.kind && told_.volume == volume &&
                         std::abs(told_.position_ns + passed_ns - position_ns) < kJumpNs;
  if (!unchanged || passed_ns >= kResendNs) wish(now);
}

void SoundThread::be_silent() {
  if (told_.kind == Wish::Kind::kFollow) wish({.kind = Wish::Kind::kSilence});
}

void SoundThread::choose(int track) {
  wanted_ = track;
  wish(told_);  // wakes the thread
}

void SoundThread::stop() {
  wish({.kind = Wish::Kind::kStop});
}

void SoundThread::wish(const Wish& wish) {
  if (told_.kind == Wish::Kind::kStop) return;
  told_ = wish;
  wishes_.push(wish);
}

// --- the sound's thread --------------------------------------------------------------------------

void SoundThread::run(const Open& open) {
  name_this_thread("film sound");
  auto sound = open(opened_);
  if (!sound) {
    const bool none = sound.error().code == ErrorCode::kNotFound && opened_ == kUsualSoundTrack;
    log_.write(none ? LogLevel::kDebug : LogLevel::kWarning, sound.error().message);
  }
  if (sound && loudspeakers_.exist()) {
    note_tracks(**sound);
    audible_ = true;
    if (!(*sound)->other_tracks().empty()) log_.info("{}", (*sound)->other_tracks());
    (*sound)->live() ? play_live(**sound) : play(open, std::move(*sound));
  }
  ended_ = true;
}

void SoundThread::note_tracks(const MediaSound& sound) {
  if (sound.tracks().empty()) return;
  if (tracks_.empty()) tracks_ = sound.tracks();
  track_ = sound.track();
}

std::unique_ptr<MediaSound> SoundThread::open_other(const Open& open) {
  if (wanted_ == opened_) return nullptr;
  opened_ = wanted_;
  auto sound = open(opened_);
  if (!sound) {
    log_.warning("{}; the sound stays as it is", sound.error().message);
    return nullptr;
  }
  note_tracks(**sound);
  return std::move(*sound);
}

void SoundThread::play(const Open& open, std::unique_ptr<MediaSound> sound) {
  std::unique_ptr<SoundDevice> device;
  std::optional<FilmSound> playing;
  Wish wish;
  for (;;) {
    const bool follows = wish.kind == Wish::Kind::kFollow;
    if (auto next = follows ? wishes_.pop(kStep) : wishes_.pop(kUntilSomethingIsWanted)) {
      wish = *next;
    }
    if (wish.kind == Wish::Kind::kStop) break;
    if (auto other = open_other(open)) {
      sound = std::move(other);
      playing.reset();
    }
    if (wish.kind != Wish::Kind::kFollow) {
      if (playing) playing->stop();
      continue;
    }
    if (!device) device = loudspeakers_.take();
    if (device && !playing) playing.emplace(std::move(sound), *device);
    const int64_t passed_ns = steady_now_ns() - wish.at_ns;
    if (playing) playing->follow(wish.position_ns + passed_ns, wish.volume);
  }
  playing.reset();
  if (device) loudspeakers_.recycle(std::move(device));
}

// Sound that is not played is read, too, so that no delay builds up.
void SoundThread::play_live(MediaSound& sound) {
  std::unique_ptr<SoundDevice> device;
  std::optional<LiveSound> playing;
  Wish wish;
  while (wish.kind != Wish::Kind::kStop) {
    auto samples = sound.next();
    if (!samples) {
      log_.warning("the sound input has ended");
      break;
    }
    if (auto next = wishes_.pop()) wish = *next;
    if (wish.kind != Wish::Kind::kFollow) {
      if (playing) playing->stop();
      continue;
    }
    if (!device && (device = loudspeakers_.take())) playing.emplace(*device);
    if (playing) playing->play(std::move(*samples), wish.volume, steady_now_ns());
  }
  playing.reset();
  if (device) loudspeakers_.recycle(std::move(device));
}

}  // namespace sail
