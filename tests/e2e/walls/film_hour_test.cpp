// An hour of a film with sound in virtual time: player, manager, receiver, display and sound card
// have independent clocks. The code that keeps time, schedules frames and plays sound is real; the
// test checks the actual times of frames and sound.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <random>
#include <vector>

#include "receiver/sound/sound_card.h"
#include "receiver/sound/sound_mixer.h"
#include "sail/client/sync/swap_plan.h"
#include "sail/core/routing/cadence.h"
#include "sail/core/time/clock_sync.h"
#include "tests/unit/sail/core/base/simulated_clocks.h"

namespace test {
namespace {

using sail::kSecondNs;

constexpr int64_t kMsNs = 1'000'000;
constexpr int64_t kHourNs = 3600 * kSecondNs;
constexpr int64_t kAheadNs = 70 * kMsNs;  // lead time of submitted pictures
constexpr int64_t kSentNs = 10 * kMsNs;   // latency until the receiver has a picture
constexpr int64_t kBeginsNs = 3 * kSecondNs;
constexpr int kRate = 8000;
constexpr size_t kSamples = 128;  // per request of the card
constexpr int64_t kPieceNs = kSecondNs / 10;
constexpr uint32_t kStream = 7;

// A machine whose clock follows the manager's.
class Machine {
 public:
  Machine(const sail::SimulatedClock& clock, const sail::SimulatedClock& manager)
      : clock_(clock), manager_(manager) {
    sync_.begin_session(clock_.at(0));
  }
  void exchange(int64_t true_ns, std::mt19937_64& random) {
    const sail::SimulatedWay way{.least_us = 120, .jitter_us = 60, .queued = 0.1, .queue_us = 2000};
    const int64_t there_ns = true_ns + way.delay_ns(random);
    const int64_t back_ns = there_ns + way.delay_ns(random);
    sync_.add(clock_.at(true_ns), manager_.at(there_ns), clock_.at(back_ns));
  }
  const sail::ClockLine& line() const { return sync_.line(); }
  int64_t steady_ns(int64_t true_ns) const { return clock_.at(true_ns); }
  int64_t wall_ns(int64_t true_ns) const { return line().to_wall_ns(clock_.at(true_ns)); }
  // Returns the true time at which the clock shows this time.
  int64_t true_ns(int64_t steady_ns) const {
    int64_t true_ns = steady_ns - clock_.at(0);
    for (int i = 0; i < 4; ++i) true_ns += steady_ns - clock_.at(true_ns);
    return true_ns;
  }

