#include "tests/bench/codec/timing.h"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>

#include "tests/bench/codec/picture.h"

namespace bench {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double thread_cpu_s() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double median(std::vector<double>& values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Memory twice the size of the last-level cache, read to evict everything else.
class CacheFiller {
 public:
  CacheFiller(sail::WorkerPool& pool, bool wanted) : pool_(pool), memory_(wanted ? size() : 0) {}

  void fill() {
    constexpr size_t kPiece = size_t{1} << 20;
    constexpr size_t kLine = 64;
    pool_.for_each(memory_.size() / kPiece, [&](size_t piece) {
      uint8_t sum = 0;
      const uint8_t* from = memory_.data() + piece * kPiece;
      for (size_t i = 0; i < kPiece; i += kLine) sum = static_cast<uint8_t>(sum + from[i]);
      sum_.fetch_add(sum, std::memory_order_relaxed);  // keeps the compiler from removing the loop
    });
  }

 private:
  static size_t size() {
    constexpr size_t kLeast = size_t{64} << 20, kMost = size_t{256} << 20;
    const long cache = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return std::clamp(cache > 0 ? 2 * static_cast<size_t>(cache) : kLeast, kLeast, kMost);
  }

  sail::WorkerPool& pool_;
  Buffer memory_;
  std::atomic<unsigned> sum_{0};
};

struct Samples {
  std::vector<double> alone;
  std::vector<double> together;
};

}  // namespace

std::vector<Timing> time_candidates(
    const std::vector<Candidate>& candidates, sail::WorkerPool& pool, const Rounds& rounds,
    const std::function<void(int round, double seconds)>& progress) {
  CacheFiller caches(pool, rounds.fill_caches);
  std::vector<Samples> samples(candidates.size());
  const Clock::time_point begin = Clock::now();
  for (int round = 0; round < rounds.least || since(begin) < rounds.seconds; ++round) {
    for (size_t i = 0; i < candidates.size(); ++i) {
      caches.fill();
      const double cpu_before = thread_cpu_s();
      candidates[i].work.alone();
      samples[i].alone.push_back(thread_cpu_s() - cpu_before);
      if (pool.threads() == 0) continue;
      caches.fill();
      const Clock::time_point start = Clock::now();
      candidates[i].work.together(pool);
      samples[i].together.push_back(since(start));
    }
    progress(round + 1, since(begin));
  }
  std::vector<Timing> timings;
  timings.reserve(samples.size());
  for (Samples& sample : samples) {
    timings.push_back({median(sample.alone), median(sample.together)});
  }
  return timings;
}

}  // namespace bench
