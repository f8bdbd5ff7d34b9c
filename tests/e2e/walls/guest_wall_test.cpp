// vitrail-guest as the manager starts it, with pages simulated by the test: the wall shows what a
// page encodes, and errors of a page end only that page's share.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/environment_variable.h"
#include "tests/support/guest_peer.h"
#include "tests/support/headless_wall.h"
#include "tests/support/heard_sound.h"
#include "ui/client/answers.h"

namespace test {
namespace {

using testing::HasSubstr;

constexpr sail::Size kScreen{480, 360};  // the tile's size
// Tolerance for colours after H.264, VP8 or DXT.
constexpr int kTolerance = 14;

uint32_t halves(int x, int /*y*/) {
  return x < kScreen.width / 2 ? 0xd02020 : 0x2040c0;
}
uint32_t turned(int x, int y) {
  return halves(kScreen.width - 1 - x, y);
}

class GuestWall : public testing::Test {
 protected:
  explicit GuestWall(const sail::Wall& wall = one_tile_wall()) : wall_(wall) {}

  std::unique_ptr<PageSocket> invite(const std::string& title = "Ann’s screen") {
    const sail::Json reported = wall_.call("invite", {{"title", title}});
    port_ = reported["port"].get<uint16_t>();
    secret_ = reported["secret"].get<std::string>();
    auto page = std::make_unique<PageSocket>(port_);
    page->send_hello(secret_);
    EXPECT_EQ(page->receive(), R"({"type":"ready"})");
    return page;
  }
  static void send(PageSocket& page, const EncodedChunk& chunk) {
    page.send_binary(chunk_message(chunk.key, chunk.bytes));
  }
  // Samples on both sides of the edge, which is soft.
  void expect_shown(const VideoColours& colours, const std::string& what) {
    wall_.expect_shown({8, 8, 220, 340}, colours, what, kTolerance);
    wall_.expect_shown({252, 8, 220, 340}, colours, what, kTolerance);
  }
  bool gone() {
    return eventually([&] { return wall_.windows().empty(); });
  }

