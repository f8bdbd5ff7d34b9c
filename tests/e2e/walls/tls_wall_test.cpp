// A whole wall with TLS everywhere, like a wall of several machines: control connections, streams,
// sound, groups and snapshots.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "sail/core/socket/tcp.h"
#include "sail/core/wire/data/data_messages.h"
#include "tests/support/environment_variable.h"
#include "tests/support/headless_wall.h"
#include "tests/support/loop_test.h"
#include "tests/support/test_film.h"
#include "ui/client/answers.h"

namespace test {
namespace {

constexpr sail::Size kSecretSize{640, 360};

class TlsWallTest : public testing::Test {
 protected:
  TlsWallTest() {
    session_ = wall_.open_session("tls");
    sail_stream_options options{};
    options.title = "tls";
    options.codec = "raw";
    options.width = kSecretSize.width;
    options.height = kSecretSize.height;
    options.place = {0, 0, kSecretSize.width, kSecretSize.height};
    options.wait_when_full = 1;
    std::string error;
    stream_ = session_->open(options, &error);
    EXPECT_TRUE(stream_) << error;
  }
  bool show(uint64_t card_number) {
    const reference::Picture card = test_card(kSecretSize, card_number);
    sail_frame frame{};
    frame.format = SAIL_BGRA;
    frame.planes[0] = card.pixels.data();
    frame.strides[0] = ptrdiff_t{card.width} * 4;
    const uint64_t wanted = stream_.stats().frames_shown + 1;
    return stream_.submit(frame) >= 0 &&
           eventually([&] { return stream_.stats().frames_shown >= wanted; });
  }

  const EnvironmentVariable tls_{"VITRAIL_TLS", "always"};
  HeadlessWall wall_{grid_wall()};
  std::unique_ptr<sail::Session> session_;
  sail::Stream stream_;
};

TEST_F(TlsWallTest, AStreamPlaysAndItsPictureIsThere) {
  for (uint64_t card = 1; card <= 30; ++card) ASSERT_TRUE(show(card)) << card;
  EXPECT_EQ(wall_.client().peer().binding().size(), 64U);
  // Takes a snapshot, which the receivers also send by TLS.
  for (const sail::TilePicture& tile : wall_.tiles().snapshot.pictures) {
    ASSERT_EQ(tile.windows.size(), 1U);
    EXPECT_EQ(tile.windows.front().frame, 30U);
  }
  EXPECT_EQ(cards_on_all_tiles(wall_), std::set<uint32_t>{30});
}

TEST_F(TlsWallTest, AReceiverThatIsAnotherOneIsFoundByItsNewCertificate) {
  ASSERT_TRUE(show(1));
  const std::string name = wall_.wall().receivers.front().name;
  wall_.stop_receiver(name);
  ASSERT_TRUE(eventually([&] { return !wall_.connected(name); }));
  wall_.start_receiver(name);
  ASSERT_TRUE(eventually([&] { return wall_.connected(name); }));
  wall_.settle();
  EXPECT_TRUE(show(2));
}

// Stores all bytes received from a data port.
struct Ear : sail::TcpReader {
  std::span<uint8_t> read_buffer() override { return buffer; }
  void on_read(size_t count) override {
    heard.insert(heard.end(), buffer.begin(), buffer.begin() + static_cast<ptrdiff_t>(count));
  }
  void on_closed(const sail::Error&) override { closed = true; }

  std::vector<uint8_t> buffer = std::vector<uint8_t>(4096);
  std::vector<uint8_t> heard;
  bool closed = false;
};

TEST_F(TlsWallTest, ADataPortTellsWhoSpeaksWithoutWhy) {
  const sail::Json receiver = ui::member(wall_.call("list"), "receivers").front();
  sail::Loop loop;
  Ear ear;
  std::unique_ptr<sail::TcpConnection> plain;
  const auto guard = sail::TcpConnection::connect(
      loop, {"127.0.0.1", static_cast<uint16_t>(ui::number_member(receiver, "port"))},
      [&](auto connected) { plain = *std::move(connected); }, {.tls = sail::TlsUse::kNever});
  ASSERT_TRUE(sail::run_until(loop, [&] { return plain != nullptr; }));
  plain->start_reading(ear);
  plain->write_copy(sail::encode(1, sail::SoundOpen{1}));
  ASSERT_TRUE(sail::run_until(loop, [&] { return ear.closed; }));
  ASSERT_GT(ear.heard.size(), sail::kDataHeaderBytes);
  const auto close = sail::decode_close(std::span(ear.heard).subspan(sail::kDataHeaderBytes));
  ASSERT_TRUE(close);
  EXPECT_EQ(close->reason, sail::CloseReason::kUnsupported);
  EXPECT_NE(close->text.find("TLS 1.3"), std::string::npos);
}

}  // namespace
}  // namespace test