 private:
  const sail::SimulatedClock clock_;
  const sail::SimulatedClock& manager_;
  sail::ClockSync sync_;
};

// The sound has a click at each whole second of the film.
std::vector<uint8_t> samples(int64_t from_ns) {
  std::vector<uint8_t> bytes;
  for (int64_t i = 0; i < kPieceNs * kRate / kSecondNs; ++i) {
    const bool click = (from_ns * kRate / kSecondNs + i) % kRate == 0;
    const auto value = static_cast<uint16_t>(click ? 29'000 : 0);
    bytes.push_back(static_cast<uint8_t>(value));
    bytes.push_back(static_cast<uint8_t>(value >> 8));
  }
  return bytes;
}

struct Speeds {
  double fps = 0;
  double refresh_hz = 0;
  double player_ppm = 0;
  double receiver_ppm = 0;
  double card_ppm = 0;
};

class FilmHour {
 public:
  explicit FilmHour(const Speeds& speeds)
      : interval_ns_(1e9 / speeds.fps),
        refresh_ns_(1e9 / speeds.refresh_hz * (1 + speeds.receiver_ppm * 1e-6)),
        sample_ns_(1e9 / kRate / (1 + speeds.card_ppm * 1e-6)),
        player_(wandering(5 * kHourNs, speeds.player_ppm), manager_),
        receiver_(wandering(90 * kHourNs, speeds.receiver_ppm), manager_),
        plan_(false, interval_ns_) {
    mixer_.set({.streams = {{.stream = kStream, .secret = 1, .volume = 1, .pan = 0}}});
    const uint32_t member = 1;
    plan_.route(1, {&member, 1}, 0);
    for (int i = 0; i < 8; ++i) meet(0);
  }

  void play() {
    for (int64_t k = 0;; ++k) {
      const double asked_ns = static_cast<double>(k * int64_t{kSamples}) * sample_ns_;
      const auto now_ns = static_cast<int64_t>(asked_ns);
      if (now_ns > kBeginsNs + kHourNs) return;
      if (now_ns / kSecondNs != met_s_) meet(now_ns);
      submit_pictures(now_ns);
      submit_sound(now_ns);
      hear(now_ns + static_cast<int64_t>(random_() % 4000) * 1000, asked_ns);
    }
  }
  int64_t worst_ns() const { return worst_ns_; }  // error of picture, sound and their sync
  int clicks() const { return clicks_; }
  size_t pictures() const { return seen_.size(); }

 private:
  static sail::SimulatedClock wandering(int64_t start_ns, double ppm) {
    sail::SimulatedClock clock(start_ns, ppm);
    clock.wander(0.8);
    return clock;
  }
  void meet(int64_t now_ns) {
    met_s_ = now_ns / kSecondNs;
    player_.exchange(now_ns, random_);
    receiver_.exchange(now_ns, random_);
  }
  // By the manager's clock, which is exact.
  int64_t film_begins_ns() const { return manager_.at(kBeginsNs); }

  void submit_pictures(int64_t now_ns) {
    for (;; ++picture_) {
      const double film_ns = static_cast<double>(picture_ - 1) * interval_ns_;
      const int64_t present_ns = film_begins_ns() + std::llround(film_ns);
      const int64_t due_ns = player_.line().to_steady_ns(present_ns);
      if (player_.true_ns(due_ns - kAheadNs + kSentNs) > now_ns) return;
      const int64_t steady_ns = due_ns - kAheadNs + kSentNs;
      plan_.add(picture_, due_ns, present_ns);
      const sail::FrameReady ready{
          .frame = picture_, .epoch = 1, .render_ns = 3 * kMsNs, .refresh = refresh(now_ns)};
      plan_.ready(1, ready, steady_ns);
      if (plan_.take_settled()) {
        plan_.take_effect(1, picture_, due_ns, steady_ns);
        see({.frame = picture_, .epoch = 1, .at_ns = due_ns});
      }
      for (const sail::SwapPlan::Show& show : plan_.shows()) see(show);
      plan_.clear_shows();
    }
  }
  // The display's refresh as the receiver reports it, converted to the sender's clock.
  sail::Refresh refresh(int64_t now_ns) const {
    const int64_t at_ns =
        static_cast<int64_t>(std::floor(static_cast<double>(now_ns) / refresh_ns_) * refresh_ns_);
    return {.at_ns = player_.line().to_steady_ns(receiver_.wall_ns(at_ns)),
            .period_ns = static_cast<uint32_t>(std::lround(refresh_ns_)),
            .spread_ns = 0};
  }
  void see(const sail::SwapPlan::Show& show) {
    const int64_t wall_ns = player_.line().to_wall_ns(show.at_ns);
    const int64_t swap_ns = receiver_.true_ns(receiver_.line().to_steady_ns(wall_ns));
    seen_[show.frame] =
        static_cast<int64_t>(std::ceil(static_cast<double>(swap_ns) / refresh_ns_) * refresh_ns_);
  }

  void submit_sound(int64_t now_ns) {
    for (; kBeginsNs + sent_ns_ < now_ns + kSecondNs / 4; sent_ns_ += kPieceNs) {
      const auto bytes = samples(sent_ns_);
      const sail::Sound sound{
          .at_ns = film_begins_ns() + sent_ns_, .rate = kRate, .channels = 1, .samples = bytes};
      mixer_.add(kStream, sound, receiver_.wall_ns(now_ns));
    }
  }
  void hear(int64_t now_ns, double asked_ns) {
    const int64_t wall_ns = card_.next(receiver_.wall_ns(now_ns), kSamples);
    mixer_.read(out_, wall_ns + static_cast<int64_t>(kSamples) * kSecondNs / kRate);
    for (size_t i = 0; i < kSamples; ++i) {
      const double at_ns = asked_ns + static_cast<double>(kSamples + i) * sample_ns_;
      if (out_[i] > peak_) {
        peak_ = out_[i];
        peak_ns_ = at_ns;
      }
      if (peak_ < 0.5 || at_ns < peak_ns_ + 3e8) continue;
      compare(peak_ns_ - static_cast<double>(kBeginsNs));
      peak_ = 0;
    }
  }
  // Compares a click with the picture of the same second.
  void compare(double heard_ns) {
    ++clicks_;
    const double click_ns = std::round(heard_ns / 1e9) * 1e9;
    const auto number = static_cast<uint64_t>(std::llround(click_ns / interval_ns_)) + 1;
    const auto seen = seen_.find(number);
    ASSERT_NE(seen, seen_.end()) << number;
    const double film_ns = static_cast<double>(number - 1) * interval_ns_;
    const double late_ns = static_cast<double>(seen->second - kBeginsNs) - film_ns;
    // Compares sound with picture, and each with the film's time.
    for (const double off_ns : {heard_ns - click_ns - late_ns, heard_ns - click_ns, late_ns}) {
      worst_ns_ = std::max<int64_t>(worst_ns_, std::lround(std::abs(off_ns)));
    }
  }

  const double interval_ns_;
  const double refresh_ns_;
  const double sample_ns_;
  const sail::SimulatedClock manager_{sail::kSecondNs * 1'000'000};
  std::mt19937_64 random_{5};
  Machine player_;
  Machine receiver_;
  int64_t met_s_ = -1;
  sail::SwapPlan plan_;
  uint64_t picture_ = 1;
  std::map<uint64_t, int64_t> seen_;  // display time by picture
  receiver::CardClock card_{kRate};
  receiver::SoundMixer mixer_{kRate, 1};
  std::vector<float> out_ = std::vector<float>(kSamples);
  int64_t sent_ns_ = 0;
  float peak_ = 0;
  double peak_ns_ = 0;
  int clicks_ = 0;
  int64_t worst_ns_ = 0;
};

class FilmHourTest : public testing::TestWithParam<Speeds> {};

TEST_P(FilmHourTest, SoundAndPictureStayTogether) {
  FilmHour film(GetParam());
  film.play();
  EXPECT_NEAR(film.clicks(), 3600, 2);
  EXPECT_NEAR(static_cast<double>(film.pictures()), 3600 * GetParam().fps, 30);
  RecordProperty("worst_us", static_cast<int>(film.worst_ns() / 1000));
  EXPECT_LE(film.worst_ns(), 20 * kMsNs);
}

INSTANTIATE_TEST_SUITE_P(, FilmHourTest,
                         testing::Values(Speeds{24'000.0 / 1001, 60, 100, -80, 150},
                                         Speeds{25, 60, -100, 100, -200},
                                         Speeds{30, 59.94, 40, 0, 80}));

}  // namespace
}  // namespace test
