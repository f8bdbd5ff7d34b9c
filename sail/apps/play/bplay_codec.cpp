// bplay's choice of the codec: how pictures are sent with --codec auto, and changes while a video
// plays.
#include <fmt/format.h>

#include <string>
#include <utility>

#include "sail/apps/play/bplay.h"
#include "sail/apps/play/film_opening.h"
#include "sail/core/time/clock.h"
#include "sail/core/wire/data/codec_name.h"

namespace sail {
namespace {

constexpr int64_t kMinuteNs = 60 * kSecondNs;

bool is_420(const Picture& picture) {
  const auto format = picture.pixels.format;
  return !picture.compressed && (format == SAIL_I420 || format == SAIL_NV12);
}

}  // namespace

// --- the rule of --codec auto --------------------------------------------------------------------
//
// 1. If several receivers show the video, all on this host, the video is decoded once, here. Each
//    of them would decode all of it.
// 2. Else the video is sent undecoded, if it can be, and receivers decode it in time.
// 3. Decoded pictures in 8-bit YUV 4:2:0 are sent as they are, if all receivers read this host's
//    memory; all others are encoded.

bool Bplay::may_carry() const {
  return chooses_codec_ && !memory_watch_.several() && !carried_tries_.waits();
}

const std::string& Bplay::codec_for(const Picture& picture) const {
  return chooses_codec_ && memory_watch_.shared() && is_420(picture) ? memory_codec_ : codec_;
}

std::string Bplay::reason_for(const Picture& picture) const {
  const std::string memory = is_420(picture) ? memory_watch_.reason() : "";
  if (!chooses_codec_ || memory.empty()) return codec_reason_;
  return codec_reason_.empty() ? memory : codec_reason_ + "; " + memory;
}

// --- what changes while a video plays ------------------------------------------------------------

bool Bplay::shows_carried() const {
  const Picture* shown = film_ ? film_->shown() : nullptr;
  return shown != nullptr && shown->compressed && codecs::is_carried(shown->compressed->codec.id);
}

void Bplay::watch_codec() {
  if (!chooses_codec_ || player() == nullptr) return;
  const int64_t now_ns = steady_now_ns();
  const Picture* shown = film_->shown();
  const bool changed = memory_watch_.update(now_ns);
  // The next picture opens the new stream.
  if (changed && shown != nullptr && is_420(*shown)) say(LogLevel::kInfo, memory_watch_.reason());
  if (shows_carried()) {
    watch_carried(now_ns);
  } else if (now_->place == decoded_place_ && player()->moving() && !memory_watch_.several() &&
             (!carried_tries_.waits() || carried_tries_.due(now_ns))) {
    decoded_place_.reset();
    carried_tries_.begin(now_ns);
    open_again(film_title(films_[now_->place]) + " is sent undecoded again");
  }
}

void Bplay::watch_carried(int64_t now_ns) {
  const std::string& film = films_[now_->place];
  // A live source would be interrupted.
  if (memory_watch_.several() && player()->moving() && !film_->info().live) {
    decoded_place_ = now_->place;
    codec_reason_ = "the film is decoded once for all receivers, which are on this host";
    return open_again(film_title(film) + ": " + codec_reason_);
  }
  if (!carried_watch_.too_slow(window_.stats(), now_ns)) return;
  // The films of a group are late together.
  const char* others = film_->follows() && !options_.start_at_ns ? " or a film of its group" : "";
  decode_here(fmt::format("receivers cannot decode {}{} in time", film_title(film), others));
}

void Bplay::decode_here(const std::string& why) {
  const int64_t pause_ns = carried_tries_.fail(steady_now_ns());
  decoded_place_ = now_->place;
  codec_reason_ = fmt::format("{}; the film is decoded here, and sent undecoded again after {} min",
                              why, pause_ns / kMinuteNs);
  open_again(codec_reason_);
}

void Bplay::open_again(const std::string& why) {
  again_at_ns_ = film_->info().live ? 0 : player()->position_ns(steady_now_ns());
  if (film_->shown() != nullptr) keeps_time_ = film_->follows();
  if (next_) let_go(*std::exchange(next_, std::nullopt));
  say(LogLevel::kInfo, why);
}

void Bplay::choose_codec() {
  if (options_.part) {
    return say(LogLevel::kWarning,
               "the bands of a film are cut out of decoded pictures: choose their codec");
  }
  codec_ = ShellOptions().codec;
  codec_given_ = false;
  chooses_codec_ = true;
  carried_tries_ = {};
  memory_watch_ = {};
  window_.watch_links();
  if (player() != nullptr && !shows_carried()) {
    open_again("the codec is chosen again: the film is sent undecoded if that is possible");
  }
}

// Applies from the next picture on. Videos that are sent as stored keep their codec.
void Bplay::change_codec(const std::string& codec) {
  if (codec == kCarriedIfPossible) return choose_codec();
  const auto spec = parse_codec_spec(codec);
  if (!spec) return;
  const Picture* shown = film_ ? film_->shown() : nullptr;
  const auto format = static_cast<codecs::PixelFormat>(shown ? shown->pixels.format : 0);
  if (!codecs::is_j2k(spec->codec.id) && codecs::is_for_j2k_only(format)) {
    say(LogLevel::kWarning,
        fmt::format(
            "{} does not support this film's bit depth or chroma: restart bplay with --codec {}",
            codec_name(spec->codec), codec));
    return;
  }
  const bool carried = shows_carried();
  if (shown != nullptr && shown->compressed && !carried) {
    say(LogLevel::kWarning,
        fmt::format("the film is sent as stored, in {}: restart bplay with --codec {} if it is not "
                    "a .vmov film",
                    codec_name(shown->compressed->codec), codec));
  }
  codec_ = codec;
  codec_given_ = true;
  chooses_codec_ = false;
  if (next_) let_go(*std::exchange(next_, std::nullopt));  // was opened for the previous codec
  if (carried) open_again("the codec was changed; the film is decoded here");
  codec_reason_.clear();
  if (film_) film_->refresh();
}

}  // namespace sail
