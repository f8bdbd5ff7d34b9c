#include "sail/media/ffmpeg/live_source.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "sail/core/text/text.h"

namespace sail {

Result<std::unique_ptr<Source>> LiveSource::open(Open open, Options options, bool patient) {
  auto first = open();
  if (first ? !(*first)->info().reconnects : !patient) return first;
  std::unique_ptr<LiveSource> live(new LiveSource(std::move(open), std::move(options)));
  if (first) {
    live->source_ = *std::move(first);
  } else {
    live->note(LogLevel::kWarning, first.error().message);
    if (!live->open_again()) return first;
  }
  live->info_ = live->source_->info();
  return std::unique_ptr<Source>(std::move(live));
}

LiveSource::LiveSource(Open open, Options options)
    : open_(std::move(open)),
      options_(std::move(options)),
      pause_(options_.first_pause),
      tried_at_(std::chrono::steady_clock::now()) {}

Result<std::optional<Picture>> LiveSource::next() {
  for (;;) {
    if (!source_ && !open_again()) return std::nullopt;
    auto picture = source_->next();
    if (picture && *picture) {
      pause_ = options_.first_pause;
      return picture;
    }
    const auto why = picture ? source_->take_complaint() : picture.error().message;
    note(LogLevel::kDebug, why.value_or(options_.name + ": the sender has ended the stream"));
    source_.reset();  // frees resources that only one source can hold: a port, a device
    if (interrupted()) return std::nullopt;
  }
}

bool LiveSource::open_again() {
  for (;;) {
    // The time that a failed attempt took counts towards the pause.
    if (!wait_until(tried_at_ + pause_)) return false;
    pause_ = std::min(2 * pause_, options_.longest_pause);
    tried_at_ = std::chrono::steady_clock::now();
    auto opened = open_();
    if (interrupted()) return false;
    if (!opened) {
      note(LogLevel::kDebug, opened.error().message);
      continue;
    }
    if (!(*opened)->info().reconnects) return false;  // it has become a recording
    source_ = std::move(*opened);
    if (subtitles_) static_cast<void>(source_->choose_subtitles(*subtitles_));
    return true;
  }
}

bool LiveSource::wait_until(std::chrono::steady_clock::time_point instant) const {
  constexpr std::chrono::milliseconds kAskEvery(20);
  while (std::chrono::steady_clock::now() < instant) {
    if (interrupted()) return false;
    std::this_thread::sleep_for(kAskEvery);
  }
  return !interrupted();
}

void LiveSource::note(LogLevel level, const std::string& sentence) const {
  if (options_.log) options_.log->write(level, without_passwords(sentence) + "; connecting again");
}

Result<void> LiveSource::seek(int64_t position_ns) {
  if (!source_) return fail(ErrorCode::kUnavailable, "the live source is not connected");
  return source_->seek(position_ns);
}

Result<void> LiveSource::choose_subtitles(const SubtitleChoice& choice) {
  subtitles_ = choice;
  return source_ ? source_->choose_subtitles(choice) : Result<void>();
}

std::optional<std::string> LiveSource::take_complaint() {
  return source_ ? source_->take_complaint() : std::nullopt;
}

}  // namespace sail
