#include "sail/program/film_reader.h"

#include <gtest/gtest.h>

#include <semaphore>
#include <vector>

#include "tests/support/slow_source.h"

namespace sail {
namespace {

constexpr std::chrono::seconds kPatience(30);

class FilmReaderTest : public testing::Test {
 protected:
  std::unique_ptr<FilmReader> open(int pictures) {
    return std::make_unique<FilmReader>(
        [this, pictures](const auto&) -> Result<std::unique_ptr<Source>> {
          return std::unique_ptr<Source>(std::make_unique<SlowSource>(leave_, pictures));
        },
        nullptr);
  }
  bool answered(FilmReader& reader, size_t count) {
    while (answers_.size() < count) {
      auto answer = reader.take(kPatience);
      if (!answer) return false;
      answers_.push_back(std::move(*answer));
    }
    return true;
  }
  // Which picture came, -1: the end, -2: something else.
  int64_t picture(size_t answer) {
    const auto* read = std::get_if<FilmReader::Read>(&answers_[answer]);
    if (read == nullptr || !read->picture) return -2;
    return *read->picture ? (*read->picture)->pts_ns / SlowSource::kPictureNs : -1;
  }

  std::counting_semaphore<> leave_{0};
  std::vector<FilmReader::Answer> answers_;
};

TEST_F(FilmReaderTest, AnswersInTheOrderOfTheRequests) {
  leave_.release(100);
  const auto reader = open(4);
  reader->read({});
  reader->seek(3 * SlowSource::kPictureNs);
  reader->read({});
  reader->read({});
  reader->seek(9 * SlowSource::kPictureNs);
  reader->seek(1 * SlowSource::kPictureNs);
  reader->read({});
  ASSERT_TRUE(answered(*reader, 9));
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
  ASSERT_TRUE(answered(*slow, 1));
  EXPECT_FALSE(slow->take());
  leave_.release(1);
  EXPECT_TRUE(answered(*slow, 2));
}

TEST_F(FilmReaderTest, StopsWithoutDoingWhatIsNotWantedAnyMore) {
  const auto reader = open(4);
  for (int i = 0; i < 3; ++i) reader->read({});
  ASSERT_TRUE(answered(*reader, 1));
  reader->stop();
  leave_.release(1);  // of the one under way, if any
  do {
    ASSERT_TRUE(answered(*reader, answers_.size() + 1));
  } while (!std::holds_alternative<FilmReader::Ended>(answers_.back()));
  EXPECT_LE(answers_.size(), 3U);
}

}  // namespace
}  // namespace sail
