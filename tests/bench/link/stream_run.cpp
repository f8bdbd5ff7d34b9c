#include "tests/bench/link/stream_run.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <thread>

namespace bench {
namespace {

constexpr int64_t kAheadNs = 70'000'000;  // lead time of a group's frames before their presentation

}  // namespace

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
  if (!setup.group.empty()) options.group = setup.group.c_str();
  run->stream_ = run->session_->open(options, &error);
  if (!run->stream_) return sail::fail(sail::ErrorCode::kUnavailable, error);
  run->stream_.watch_frames();
  if (auto reported = run->wait_for_timeline(); !reported) return reported.error();
  return run;
}

sail::Result<void> StreamRun::wait_for_timeline() {
  constexpr int kWaitTimeoutMs = 5000;
  while (!setup_.group.empty() && timeline_at_ns_ == 0) {
    const auto event = session_->poll(kWaitTimeoutMs);
    if (!event) return sail::fail(sail::ErrorCode::kTimeout, "the group has no timeline");
    if (event->type == SAIL_EVENT_TIMELINE) timeline_at_ns_ = event->timeline.at_ns;
  }
  return {};
}

int64_t StreamRun::present_ns(uint64_t frame) const {
  const std::lock_guard lock(presents_mutex_);
  const auto known = presents_.find(frame);
  return known == presents_.end() ? 0 : known->second;
}

std::optional<sail_frame_fate> StreamRun::fate(uint64_t frame) const {
  const std::lock_guard lock(presents_mutex_);
  const auto known = told_.find(frame);
  return known == told_.end() ? std::nullopt : std::optional(known->second);
}

int64_t StreamRun::wait_for_next() {
  const double interval_ns = 1e9 / setup_.fps;
  const int64_t ahead_ns = session_->wall_time() + kAheadNs - timeline_at_ns_;
  const auto soonest = static_cast<int64_t>(std::ceil(static_cast<double>(ahead_ns) / interval_ns));
  last_of_group_ = std::max(last_of_group_ + 1, std::max<int64_t>(soonest, 0));
  const int64_t present_ns =
      timeline_at_ns_ + std::llround(static_cast<double>(last_of_group_) * interval_ns);
  const int64_t wait_ns = present_ns - kAheadNs - session_->wall_time();
  std::this_thread::sleep_for(std::chrono::nanoseconds(std::max<int64_t>(wait_ns, 0)));
  return present_ns;
}

uint64_t StreamRun::submit_for(double seconds, const std::function<void()>& after_each) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  return submit_while([&] { return std::chrono::steady_clock::now() < end; }, after_each);
}

uint64_t StreamRun::submit_while(const std::function<bool()>& more,
                                 const std::function<void()>& after_each) {
  const auto begin = std::chrono::steady_clock::now();
  const int64_t begin_ns = session_->wall_time();
  uint64_t count = 0;
  while (more()) {
    int64_t present_ns = 0;
    int64_t due_ns = 0;
    if (!setup_.group.empty()) {
      due_ns = present_ns = wait_for_next();
    } else if (setup_.fps > 0) {
      due_ns = begin_ns + std::llround(static_cast<double>(count) / setup_.fps * 1e9);
      std::this_thread::sleep_until(
          begin + std::chrono::duration<double>(static_cast<double>(count) / setup_.fps));
    }
    submit(present_ns, due_ns);
    ++count;
    fates();
    after_each();
  }
  return count;
}

void StreamRun::submit(int64_t present_ns, int64_t due_ns) {
  const uint64_t shown = setup_.still ? 1 : last_ + 1;
  sail_frame frame{};
  frame.format = SAIL_BGRA;
  frame.planes[0] = picture_.frame(shown);
  frame.strides[0] = picture_.stride();
  const auto [x, y] = MovingPicture::offset(shown);
  if (yuv_) frame = yuv_->frame(x, y);
  if (setup_.change) setup_.change(frame, shown);
  frame.present_ns = present_ns;
  uint64_t number = 0;
  if (stream_.submit(frame, &number) >= 0) last_ = number;
  const std::lock_guard lock(presents_mutex_);
  if (due_ns != 0) presents_[number] = due_ns;
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
    {
      const std::lock_guard lock(presents_mutex_);
      told_[fate.number] = fate;
    }
    ++(fate.shown ? fates_.shown : fates_.dropped);
    if (!fate.shown) continue;
    fates_.latency_ms.push_back(static_cast<double>(fate.last_swapped_ns - fate.submitted_ns) /
                                1e6);
    fates_.skew_us.push_back(static_cast<double>(fate.last_swapped_ns - fate.first_swapped_ns) /
                             1e3);
    if (const int64_t present_ns = this->present_ns(fate.number); present_ns != 0) {
      fates_.swaps.push_back({present_ns, fate.first_swapped_ns, fate.last_swapped_ns});
    }
  }
  return fates_;
}

const Fates& StreamRun::all_fates(uint64_t submitted) {
  for (int i = 0; i < 50 && fates().shown + fates().dropped < submitted; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return fates_;
}

std::vector<uint64_t> bins(const std::map<int64_t, uint64_t>& bytes_by_ms, int bin_ms) {
  if (bytes_by_ms.empty()) return {};
  const int64_t first_ms = bytes_by_ms.begin()->first;
  const int64_t whole = (bytes_by_ms.rbegin()->first - first_ms + 1) / bin_ms;
  std::vector<uint64_t> sums(static_cast<size_t>(whole));
  for (const auto& [ms, bytes] : bytes_by_ms) {
    const int64_t bin = (ms - first_ms) / bin_ms;
    if (bin < whole) sums[static_cast<size_t>(bin)] += bytes;
  }
  return sums;
}

std::map<int64_t, uint64_t> last_busy(const std::map<int64_t, uint64_t>& bytes_by_ms, int64_t ms) {
  if (bytes_by_ms.empty()) return {};
  uint64_t peak = 0;
  for (const auto& [at_ms, bytes] : bytes_by_ms) peak = std::max(peak, bytes);
  const auto last = std::find_if(bytes_by_ms.rbegin(), bytes_by_ms.rend(),
                                 [&](const auto& entry) { return entry.second > peak / 4; });
  const int64_t end_ms = last->first;
  return {bytes_by_ms.lower_bound(end_ms - ms), bytes_by_ms.lower_bound(end_ms)};
}

double peak_to_mean(const std::vector<uint64_t>& bins) {
  if (bins.empty()) return 0;
  const auto sum = static_cast<double>(std::accumulate(bins.begin(), bins.end(), uint64_t{0}));
  const auto peak = static_cast<double>(*std::max_element(bins.begin(), bins.end()));
  return sum == 0 ? 0 : peak * static_cast<double>(bins.size()) / sum;
}

}  // namespace bench
