#include "sail/server/film_reader.h"

#include <gtest/gtest.h>

#include <semaphore>
#include <vector>

#include "tests/support/loop_test.h"

namespace server {
namespace {

// Gives pictures 0, 1, 2, … of one second each; waits at each for the test's leave.
class SlowSource : public sail::Source {
 public:
  SlowSource(std::counting_semaphore<>& leave, int pictures) : leave_(leave), pictures_(pictures) {}

  const sail::SourceInfo& info() const override { return info_; }
  sail::Result<std::optional<sail::Picture>> next() override {
    leave_.acquire();
    if (next_ >= pictures_) return std::nullopt;
    sail::Picture picture;
    picture.pts_ns = next_++;
    return std::optional<sail::Picture>(std::move(picture));
  }
  sail::Result<void> seek(int64_t position_ns) override {
    if (position_ns >= pictures_) return sail::fail(sail::ErrorCode::kIo, "no");
    next_ = position_ns;
    return {};
  }

 private:
  std::counting_semaphore<>& leave_;
  const int64_t pictures_;
  int64_t next_ = 0;
  sail::SourceInfo info_;
};

class FilmReaderTest : public testing::Test {
 protected:
  std::unique_ptr<FilmReader> open(int pictures) {
    return std::make_unique<FilmReader>(
        loop_,
        [this, pictures]() -> sail::Result<std::unique_ptr<sail::Source>> {
          return std::unique_ptr<sail::Source>(std::make_unique<SlowSource>(leave_, pictures));
        },
        [this](FilmReader::Answer answer) { answers_.push_back(std::move(answer)); });
  }
  bool answered(size_t count) {
    return sail::run_until(loop_, [&] { return answers_.size() >= count; });
  }
  // The time of the picture that came, -1: the end, -2: something else.
  int64_t picture(size_t answer) {
    const auto* read = std::get_if<FilmReader::Read>(&answers_[answer]);
    if (read == nullptr || !read->picture) return -2;
    return *read->picture ? (*read->picture)->pts_ns : -1;
  }

  sail::Loop loop_;
  std::counting_semaphore<> leave_{0};
  std::vector<FilmReader::Answer> answers_;
};

TEST_F(FilmReaderTest, AnswersInTheOrderOfTheRequests) {
  leave_.release(100);
  const auto reader = open(4);
  reader->read({});
  reader->seek(3);
  reader->read({});
  reader->read({});
  reader->seek(9);
  reader->seek(1);
  reader->read({});
  ASSERT_TRUE(answered(9));
  EXPECT_TRUE(std::get<FilmReader::Opened>(answers_[0]).info);
  EXPECT_EQ(picture(1), 0);
  EXPECT_TRUE(std::get<FilmReader::Sought>(answers_[2]).done);
  EXPECT_EQ(picture(3), 3);
  EXPECT_EQ(picture(4), -1) << "the end";
  EXPECT_EQ(std::get<FilmReader::Complaint>(answers_[5]).text, "no");
  EXPECT_FALSE(std::get<FilmReader::Sought>(answers_[6]).done);
  EXPECT_TRUE(std::get<FilmReader::Sought>(answers_[7]).done);
  EXPECT_EQ(picture(8), 1);
}

TEST_F(FilmReaderTest, ASlowDiskHoldsUpNobodyElse) {
  const auto slow = open(4);
  slow->read({});
  ASSERT_TRUE(answered(1));
  std::counting_semaphore<> others_leave(100);
  size_t others = 0;
  const FilmReader other(
      loop_,
      [&]() -> sail::Result<std::unique_ptr<sail::Source>> {
        return std::unique_ptr<sail::Source>(std::make_unique<SlowSource>(others_leave, 4));
      },
      [&](const FilmReader::Answer&) { ++others; });
  EXPECT_TRUE(sail::run_until(loop_, [&] { return others == 1; }));
  EXPECT_EQ(answers_.size(), 1U);
  leave_.release(1);
  EXPECT_TRUE(answered(2));
}

TEST_F(FilmReaderTest, StopsWithoutDoingWhatIsNotWantedAnyMore) {
  const auto reader = open(4);
  for (int i = 0; i < 3; ++i) reader->read({});
  ASSERT_TRUE(answered(1));
  reader->stop();
  leave_.release(1);  // of the one under way, if any
  EXPECT_TRUE(sail::run_until(
      loop_, [&] { return std::holds_alternative<FilmReader::Ended>(answers_.back()); }));
  EXPECT_LE(answers_.size(), 3U);
}

}  // namespace
}  // namespace server
