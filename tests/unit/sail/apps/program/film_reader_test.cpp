#include "sail/apps/program/film_reader.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

#include "sail/core/time/clock.h"
#include "tests/support/slow_source.h"

namespace sail {
namespace {

constexpr std::chrono::seconds kReaderTimeout(30);

class FilmReaderTest : public testing::Test {
 protected:
  std::unique_ptr<FilmReader> open(int pictures) {
    film_.pictures = pictures;
    return std::make_unique<FilmReader>(
        [this](const auto&) -> Result<std::unique_ptr<Source>> {
          return std::unique_ptr<Source>(std::make_unique<test::SlowSource>(film_));
        },
        nullptr);
  }
  bool answered(FilmReader& reader, size_t count) {
    while (answers_.size() < count) {
      auto answer = reader.take(kReaderTimeout);
      if (!answer) return false;
      answers_.push_back(std::move(*answer));
    }
    return true;
  }
  // Time of the picture; -1: the end, -2: the end before a new round, -3: another answer.
  int64_t picture(size_t answer) {
    const auto* read = std::get_if<FilmReader::Read>(&answers_[answer]);
    if (read == nullptr || !read->picture) return -3;
    if (*read->picture) return (*read->picture)->pts_ns;
    return read->again ? -2 : -1;
  }

  test::SlowFilm film_;
  std::vector<FilmReader::Answer> answers_;
};

TEST_F(FilmReaderTest, ChosenSubtitlesReachTheSourceOnce) {
  film_.leave.release(100);
  const auto reader = open(4);
  ASSERT_TRUE(answered(*reader, 1));
  reader->choose_subtitles({.kind = SubtitleChoice::Kind::kTrack, .track = 1});
  reader->read({}, false);
  reader->read({}, false);
  ASSERT_TRUE(answered(*reader, 4));
  EXPECT_TRUE(std::holds_alternative<FilmReader::Complaint>(answers_[1])) << "it has no subtitles";
  EXPECT_EQ(picture(2), 0);
  EXPECT_EQ(picture(3), 1);
}

TEST_F(FilmReaderTest, AnswersInTheOrderOfTheRequests) {
  film_.leave.release(100);
  const auto reader = open(4);
  reader->read({}, false);
  ASSERT_TRUE(answered(*reader, 2));
  reader->seek(3);
  reader->read({}, false);
  reader->read({}, false);
  ASSERT_TRUE(answered(*reader, 5));
  reader->seek(9);
  reader->seek(1);
  reader->read({}, false);
  ASSERT_TRUE(answered(*reader, 9));
  EXPECT_TRUE(std::get<FilmReader::Opened>(answers_[0]).info);
  EXPECT_EQ(picture(1), 0);
  EXPECT_TRUE(std::get<FilmReader::Sought>(answers_[2]).done);
  EXPECT_EQ(picture(3), 3);
  EXPECT_EQ(picture(4), -1) << "the end";
  EXPECT_EQ(std::get<FilmReader::Complaint>(answers_[5]).text, "cannot seek");
  EXPECT_FALSE(std::get<FilmReader::Sought>(answers_[6]).done);
  EXPECT_TRUE(std::get<FilmReader::Sought>(answers_[7]).done);
  EXPECT_EQ(picture(8), 1);
}

TEST_F(FilmReaderTest, BeginsAgainByItself) {
  film_.leave.release(100);
  const auto reader = open(2);
  for (int i = 0; i < 7; ++i) reader->read({}, i != 5);
  ASSERT_TRUE(answered(*reader, 8));
  std::vector<int64_t> pictures;
  for (size_t i = 1; i < 8; ++i) pictures.push_back(picture(i));
  EXPECT_EQ(pictures, (std::vector<int64_t>{0, 1, -2, 0, 1, -1, -2}));
}

TEST_F(FilmReaderTest, AStillDoesNotBeginAgainNorWhatCannotBeSought) {
  film_.leave.release(100);
  const auto still = open(1);
  for (int i = 0; i < 2; ++i) still->read({}, true);
  ASSERT_TRUE(answered(*still, 3));
  EXPECT_EQ(picture(2), -1);
  answers_.clear();
  film_.seekable = false;
  const auto once = open(2);
  for (int i = 0; i < 3; ++i) once->read({}, true);
  ASSERT_TRUE(answered(*once, 4));
  EXPECT_EQ(picture(3), -1) << "and no complaint";
}

TEST_F(FilmReaderTest, WhatWasAskedForBeforeASeekIsNotDecoded) {
  const auto reader = open(100);
  for (int i = 0; i < 5; ++i) reader->read({}, false);
  while (film_.waiting == 0) std::this_thread::yield();
  reader->seek(50);
  reader->read({}, false);
  film_.leave.release(2);  // for the read in progress, and the sought picture
  ASSERT_TRUE(answered(*reader, 8));
  EXPECT_EQ(picture(1), 0);
  for (size_t i = 2; i < 6; ++i) {
    EXPECT_TRUE(std::holds_alternative<FilmReader::Passed>(answers_[i])) << i;
  }
  EXPECT_TRUE(std::get<FilmReader::Sought>(answers_[6]).done);
  EXPECT_EQ(picture(7), 50);
  EXPECT_EQ(film_.given, 2);
}

TEST_F(FilmReaderTest, LatePicturesAreLeftOutAndCounted) {
  film_.leave.release(100);
  film_.picture_ns = kMillisecondNs;
  const auto reader = open(50);
  // The film is late for ever, and a picture has just been submitted.
  const FilmClock late{.steady_ns = -3600 * kSecondNs, .submitted_ns = INT64_MAX};
  reader->set_clock(late);
  for (int i = 0; i < 4; ++i) reader->read({}, false);
  ASSERT_TRUE(answered(*reader, 5));
  EXPECT_EQ(picture(1), 0);
  EXPECT_EQ(picture(2), kMillisecondNs) << "nothing was let through before";
  EXPECT_EQ(picture(3), 49 * kMillisecondNs) << "the last one";
  EXPECT_EQ(std::get<FilmReader::Read>(answers_[3]).left_out, 47U);
  EXPECT_EQ(picture(4), -1);
  reader->set_clock({});
  reader->seek(30 * kMillisecondNs);
  for (int i = 0; i < 3; ++i) reader->read({}, false);
  ASSERT_TRUE(answered(*reader, 9));
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(picture(6 + i), (30 + static_cast<int64_t>(i)) * kMillisecondNs);
  }
}

TEST_F(FilmReaderTest, ASlowDiskHoldsUpNobodyElse) {
  const auto slow = open(4);
  slow->read({}, false);
  ASSERT_TRUE(answered(*slow, 1));
  EXPECT_FALSE(slow->take());
  film_.leave.release(1);
  EXPECT_TRUE(answered(*slow, 2));
}

TEST_F(FilmReaderTest, StopsWithoutDoingWhatIsNotWantedAnyMore) {
  const auto reader = open(4);
  for (int i = 0; i < 3; ++i) reader->read({}, false);
  ASSERT_TRUE(answered(*reader, 1));
  reader->stop();
  film_.leave.release(1);  // for a read in progress
  do {
    ASSERT_TRUE(answered(*reader, answers_.size() + 1));
  } while (!std::holds_alternative<FilmReader::Ended>(answers_.back()));
  EXPECT_LE(answers_.size(), 3U);
}

}  // namespace
}  // namespace sail
