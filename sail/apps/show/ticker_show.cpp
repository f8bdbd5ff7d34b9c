#include "sail/apps/show/ticker_show.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "sail/apps/show/fetched_files.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"
#include "sail/media/source/source.h"

namespace sail {
namespace {

constexpr int kMostWaitMs = 100;
constexpr int kDrawingMs = 4;  // polling interval while the strip is drawn
constexpr std::chrono::seconds kTickerEnds{2};
constexpr Size kUsualTicker{1920, 72};  // without --place
constexpr int kLeastTickerWidth = 16;

// Larger windows show the frame scaled up.
Size ticker_size(Size wanted) {
  return {std::clamp(wanted.width, kLeastTickerWidth, kMaxFrameSide),
          std::clamp(wanted.height, kLeastTickerHeight, kMostTickerHeight)};
}

}  // namespace

std::string title_of_ticker(const TickerMedium& medium) {
  const bool reads = !ticker_source(ticker_text(medium)).empty();
  return make_plain_text(reads ? name_of(medium.content) : medium.content, kMaxTitleLength);
}

TickerShow::TickerShow(const ShellOptions& options, const TickerMedium& medium)
    : ProgramShell("vitrail-show", options),
      options_(options),
      medium_(medium),
      pace_(medium.speed),
      reader_(medium) {}

int TickerShow::run() {
  if (begin()) {
    while (!ended_) {
      attend();
      if (auto answer = reader_.take()) take(std::move(*answer));
      follow_size();
      if (!ended_) show_next();
    }
  } else {
    exit_code_ = EXIT_FAILURE;
  }
  // A file system that does not answer cannot be interrupted.
  if (!reader_.end(kTickerEnds)) std::_Exit(exit_code_);
  return exit_code_;
}

// The window opens when there is a text.
bool TickerShow::begin() {
  if (const auto opened = session_.open(); !opened) {
    give_up(opened.error().message);
    return false;
  }
  const auto& place = options_.place;
  const bool sized = place && !place->empty();
  const Size size = ticker_size(sized ? Size{place->width, place->height} : kUsualTicker);
  reader_.draw_for(size.height);
  while (!strip_ && !ended_) {
    if (auto answer = reader_.take(std::chrono::milliseconds(kMostWaitMs))) {
      take(std::move(*answer));
    }
    if (signals_.arrived()) ended_ = true;
  }
  if (ended_) return false;
  if (const auto opened = open_window(size); !opened) {
    give_up(opened.error().message);
    return false;
  }
  return true;
}

Result<void> TickerShow::open_window(Size size) {
  Opening opening{.title = {}, .codec = options_.codec, .size = ticker_size(size)};
  fill_in(opening, options_, title_of_ticker(medium_));
  opening.fps = pace_.fps();
  opening.keep_shape = false;
  opening.content = {{ticker_text(medium_)}, "vitrail-show", false};
  if (auto opened = window_.open(opening); !opened) return opened;
  frame_ = Raster(window_.size());
  last_frame_ = 0;
  if (strip_->height() != frame_.size.height) reader_.draw_for(frame_.size.height);
  return {};
}

void TickerShow::follow_size() {
  const Size size = window_.picture_size();
  if (ended_ || size.width == 0 || !window_.settled(ticker_size(size), kSettleNs)) return;
  if (const auto opened = open_window(size); !opened) give_up(opened.error().message);
}

// Frames follow one another: a refresh needs no frame of its own.
void TickerShow::obey(const sail_event& /*event*/) {}

void TickerShow::take(TickerReader::Answer answer) {
  if (!answer.strip) {
    const std::string& words = answer.strip.error().message;
    if (strip_) {
      log_.warning("{}; the last text stays", words);
    } else {
      give_up(words);
    }
    return;
  }
  if (!answer.notice.empty()) log_.warning("{}", answer.notice);
  strip_ = *std::move(answer.strip);
  first_frame_ = 0;
}

void TickerShow::attend() {
  if (last_frame_ == 0 || !is_drawn_for_window()) return hear(kDrawingMs);
  const int64_t due_ns = pace_.present_ns(last_frame_ + 1) - pace_.ahead_ns();
  const int64_t left_ms = (due_ns - session_.wall_now_ns()) / kMillisecondNs + 1;
  hear(static_cast<int>(std::clamp<int64_t>(left_ms, 0, kMostWaitMs)));
}

void TickerShow::show_next() {
  if (!is_drawn_for_window()) return;
  const int64_t frame = pace_.frame_at(session_.wall_now_ns() + pace_.ahead_ns());
  // A new stream has no earlier times.
  const bool jumped_back = frame + pace_.fps() < last_frame_;
  if (jumped_back) {
    if (const auto opened = open_window(frame_.size); !opened) give_up(opened.error().message);
    return;
  }
  if (frame <= last_frame_) return;
  if (first_frame_ == 0) first_frame_ = frame;
  if (last_frame_ != 0) window_.skip(static_cast<uint64_t>(frame - last_frame_ - 1));
  last_frame_ = frame;
  strip_->copy((frame - first_frame_) * pace_.step(), frame_);
  Picture picture;
  picture.size = frame_.size;
  picture.pixels.format = SAIL_BGRA;
  picture.pixels.planes[0] = frame_.bgra.data();
  picture.pixels.strides[0] = ptrdiff_t{frame_.size.width} * 4;
  window_.present_at(pace_.present_ns(frame));
  rejected_ = window_.submit(picture) < 0 ? rejected_ + 1 : 0;
  if (rejected_ > pace_.fps()) give_up("libsail rejected the frames");
}

}  // namespace sail
