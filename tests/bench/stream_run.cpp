#include "tests/bench/stream_run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

namespace bench {

double percentile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const double rank = std::ceil(share * static_cast<double>(values.size()));
  return values[static_cast<size_t>(std::max(rank, 1.0)) - 1];
}

StreamRun::StreamRun(const StreamSetup& setup, const MovingPicture& picture)
    : setup_(setup), picture_(picture) {
  if (setup.yuv) yuv_.emplace(picture.whole(), picture.stride(), picture.whole_size());
}

sail::Result<std::unique_ptr<StreamRun>> StreamRun::open(const StreamSetup& setup,
                                                         const BenchWall& wall,
                                                         const MovingPicture& picture) {
  std::unique_ptr<StreamRun> run(new StreamRun(setup, picture));
  sail_session_options session_options{};
  session_options.name = "bench";
  session_options.manager = wall.manager_address().c_str();
  session_options.encode_threads = setup.encode_threads;
  std::string error;
  run->session_.emplace(session_options, &error);
  if (!*run->session_) return sail::fail(sail::ErrorCode::kUnavailable, error);
  sail_stream_options options{};
  options.title = "bench";
  options.width = setup.size.width;
  options.height = setup.size.height;
  options.codec = setup.codec.c_str();
  options.transport = setup.transport.c_str();
  options.delay_ms = setup.delay_ms;
  options.place = {setup.x, setup.y, setup.size.width, setup.size.height};
  options.wait_when_full = setup.fps == 0 ? 1 : 0;
  options.fps = setup.fps;
  run->stream_ = run->session_->open(options, &error);
  if (!run->stream_) return sail::fail(sail::ErrorCode::kUnavailable, error);
  run->stream_.watch_frames();
  return run;
}

uint64_t StreamRun::submit_for(double seconds, const std::function<void()>& after_each) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  return submit_while([&] { return std::chrono::steady_clock::now() < end; }, after_each);
}

uint64_t StreamRun::submit_while(const std::function<bool()>& more,
                                 const std::function<void()>& after_each) {
  const auto begin = std::chrono::steady_clock::now();
  uint64_t count = 0;
  while (more()) {
    if (setup_.fps > 0) {
      std::this_thread::sleep_until(
          begin + std::chrono::duration<double>(static_cast<double>(count) / setup_.fps));
    }
    submit();
    ++count;
    fates();
    after_each();
  }
  return count;
}

void StreamRun::submit() {
  const uint64_t shown = setup_.still ? 1 : last_ + 1;
  sail_frame frame{};
  frame.format = SAIL_BGRA;
  frame.planes[0] = picture_.frame(shown);
  frame.strides[0] = picture_.stride();
  const auto [x, y] = MovingPicture::offset(shown);
  if (yuv_) frame = yuv_->frame(x, y);
  uint64_t number = 0;
  if (stream_.submit(frame, &number) >= 0) last_ = number;
}

void StreamRun::forget() {
  fates();
  fates_ = {};
  first_counted_ = last_ + 1;
}

const Fates& StreamRun::fates() {
  while (const auto event = session_->poll()) {
    if (event->type != SAIL_EVENT_FRAME || event->frame.number < first_counted_) continue;
    const sail_frame_fate& fate = event->frame;
    ++(fate.shown ? fates_.shown : fates_.dropped);
    if (!fate.shown) continue;
    fates_.latency_ms.push_back(static_cast<double>(fate.last_swapped_ns - fate.submitted_ns) /
                                1e6);
    fates_.skew_us.push_back(static_cast<double>(fate.last_swapped_ns - fate.first_swapped_ns) /
                             1e3);
  }
  return fates_;
}

const Fates& StreamRun::all_fates(uint64_t submitted) {
  for (int i = 0; i < 50 && fates().shown + fates().dropped < submitted; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return fates_;
}

}  // namespace bench
