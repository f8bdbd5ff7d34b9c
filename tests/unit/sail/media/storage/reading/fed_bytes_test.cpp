#include "sail/media/storage/reading/fed_bytes.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <memory>
#include <utility>
#include <vector>

#include "sail/media/storage/reading/read_cache.h"
#include "tests/support/slow_bytes.h"

namespace sail {
namespace {

constexpr size_t kBytes = 3'000'000;  // more than fits one answer
constexpr uint64_t kBroken = 100;

class FedBytesTest : public testing::Test {
 protected:
  FedBytesTest() {
    auto bytes = std::make_unique<test::SlowBytes>(kBytes);
    bytes->broken = {kBroken};
    bytes->leave.release(100);
    content_ = bytes->content;
    feed_ = ByteFeed::start(std::move(bytes)).value();
  }
  // A child process would have a copy of the socket, too.
  std::unique_ptr<const ByteSource> fed() {
    socket_ = dup(feed_->socket());
    feed_->handed_over();
    return FedBytes::open("film", socket_).value();
  }
  ~FedBytesTest() override {
    feed_.reset();
    close(socket_);
  }

  std::vector<uint8_t> content_;
  std::unique_ptr<ByteFeed> feed_;
  int socket_ = -1;
};

TEST_F(FedBytesTest, AreThoseOfTheSource) {
  const auto bytes = fed();
  EXPECT_EQ(bytes->size().value(), kBytes);
  std::vector<uint8_t> got(kBytes - 200);
  ASSERT_TRUE(bytes->read(200, got));
  EXPECT_TRUE(std::equal(got.begin(), got.end(), content_.begin() + 200));
  EXPECT_EQ(bytes->read(kBytes - 1, std::span(got).first(2)).error().code, ErrorCode::kBadData);
}

TEST_F(FedBytesTest, AreReadAheadThoughOneReadIsUnderWayAtATime) {
  const auto bytes = fed();
  ReadCache ahead(*bytes);
  std::vector<uint8_t> got;
  std::vector<uint8_t> some(100'000);
  for (size_t at = ParallelReader::kBlockBytes; at < kBytes;
       at = ParallelReader::kBlockBytes + got.size()) {
    const auto read = ahead.read(at, some, nullptr);
    ASSERT_TRUE(read);
    got.insert(got.end(), some.begin(), some.begin() + static_cast<ptrdiff_t>(*read));
  }
  EXPECT_TRUE(std::ranges::equal(got, std::span(content_).subspan(ParallelReader::kBlockBytes)));
}

TEST_F(FedBytesTest, APlaceThatCannotBeReadIsOneAnswer) {
  const auto bytes = fed();
  std::array<uint8_t, 8> got{};
  EXPECT_EQ(bytes->read(kBroken, got).error().code, ErrorCode::kIo);
  EXPECT_TRUE(bytes->read(0, got));
}

TEST_F(FedBytesTest, AReaderWhoseFeederIsGoneIsTold) {
  const auto bytes = fed();
  feed_.reset();
  std::array<uint8_t, 8> got{};
  std::signal(SIGPIPE, SIG_IGN);
  EXPECT_EQ(bytes->read(0, got).error().code, ErrorCode::kIo);
  std::signal(SIGPIPE, SIG_DFL);
  EXPECT_EQ(FedBytes::open("film", socket_).error().code, ErrorCode::kIo);
}

// The process that reads may be compromised by the data.
TEST_F(FedBytesTest, WhatIsOutOfBoundsIsRefused) {
  static_cast<void>(fed());
  const std::array<std::array<uint64_t, 2>, 4> requests{
      {{0, uint64_t{1} << 40}, {kBytes + 1, 1}, {UINT64_MAX, 2}, {kBytes, 1}}};
  for (const auto& request : requests) {
    ASSERT_EQ(write(socket_, request.data(), sizeof request), ssize_t{sizeof request});
    uint8_t answer = 9;
    ASSERT_EQ(read(socket_, &answer, 1), 1);
    EXPECT_EQ(answer, 0);
  }
}

}  // namespace
}  // namespace sail
