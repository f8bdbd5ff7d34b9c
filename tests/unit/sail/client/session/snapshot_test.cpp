#include "sail/client/session/snapshot.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <utility>

#include "tests/support/loop_test.h"

namespace sail {
namespace {

using Bytes = std::vector<uint8_t>;

// A receiver's data port that answers the first message with prepared bytes.
class Responder final : private TcpReader {
 public:
  Responder(Loop& loop, Bytes answer) : answer_(std::move(answer)) {
    listener_ = TcpListener::listen(loop, {"127.0.0.1", 0},
                                    [this](std::unique_ptr<TcpConnection> connection) {
                                      connection_ = std::move(connection);
                                      connection_->start_reading(*this);
                                    })
                    .value();
  }
  Address address() const { return listener_->address(); }
  // Empty until the request arrives.
  std::optional<SnapshotRequest> request;

 private:
  std::span<uint8_t> read_buffer() override { return std::span(buffer_).subspan(have_); }
  void on_read(size_t bytes) override {
    have_ += bytes;
    if (have_ < buffer_.size()) return;
    request = decode_snapshot_request(std::span(buffer_).subspan(kDataHeaderBytes)).value();
    connection_->stop_reading();
    connection_->write_copy(answer_);
  }
  void on_closed(const Error&) override { connection_.reset(); }