  EnvironmentVariable path_{"PATH", GUEST_FOLDER ":" + std::string(std::getenv("PATH"))};
  const HeardSound heard_{};
  HeadlessWall wall_;
  uint16_t port_ = 0;
  std::string secret_;
};

TEST_F(GuestWall, WhatThePageEncodesIsShown) {
  for (const auto codec : {sail::VideoCodec::kH264, sail::VideoCodec::kVp8}) {
    const bool h264 = codec == sail::VideoCodec::kH264;
    const auto page = invite();
    ChunkEncoder encoder(codec, kScreen);
    page->send_text(video_text(h264 ? "avc1.42e028" : "vp8"));
    send(*page, encoder.encode(halves));
    expect_shown(halves, h264 ? "H.264" : "VP8");
    EXPECT_EQ(ui::text_member(wall_.window(), "title"), "Ann’s screen");
    send(*page, encoder.encode(turned));
    expect_shown(turned, "the next picture");
    page->close();
    EXPECT_TRUE(gone()) << "the page has gone, and so has its window";
  }
}

TEST_F(GuestWall, ItsSizeMayChange) {
  const auto page = invite();
  ChunkEncoder encoder(sail::VideoCodec::kVp8, {240, 180});
  page->send_text(video_text("vp8"));
  send(*page, encoder.encode(halves));
  ASSERT_TRUE(eventually([&] { return wall_.window()["frame_size"] == sail::Json{240, 180}; }));
  ChunkEncoder larger(sail::VideoCodec::kVp8, kScreen);
  page->send_text(video_text("vp8"));
  send(*page, larger.encode(turned));
  ASSERT_TRUE(eventually([&] { return wall_.window()["frame_size"] == sail::Json{480, 360}; }));
  expect_shown(turned, "larger");
}

TEST_F(GuestWall, AWindowThatIsClosedEndsTheShare) {
  const auto page = invite();
  ChunkEncoder encoder(sail::VideoCodec::kVp8, kScreen);
  page->send_text(video_text("vp8"));
  send(*page, encoder.encode(halves));
  ASSERT_TRUE(eventually([&] { return !wall_.windows().empty(); }));
  wall_.call("close", {{"window", wall_.window()["window"]}});
  EXPECT_THAT(page->receive().value_or(""), HasSubstr("closed the window"));
}

TEST_F(GuestWall, DamageIsNotShownAndAKeyFrameIsAskedFor) {
  const auto page = invite();
  ChunkEncoder encoder(sail::VideoCodec::kH264, kScreen);
  page->send_text(video_text("avc1.42e028"));
  ChunkEncoder other(sail::VideoCodec::kH264, kScreen);
  (void)other.encode(halves);
  send(*page, other.encode(turned));
  EXPECT_EQ(page->receive(), R"({"type":"key_frame"})") << "no key frame came first";
  send(*page, encoder.encode(halves));
  expect_shown(halves, "whole");
  page->send_binary(chunk_message(false, std::string(5000, '\x01')));
  EXPECT_EQ(page->receive(), R"({"type":"key_frame"})");
  expect_shown(halves, "the last whole picture stays");
  send(*page, encoder.encode(turned, true));
  expect_shown(turned, "mended");
}

TEST_F(GuestWall, AFloodEndsWithItsNewestPicture) {
  const auto page = invite();
  ChunkEncoder encoder(sail::VideoCodec::kVp8, kScreen);
  page->send_text(video_text("vp8"));
  send(*page, encoder.encode(halves));
  constexpr int kFlood = 10'000;
  for (int i = 0; i < kFlood; ++i) page->send_binary(chunk_message(false, "x"));
  send(*page, encoder.encode(turned, true));
  expect_shown(turned, "after the flood");
}

TEST_F(GuestWall, VideoThatCannotBeDecodedEndsTheGuest) {
  const auto page = invite();
  page->send_text(video_text("vp8"));
  // Key frames whose header claims 16383×16383 pixels.
  const std::string lie("\x10\x02\x00\x9d\x01\x2a\xff\x3f\xff\x3f", 10);
  std::optional<std::string> said;
  do {
    page->send_binary(chunk_message(true, lie + std::string(200, '\x55')));
    said = page->receive();
  } while (said == R"({"type":"key_frame"})");
  EXPECT_THAT(said.value_or(""), HasSubstr("cannot be decoded"));
  EXPECT_TRUE(wall_.windows().empty());
}

class GuestWallWithSound : public GuestWall {
 protected:
  GuestWallWithSound() : GuestWall(with_loudspeakers(one_tile_wall())) {
    page_->send_text(video_text("vp8"));
  }
  // Sends the packets that are due until now, as a page does that has just encoded them.
  void play_on(ToneEncoder& tone) {
    const auto now = std::chrono::steady_clock::now();
    for (; sent_until_ <= now; sent_until_ += std::chrono::milliseconds(ToneEncoder::kPacketMs)) {
      sent_us_ += int64_t{ToneEncoder::kPacketMs} * 1000;
      page_->send_binary(sound_message(sent_us_, tone.next()));
    }
  }

  std::chrono::steady_clock::time_point sent_until_ = std::chrono::steady_clock::now();
  int64_t sent_us_ = 0;
  std::unique_ptr<PageSocket> page_ = invite("Ann’s tab");
};

TEST_F(GuestWallWithSound, ATabIsHeard) {
  constexpr int kHz = 500;
  ChunkEncoder encoder(sail::VideoCodec::kVp8, kScreen);
  send(*page_, encoder.encode(halves));
  expect_shown(halves, "its picture");
  ToneEncoder tone(kHz);
  EXPECT_TRUE(eventually([&] {
    play_on(tone);
    return heard_.has_tone(kHz, 0.5);
  }));
}

TEST_F(GuestWallWithSound, SoundThatCannotBeDecodedEndsTheGuest) {
  ChunkEncoder encoder(sail::VideoCodec::kVp8, kScreen);
  send(*page_, encoder.encode(halves));
  expect_shown(halves, "its picture");
  // An Opus packet of code 3 with zero frames, which is invalid.
  for (int i = 1; i <= 40; ++i) page_->send_binary(sound_message(i * 20'000, "\xff"));
  EXPECT_THAT(page_->receive().value_or(""), HasSubstr("the sound cannot be decoded"));
  EXPECT_TRUE(gone());
}

TEST_F(GuestWall, SeveralAtOnceAndNoMoreThanMayBe) {
  constexpr size_t kMost = 8;
  std::vector<std::unique_ptr<PageSocket>> pages;
  for (size_t i = 0; i < kMost; ++i) pages.push_back(invite("Screen " + std::to_string(i)));
  const auto answer = wall_.client().call("invite", sail::Json::object());
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, sail::ErrorCode::kLimit);
  pages.pop_back();
  EXPECT_TRUE(eventually([&] {
    return wall_.client().call("invite", sail::Json::object()).has_value();
  })) << "one has gone";
}

}  // namespace
}  // namespace test
