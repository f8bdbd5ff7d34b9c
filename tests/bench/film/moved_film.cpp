#include "tests/bench/film/moved_film.h"

#include <algorithm>

#include "sail/core/time/clock.h"

namespace bench {
namespace {

constexpr sail::Size kPicture{640, 360};
constexpr int64_t kFrameNs = 1'000'000'000 / 60;
constexpr int kFramesAMove = 10;
constexpr int kStep = 40;  // wall pixels
constexpr int kFarthest = 800;

}  // namespace

MovedFilm::MovedFilm(std::string manager, sail::RpcClient& client)
    : manager_(std::move(manager)), client_(client) {}

sail::Result<std::unique_ptr<MovedFilm>> MovedFilm::open(const std::string& manager,
                                                         sail::RpcClient& client) {
  std::unique_ptr<MovedFilm> film(new MovedFilm(manager, client));
  if (auto started = film->start(); !started) return started.error();
  return film;
}

sail::Result<void> MovedFilm::start() {
  pixels_.assign(static_cast<size_t>(kPicture.width) * kPicture.height * 4, 0);
  sail_session_options session{};
  session.name = "film";
  session.manager = manager_.c_str();
  session.quiet = 1;
  std::string error;
  session_.emplace(session, &error);
  if (!*session_) return sail::fail(sail::ErrorCode::kUnavailable, error);
  sail_stream_options options{};
  options.title = "moved film";
  options.width = kPicture.width;
  options.height = kPicture.height;
  options.codec = "dxt1:fast";
  options.place = {0, 0, kPicture.width, kPicture.height};
  stream_ = session_->open(options, &error);
  if (!stream_) return sail::fail(sail::ErrorCode::kUnavailable, error);
  stream_.watch_frames();
  return {};
}

sail::Result<void> MovedFilm::play_for(double seconds) {
  const int64_t begin_ns = sail::steady_now_ns();
  const auto end_ns = begin_ns + static_cast<int64_t>(seconds * 1e9);
  int frames = 0;
  for (int64_t due_ns = begin_ns; due_ns < end_ns; due_ns += kFrameNs) {
    attend(due_ns);
    submit();
    if (++frames % kFramesAMove == 0 && !move_) {
      if (auto moved = move(); !moved) return moved;
    }
  }
  return {};
}

sail::Result<void> MovedFilm::move() {
  next_x_ = (next_x_ + kStep) % kFarthest;
  there_ = false;
  move_ = Move{.sent_ns = sail::steady_now_ns(), .x = next_x_};
  const auto answer = client_.call("move", {{"window", stream_.id()}, {"x", next_x_}, {"y", 0}});
  if (!answer) return answer.error();
  return {};
}

void MovedFilm::submit() {
  std::fill(pixels_.begin(), pixels_.end(), static_cast<uint8_t>(pixels_[0] + 1));
  sail_frame frame{};
  frame.format = SAIL_BGRA;
  frame.planes[0] = pixels_.data();
  frame.strides[0] = ptrdiff_t{kPicture.width} * 4;
  uint64_t number = 0;
  if (stream_.submit(frame, &number) == SAIL_OK && move_ && there_ && move_->frame == 0) {
    move_->frame = number;
  }
}

void MovedFilm::attend(int64_t until_ns) {
  for (;;) {
    const int64_t left_ms = (until_ns - sail::steady_now_ns()) / 1'000'000;
    const auto event = session_->poll(static_cast<int>(std::max<int64_t>(left_ms, 0)));
    if (!event) {
      if (left_ms <= 0) return;
      continue;
    }
    if (!move_) continue;
    if (event->type == SAIL_EVENT_RESIZE && event->rect.x == move_->x) there_ = true;
    if (event->type != SAIL_EVENT_FRAME || move_->frame == 0) continue;
    if (event->frame.number < move_->frame || event->frame.shown == 0) continue;
    command_to_pixel_ms_.push_back(
        static_cast<double>(event->frame.last_swapped_ns - move_->sent_ns) / 1e6);
    move_.reset();
  }
}

}  // namespace bench