  const Bytes answer_;
  std::array<uint8_t, kDataHeaderBytes + 16> buffer_;
  size_t have_ = 0;
  std::unique_ptr<TcpListener> listener_;
  std::unique_ptr<TcpConnection> connection_;
};

void append(Bytes& bytes, const Bytes& more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

Bytes begin_message(const std::string& tile, Size size) {
  return encode(PictureBegin{.tile = tile, .size = size, .taken_ns = 1234, .windows = {{3, 77}}});
}

Bytes rows_message(uint32_t first_row, uint32_t rows, const Bytes& pixels) {
  Bytes bytes(kDataHeaderBytes + kPictureRowsFixedBytes);
  bytes.resize(encode_to(bytes, PictureRows{first_row, rows}, pixels.size()));
  append(bytes, pixels);
  return bytes;
}

Bytes picture_pixels(Size size, uint8_t seed) {
  Bytes pixels(static_cast<size_t>(size.width) * static_cast<size_t>(size.height) * 4);
  for (size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<uint8_t>(i * 7 + seed);
  return pixels;
}

// The tile's picture in two messages.
Bytes picture_messages(const std::string& tile, Size size, uint8_t seed) {
  const Bytes pixels = picture_pixels(size, seed);
  const auto cut = static_cast<ptrdiff_t>(size.width) * 4;
  const auto rows_left = static_cast<uint32_t>(size.height) - 1;
  Bytes bytes = begin_message(tile, size);
  append(bytes, rows_message(0, 1, {pixels.begin(), pixels.begin() + cut}));
  append(bytes, rows_message(1, rows_left, {pixels.begin() + cut, pixels.end()}));
  return bytes;
}

class SnapshotTest : public testing::Test {
 protected:
  Snapshot take(const std::vector<SnapshotSource>& sources, int64_t timeout_ms = kTestDeadlineMs) {
    std::optional<Snapshot> taken;
    const auto guard = take_snapshot(loop, sources, 55, timeout_ms,
                                     [&](Snapshot snapshot) { taken = std::move(snapshot); });
    EXPECT_TRUE(run_until(loop, [&] { return taken.has_value(); }));
    return taken.value_or(Snapshot{});
  }
  // Returns the only failure of a snapshot from a receiver with one tile "t" of 8×4 and this
  // answer.
  std::string failure_of(const Bytes& answer) {
    Responder responder(loop, answer);
    const Snapshot taken = take({{"r", responder.address(), 1, {{"t", {8, 4}}}}});
    EXPECT_TRUE(taken.pictures.empty());
    EXPECT_EQ(taken.failures.size(), 1U);
    return taken.failures.empty() ? "" : taken.failures[0].error.message;
  }

  Loop loop;
};

TEST_F(SnapshotTest, AllTilesOfAllReceivers) {
  Bytes answer = picture_messages("b", {40, 30}, 2);
  append(answer, picture_messages("a", {7, 5}, 1));
  append(answer, encode_picture_end());
  Responder first(loop, answer);
  answer = picture_messages("c", {3, 9}, 3);
  append(answer, encode_picture_end());
  Responder second(loop, answer);
  const Snapshot taken = take({{"one", first.address(), 11, {{"a", {7, 5}}, {"b", {40, 30}}}},
                               {"two", second.address(), 12, {{"c", {3, 9}}}}});
  EXPECT_TRUE(taken.failures.empty());
  ASSERT_EQ(taken.pictures.size(), 3U);
  EXPECT_EQ(taken.pictures[0].tile, "a");
  EXPECT_EQ(taken.pictures[0].size, (Size{7, 5}));
  EXPECT_EQ(taken.pictures[0].taken_ns, 1234);
  ASSERT_EQ(taken.pictures[0].windows.size(), 1U);
  EXPECT_EQ(taken.pictures[0].windows[0].window, 3U);
  EXPECT_EQ(taken.pictures[0].windows[0].frame, 77U);
  EXPECT_EQ(taken.pictures[0].bgra, picture_pixels({7, 5}, 1));
  EXPECT_EQ(taken.pictures[1].bgra, picture_pixels({40, 30}, 2));
  EXPECT_EQ(taken.pictures[2].bgra, picture_pixels({3, 9}, 3));
  EXPECT_EQ(first.request->secret, 11U);
  EXPECT_EQ(first.request->at_ns, 55);
  EXPECT_EQ(second.request->secret, 12U);
}

TEST_F(SnapshotTest, AFailingReceiverDoesNotSpoilTheOthers) {
  Bytes answer = picture_messages("t", {8, 4}, 1);
  append(answer, encode_picture_end());
  Responder good(loop, answer);
  Responder refusing(loop, encode(0, CloseMessage{CloseReason::kUnknownStream, "no such permit"}));
  Address nobody;
  { nobody = Responder(loop, {}).address(); }
  const Snapshot taken = take({{"refusing", refusing.address(), 1, {{"x", {8, 4}}}},
                               {"nobody", nobody, 1, {{"y", {8, 4}}}},
                               {"good", good.address(), 1, {{"t", {8, 4}}}}});
  ASSERT_EQ(taken.pictures.size(), 1U);
  EXPECT_EQ(taken.pictures[0].bgra, picture_pixels({8, 4}, 1));
  ASSERT_EQ(taken.failures.size(), 2U);
  EXPECT_EQ(taken.failures[0].receiver, "refusing");
  EXPECT_NE(taken.failures[0].error.message.find("no such permit"), std::string::npos);
  EXPECT_EQ(taken.failures[1].receiver, "nobody");
}

TEST_F(SnapshotTest, WhatCameBeforeTheTimeIsKept) {
  Bytes answer = picture_messages("t", {8, 4}, 1);
  append(answer, begin_message("u", {8, 4}));
  append(answer, rows_message(0, 1, Bytes(32)));
  Bytes cut_off = rows_message(1, 3, Bytes(96));
  cut_off.resize(cut_off.size() - 10);
  append(answer, cut_off);
  Responder slow(loop, answer);
  Responder silent(loop, {});
  const Snapshot taken = take({{"slow", slow.address(), 1, {{"t", {8, 4}}, {"u", {8, 4}}}},
                               {"silent", silent.address(), 1, {{"v", {8, 4}}}}},
                              300);
  ASSERT_EQ(taken.pictures.size(), 1U);
  EXPECT_EQ(taken.pictures[0].tile, "t");
  ASSERT_EQ(taken.failures.size(), 2U);
  EXPECT_EQ(taken.failures[0].error.code, ErrorCode::kTimeout);
  EXPECT_EQ(taken.failures[1].error.code, ErrorCode::kTimeout);
}

TEST_F(SnapshotTest, NobodyToAsk) {
  const Snapshot taken = take({});
  EXPECT_TRUE(taken.pictures.empty());
  EXPECT_TRUE(taken.failures.empty());
}

TEST_F(SnapshotTest, BadBytesAreRefused) {
  const Bytes whole = picture_messages("t", {8, 4}, 1);
  EXPECT_NE(failure_of(Bytes(64, 0x11)), "");
  EXPECT_NE(failure_of(begin_message("another", {8, 4})).find("not requested"), std::string::npos);
  EXPECT_NE(failure_of(begin_message("t", {16384, 16384})).find("not requested"),
            std::string::npos);
  EXPECT_NE(failure_of(rows_message(0, 1, Bytes(32))).find("without a picture"), std::string::npos);
  EXPECT_NE(failure_of(encode_picture_end()).find("all of its tiles"), std::string::npos);
  EXPECT_NE(failure_of(encode(1, StreamAccept{4})).find("message in a snapshot"),
            std::string::npos);

  Bytes answer = begin_message("t", {8, 4});
  append(answer, rows_message(1, 3, Bytes(96)));
  EXPECT_NE(failure_of(answer).find("unexpected rows"), std::string::npos);
  answer = begin_message("t", {8, 4});
  append(answer, rows_message(0, 5, Bytes(160)));
  EXPECT_NE(failure_of(answer).find("unexpected rows"), std::string::npos);
  answer = begin_message("t", {8, 4});
  append(answer, rows_message(0, 4, Bytes(64)));
  EXPECT_NE(failure_of(answer).find("unexpected rows"), std::string::npos);
  answer = begin_message("t", {8, 4});
  append(answer, begin_message("t", {8, 4}));
  EXPECT_NE(failure_of(answer).find("rows of tile 't' are missing"), std::string::npos);
}

TEST_F(SnapshotTest, ATileComesOnce) {
  Bytes answer = picture_messages("t", {8, 4}, 1);
  append(answer, picture_messages("t", {8, 4}, 2));
  Responder responder(loop, answer);
  const Snapshot taken = take({{"r", responder.address(), 1, {{"t", {8, 4}}, {"u", {8, 4}}}}});
  ASSERT_EQ(taken.pictures.size(), 1U);
  EXPECT_EQ(taken.pictures[0].bgra, picture_pixels({8, 4}, 1));
  EXPECT_EQ(taken.failures.size(), 1U);
}

TEST_F(SnapshotTest, DestroyingTheGuardCancels) {
  Responder silent(loop, {});
  bool called = false;
  auto guard = take_snapshot(loop, {{"r", silent.address(), 1, {{"t", {8, 4}}}}}, 0, 0,
                             [&](const Snapshot&) { called = true; });
  guard.reset();
  run_some(loop);
  EXPECT_FALSE(called);
}

}  // namespace
}  // namespace sail
