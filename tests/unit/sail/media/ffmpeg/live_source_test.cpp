// A live source that ends, fails or is unavailable is opened again.
#include "sail/media/ffmpeg/live_source.h"

#include <gtest/gtest.h>

#include <memory>

#include "tests/support/slow_source.h"

namespace sail {
namespace {

// Only one at a time, as with a port or a device.
class Exclusive : public test::SlowSource {
 public:
  Exclusive(test::SlowFilm& film, bool& taken) : SlowSource(film), taken_(taken) { taken_ = true; }
  ~Exclusive() override { taken_ = false; }

 private:
  bool& taken_;
};

class LiveSourceTest : public testing::Test {
 protected:
  LiveSourceTest() {
    film_.pictures = 2;
    film_.reconnects = true;
    film_.leave.release(1000);
  }
  Result<std::unique_ptr<Source>> open(bool patient = false) {
    const auto attempt = [this]() -> Result<std::unique_ptr<Source>> {
      if (++attempts_ <= absent_until_) return fail(ErrorCode::kIo, "nobody is there");
      if (taken_) return fail(ErrorCode::kIo, "address in use");
      return std::unique_ptr<Source>(std::make_unique<Exclusive>(film_, taken_));
    };
    return LiveSource::open(attempt,
                            {.first_pause = std::chrono::milliseconds(1),
                             .longest_pause = std::chrono::milliseconds(2),
                             .interrupted = [this] { return attempts_ > most_attempts_; }},
                            patient);
  }

  test::SlowFilm film_;
  bool taken_ = false;
  int attempts_ = 0;
  int absent_until_ = 0;
  int most_attempts_ = 100;
};

TEST_F(LiveSourceTest, GoesOnWhenItHasEndedAndWhenItFails) {
  auto source = open();
  ASSERT_TRUE(source);
  for (int i = 0; i < 5; ++i) EXPECT_TRUE((*source)->next().value()) << i;
  EXPECT_EQ(attempts_, 3);
  film_.fails_at = 1;
  absent_until_ = 8;
  for (int i = 0; i < 2; ++i) EXPECT_TRUE((*source)->next().value()) << i;
  EXPECT_GT(attempts_, 8);
}

TEST_F(LiveSourceTest, EndsWhenNobodyWantsItAndWhenItIsAFilmByNow) {
  auto source = open();
  for (int i = 0; i < 2; ++i) EXPECT_TRUE((*source)->next().value()) << i;
  film_.reconnects = false;
  EXPECT_FALSE((*source)->next().value());
  film_.reconnects = true;
  source->reset();
  source = open();
  most_attempts_ = attempts_ + 3;
  absent_until_ = 100;
  for (int i = 0; i < 2; ++i) EXPECT_TRUE((*source)->next().value()) << i;
  EXPECT_FALSE((*source)->next().value());
}

TEST_F(LiveSourceTest, OneThatIsNotThereIsWaitedForByThePatient) {
  absent_until_ = 3;
  EXPECT_FALSE(open());
  auto source = open(true);
  ASSERT_TRUE(source);
  EXPECT_TRUE((*source)->info().live);
  EXPECT_TRUE((*source)->next().value());
}

TEST_F(LiveSourceTest, AFilmIsLeftAsItIs) {
  film_.reconnects = false;
  auto source = open();
  ASSERT_TRUE(source);
  for (int i = 0; i < 2; ++i) EXPECT_TRUE((*source)->next().value()) << i;
  EXPECT_FALSE((*source)->next().value());
  EXPECT_EQ(attempts_, 1);
}

}  // namespace
}  // namespace sail
