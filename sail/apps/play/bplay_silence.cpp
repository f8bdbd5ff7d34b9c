// bplay while its live source sends nothing.
#include <fmt/format.h>

#include <string>
#include <utility>

#include "sail/apps/play/bplay.h"
#include "sail/apps/play/test_card.h"
#include "sail/core/command_line/shared_options.h"
#include "sail/core/time/clock.h"
#include "sail/core/wire/content.h"

namespace sail {
namespace {

// A live source that cannot be opened within this time is said to be awaited, and replaced by the
// fallback.
constexpr int64_t kOpensWithinNs = 2 * kSecondNs;
constexpr Size kUsualCard{1280, 720};

// "card" means a test card of the source's size, so that the window keeps its size.
std::string fallback_name(const std::string& wanted, Size picture) {
  if (wanted != "card") return wanted;
  const Size size = picture == Size{} ? kUsualCard : picture;
  return fmt::format("test:{}x{}@1", size.width, size.height);
}

std::string waiting_text(const std::string& film) {
  return fmt::format("waiting for {}{}: no frame received yet",
                     awaits_sender(film) ? "a sender at " : "", film);
}

}  // namespace

void Bplay::attend_silence() {
  int64_t since_s = film_->silent_since_s();
  const int64_t opening_ns = steady_now_ns() - opened_ns_;
  const bool awaited = !options_.fallback.empty() || awaits_sender(now_->name);
  if (player() == nullptr && awaited && opening_ns > kOpensWithinNs) {
    since_s = silent_since_s_ != 0 ? silent_since_s_ : (calendar_now_ns() - opening_ns) / kSecondNs;
  }
  if (since_s == 0) return end_silence();
  if (std::exchange(silent_since_s_, since_s) == 0) {
    say(LogLevel::kWarning, player() == nullptr
                                ? waiting_text(now_->name)
                                : fmt::format("{}: no signal; connecting again", now_->name));
  }
  if (!show_fallback() || std::exchange(fallback_shown_, true)) return;
  film_->tell();
  if (player() != nullptr) return;
  sail_playback playback{};
  playback.live = playback.fallback = 1;
  playback.silent_since_s = since_s;
  window_.tell(playback);
}

// Returns true if the fallback is on the wall.
bool Bplay::show_fallback() {
  if (options_.fallback.empty()) return false;
  if (!fallback_) {
    const std::string name = fallback_name(options_.fallback, window_.size());
    FilmDriver::Program program = reading(name);
    program.show = [this](const Picture& picture) { return show(now_->name, picture); };
    program.begin = [](const SourceInfo& info) {
      PlayerOptions options;
      options.loop = true;
      options.live = info.live;
      options.jumps = info.jumps;
      return options;
    };
    fallback_ = Film{.name = name,
                     .driver = std::make_unique<FilmDriver>(window_, std::move(program)),
                     .sound = nullptr};
  }
  FilmDriver& fallback = *fallback_->driver;
  const bool was_over = fallback.over();
  while (fallback.take_answer()) continue;
  if (!fallback.over()) fallback.step();
  if (!was_over && fallback.over() && !fallback.end()) {
    say(LogLevel::kWarning, "cannot show the fallback: " + fallback.end().error().message);
  }
  return fallback.shown() != nullptr && !fallback.over();
}

void Bplay::end_silence() {
  if (std::exchange(silent_since_s_, 0) == 0) return;
  fallback_shown_ = false;
  if (film_) {
    const char* what = film_->shown() == nullptr ? "receiving frames" : "receiving frames again";
    say(LogLevel::kInfo, fmt::format("{}: {}", now_->name, what));
  }
  if (fallback_) let_go(*std::exchange(fallback_, std::nullopt));
}

}  // namespace sail
