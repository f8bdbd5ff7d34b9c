#include "ui/bridge/region_window.h"

#include <algorithm>
#include <utility>

#include "sail/core/time/clock.h"

namespace ui {
namespace {

constexpr int64_t kRegionPumpNs = 20'000'000;
constexpr int64_t kReopenNs = 2'000'000'000;
constexpr int kSoundRate = 48'000;
constexpr int kSoundChannels = 2;
constexpr int64_t kMostSoundNs = 500'000'000;  // at a time; more is left out
constexpr int64_t kCheckSoundNs = 10 * sail::kSecondNs;
constexpr uint64_t kManyLate = 100;  // pieces of sound in kCheckSoundNs; few are normal

}  // namespace

RegionWindow::RegionWindow(sail::Session& session, Options options, RegionInput& input,
                           receiver::SoundFeed& sound, std::function<void(Wish)> on_wish,
                           const sail::Log& log)
    : session_(session),
      options_(std::move(options)),
      input_(input),
      sound_(sound),
      on_wish_(std::move(on_wish)),
      log_(log),
      display_(receiver::make_null_window_system()) {
  sound_.begin(kSoundRate, kSoundChannels);
}

sail::Result<void> RegionWindow::open(const std::vector<sail::TileInfo>& tiles) {
  if (tiles.size() != 1) {
    return sail::fail(sail::ErrorCode::kBadData, "this wall gives a bridge more than one region");
  }
  size_ = receiver::upright_size(tiles.front());
  wall_rect_ = tiles.front().wall_rect;
  return display_->open(tiles);
}

void RegionWindow::present(size_t tile, std::span<const sail::Rect> damage) {
  display_->present(tile, damage);
  ++counts_.received;
  if (!far_ || far_size_ != size_) {
    counts_.dropped += std::exchange(waits_, true) ? 1 : 0;
    return;
  }
  submit(false);
}

void RegionWindow::submit(bool again) {
  const receiver::Canvas panel = display_->panel(0);
  sail_frame frame{};
  frame.format = SAIL_BGRA;
  frame.planes[0] = panel.target.pixels;
  frame.strides[0] = panel.target.stride;
  frame.again = again ? 1 : 0;
  const bool sent = far_.submit(frame) == SAIL_OK;
  if (std::exchange(waits_, false) || !again) ++(sent ? counts_.sent : counts_.dropped);
}

receiver::Display::Request RegionWindow::pump() {
  while (const auto event = session_.poll()) take(*event);
  pass_sound();
  if (closed_) return receiver::Display::Request::kQuit;
  const bool wanted = size_.width > 0 && (!far_ || far_size_ != size_);
  if (wanted && sail::steady_now_ns() >= open_after_ns_) open_stream();
  return receiver::Display::Request::kNothing;
}

int64_t RegionWindow::pump_every_ns() const {
  return kRegionPumpNs;
}

void RegionWindow::pass(std::vector<Wish> wishes) {
  for (Wish& wish : wishes) on_wish_(std::move(wish));
}

// On a way that is longer than the near wall's delay, all sound comes after its time.
void RegionWindow::report_late_sound(int64_t now_ns) {
  if (now_ns < check_sound_at_ns_) return;
  check_sound_at_ns_ = now_ns + kCheckSoundNs;
  const uint64_t late = sound_.left_out();
  if (late - std::exchange(late_sound_, late) < kManyLate) return;
  log_.warning(
      "sound of this wall comes too late for '{}' and is left out: the way from this wall to "
      "the bridge is too long",
      options_.title);
}

// The near wall plays the sound at the time at which it shows the pictures.
void RegionWindow::pass_sound() {
  if (!sound_.promised()) return;
  const int64_t now_ns = sail::steady_now_ns();
  report_late_sound(now_ns);
  if (now_ns - heard_until_ns_ > kMostSoundNs) heard_until_ns_ = now_ns - kRegionPumpNs;
  const int64_t count = (now_ns - heard_until_ns_) * kSoundRate / sail::kSecondNs;
  samples_.resize(static_cast<size_t>(count) * kSoundChannels);
  if (samples_.empty()) return;
  const int64_t heard_ns = heard_until_ns_;
  sound_.read(samples_, heard_ns, heard_ns);
  heard_until_ns_ += count * sail::kSecondNs / kSoundRate;
  if (!far_ || std::ranges::all_of(samples_, [](float sample) { return sample == 0; })) return;
  (void)far_.submit({.format = SAIL_FLOAT,
                     .samples = samples_.data(),
                     .count = static_cast<size_t>(count),
                     .rate = kSoundRate,
                     .channels = kSoundChannels,
                     .at_ns = std::max<int64_t>(session_.wall_time() + heard_ns - now_ns, 0),
                     .with_picture = 1,
                     .restart = 0});
}

void RegionWindow::take(const sail_event& event) {
  if (event.type == SAIL_EVENT_DISCONNECTED) pass(input_.leave());
  if (log_session_event(event, options_.at, log_) || event.stream != far_.get()) return;
  pass(input_.wishes_of(event, {.wall_rect = wall_rect_, .look = {}, .frame_size = size_}));
  if (event.type == SAIL_EVENT_REFRESH && far_size_ == size_) submit(true);
  if (event.type == SAIL_EVENT_CLOSE) {
    pass(input_.leave());
    closed_ = true;
    log_.info("'{}' was closed on the far wall", options_.title);
  }
}

void RegionWindow::open_stream() {
  sail_stream_options options{};
  options.title = options_.title.c_str();
  options.codec = options_.codec.empty() ? nullptr : options_.codec.c_str();
  options.width = size_.width;
  options.height = size_.height;
  options.replaces = far_.get();
  options.takes_input = options_.takes_input ? 1 : 0;
  std::string error;
  sail::Stream stream = session_.open(options, &error);
  if (!stream) {
    open_after_ns_ = sail::steady_now_ns() + kReopenNs;
    if (std::exchange(trouble_, error) == error) return;
    return log_.error("'{}' cannot be opened on the far wall at {}: {}; trying again",
                      options_.title, options_.at, error);
  }
  log_.info("'{}' is window {} of the far wall: {}×{}", options_.title, stream.id(), size_.width,
            size_.height);
  const sail::Stream former = std::exchange(far_, std::move(stream));
  far_size_ = size_;
  trouble_.clear();
  submit(true);
}

}  // namespace ui
