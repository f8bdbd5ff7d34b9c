#include "sail/apps/show/ticker_reader.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tests/support/http_server.h"
#include "tests/support/temp_folder.h"

namespace sail {
namespace {

constexpr int kTickerHeight = 32;
constexpr std::chrono::seconds kLongTime{30};
// Looks again at once.
constexpr TickerTimes kOften{
    .file_ns = 1'000'000, .feed_ns = 1'000'000, .failed_feed_ns = 1'000'000};

std::string feed_of(const std::string& title) {
  return "<rss><channel><item><title>" + title + "</title></item></channel></rss>";
}

// The width of the strip of this text.
int period_of(const std::string& text) {
  const auto strip = TickerStrip::draw(line_of_text(text)->text, kTickerHeight, {});
  return strip->period();
}

class TickerReaderTest : public testing::Test {
 protected:
  void open(const std::string& content) {
    reader_.emplace(TickerMedium{.content = content}, kOften);
    reader_->draw_for(kTickerHeight);
  }
  // At once, so that no half of it is read.
  std::string put(std::string_view text) const {
    folder_.write("new", text);
    std::filesystem::rename(folder_.file("new"), folder_.file("news"));
    return folder_.file("news");
  }
  // The next strip's width; 0: an error, whose code is kept.
  int next_period() {
    const auto answer = reader_->take(kLongTime);
    if (!answer) {
      ADD_FAILURE() << "no answer";
      return -1;
    }
    if (!answer->strip) refusal_ = answer->strip.error().code;
    return answer->strip ? (*answer->strip)->period() : 0;
  }

  const TempFolder folder_;
  std::optional<TickerReader> reader_;
  ErrorCode refusal_ = ErrorCode::kInternal;
};

TEST_F(TickerReaderTest, ATextIsDrawnForEachHeight) {
  open("Doors open");
  EXPECT_EQ(next_period(), period_of("Doors open"));
  reader_->draw_for(64);
  const auto larger = reader_->take(kLongTime);
  ASSERT_TRUE(larger && larger->strip);
  EXPECT_EQ((*larger->strip)->height(), 64);
  EXPECT_TRUE(reader_->end(kLongTime));
}

TEST_F(TickerReaderTest, AFileIsReadAgainWhenItChanges) {
  open(put("One"));
  EXPECT_EQ(next_period(), period_of("One"));
  put("A longer one");
  EXPECT_EQ(next_period(), period_of("A longer one"));
  put(feed_of("From a feed"));
  EXPECT_EQ(next_period(), period_of("From a feed"));
  std::filesystem::remove(folder_.file("news"));
  EXPECT_EQ(next_period(), 0) << "told, once";
  EXPECT_EQ(refusal_, ErrorCode::kNotFound);
  put("Back");
  EXPECT_EQ(next_period(), period_of("Back"));
}

TEST_F(TickerReaderTest, WhatIsNoTextIsRefused) {
  open(folder_.write("bad", "\xff\xfe"));
  EXPECT_EQ(next_period(), 0);
  EXPECT_EQ(refusal_, ErrorCode::kBadData);
  open(folder_.file("none"));
  EXPECT_EQ(next_period(), 0);
  EXPECT_EQ(refusal_, ErrorCode::kNotFound);
  open(folder_.path().string());
  EXPECT_EQ(next_period(), 0) << "a folder";
  open(folder_.write("large", std::string(kMostTickerFile + 1, 'x')));
  EXPECT_EQ(next_period(), 0);
  EXPECT_EQ(refusal_, ErrorCode::kLimit);
}

TEST_F(TickerReaderTest, TheLastTextStaysWhileAFeedFails) {
  std::atomic<int> turn{0};
  test::HttpServer server([&turn](const test::HttpRequest&) {
    test::HttpAnswer answer;
    if (turn == 0) answer.body = feed_of("First");
    if (turn == 1) answer.status = "503 Service Unavailable";
    if (turn == 2) answer.body = "<rss>";
    if (turn == 3) answer.body = feed_of("The second");
    return answer;
  });
  open(server.url("/feed"));
  EXPECT_EQ(next_period(), period_of("First"));
  turn = 1;
  EXPECT_EQ(next_period(), 0);
  EXPECT_EQ(refusal_, ErrorCode::kIo);
  turn = 2;
  EXPECT_EQ(next_period(), 0);
  EXPECT_EQ(refusal_, ErrorCode::kBadData);
  turn = 3;
  EXPECT_EQ(next_period(), period_of("The second"));
  reader_.reset();
}

}  // namespace
}  // namespace sail
