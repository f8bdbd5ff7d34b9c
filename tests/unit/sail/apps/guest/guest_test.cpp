// A guest's parts: selection of decodable chunks, access control, and the decoder.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <vector>

#include "sail/apps/guest/guest_chunks.h"
#include "sail/apps/guest/guest_server.h"
#include "sail/apps/guest/guest_show.h"
#include "sail/core/socket/listening_socket.h"
#include "sail/core/time/clock.h"
#include "sail/media/ffmpeg/media_source_chunks.h"
#include "sail/media/ffmpeg/sound/media_source_opus.h"
#include "sail/media/ffmpeg/sound/media_source_sound.h"
#include "tests/support/guest_peer.h"

namespace sail {
namespace {

using test::chunk_message;
using test::PageSocket;
using test::video_text;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::chrono::seconds kLong(20);

// --- decodable chunks

QueuedChunk chunk(uint64_t number, bool key, uint32_t format = 1) {
  return {.number = number, .format = format, .key = key};
}

TEST(ChunkGate, OpensWithAKeyFrameAndShutsWithAGap) {
  ChunkGate gate;
  EXPECT_FALSE(gate.admit(chunk(1, false))) << "no key frame came first";
  EXPECT_TRUE(gate.admit(chunk(2, true)));
  EXPECT_TRUE(gate.admit(chunk(3, false)));
  EXPECT_FALSE(gate.admit(chunk(5, false))) << "4 was dropped";
  EXPECT_TRUE(gate.take_request());
  EXPECT_FALSE(gate.admit(chunk(6, false)));
  EXPECT_FALSE(gate.take_request()) << "once is enough";
  EXPECT_TRUE(gate.admit(chunk(7, true)));
  EXPECT_FALSE(gate.take_request());
  gate.close();
  EXPECT_TRUE(gate.take_request());
  EXPECT_FALSE(gate.admit(chunk(8, false)));
}

TEST(ChunkGate, AnotherFormatBeginsWithAKeyFrame) {
  ChunkGate gate;
  EXPECT_TRUE(gate.admit(chunk(1, true)));
  EXPECT_FALSE(gate.admit(chunk(2, false, 2)));
  EXPECT_TRUE(gate.admit(chunk(3, true, 2)));
}

TEST(QueuedChunks, WhatIsBeforeTheLastKeyFrameIsPassedOver) {
  std::vector<QueuedChunk> chunks;
  for (const bool key : {false, true, false, true, false}) chunks.push_back(chunk(1, key));
  EXPECT_EQ(begin_of(chunks), 3U);
  chunks.resize(1);
  EXPECT_EQ(begin_of(chunks), 0U);
}

// The page sends each chunk while another one is taken.
TEST(QueuedChunks, NoneIsLostHoweverManyCome) {
  constexpr uint64_t kAll = 40;
  uint64_t last = 0;
  const auto take = [&] {
    return last < kAll ? std::optional(chunk(++last, false)) : std::nullopt;
  };
  std::vector<QueuedChunk> chunks;
  std::vector<uint64_t> numbers;
  for (take_chunks(chunks, 16, take); !chunks.empty(); take_chunks(chunks, 16, take)) {
    EXPECT_LE(chunks.size(), 16U);
    for (const QueuedChunk& each : chunks) numbers.push_back(each.number);
  }
  EXPECT_EQ(numbers.size(), kAll);
}

// --- connections of the page

class GuestServerTest : public testing::Test {
 protected:
  void start(int64_t wait_timeout_ms = 60'000) {
    auto socket = listening_socket({"127.0.0.1", 0});
    ASSERT_TRUE(socket) << socket.error().message;
    port_ = listening_address(socket->get())->port;
    auto server = GuestServer::start(
        {.listening = socket->take(), .secret = "open sesame", .wait_timeout_ms = wait_timeout_ms});
    ASSERT_TRUE(server) << server.error().message;
    server_ = std::move(*server);
  }
  // Connects and authenticates.
  std::unique_ptr<PageSocket> page() {
    auto made = std::make_unique<PageSocket>(port_);
    EXPECT_TRUE(made->send_hello("open sesame"));
    EXPECT_EQ(made->receive(), R"({"type":"ready"})");
    return made;
  }
  void expect_state(GuestServer::State state) {
    const auto deadline = std::chrono::steady_clock::now() + kLong;
    while (server_->state() != state && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::yield();
    }
    EXPECT_EQ(server_->state(), state);
  }
  static void expect_refused(PageSocket& socket, const char* why) {
    EXPECT_THAT(socket.receive().value_or(""), HasSubstr(why));
    EXPECT_EQ(socket.receive(), std::nullopt) << "and the connection ends";
  }

  uint16_t port_ = 0;
  std::unique_ptr<GuestServer> server_;
};

TEST_F(GuestServerTest, ChunksComeInOrderWithTheirFormat) {
  start();
  const auto page_socket = page();
  expect_state(GuestServer::State::kOpen);
  page_socket->send_text(video_text("vp8"));
  page_socket->send_binary(chunk_message(true, "one"));
  page_socket->send_binary(chunk_message(false, std::string(300'000, 'x')));
  page_socket->send_text(video_text("avc1.42e028"));
  page_socket->send_binary(chunk_message(true, "three"));
  const auto one = server_->take(kLong);
  ASSERT_TRUE(one);
  EXPECT_EQ(std::string(one->bytes.begin(), one->bytes.end()), "one");
  EXPECT_TRUE(one->key);
  EXPECT_EQ(one->number, 1U);
  EXPECT_EQ(one->video.codec, VideoCodec::kVp8);
  const auto two = server_->take(kLong);
  ASSERT_TRUE(two);
  EXPECT_EQ(two->bytes.size(), 300'000U);
  EXPECT_FALSE(two->key);
  const auto three = server_->take(kLong);
  ASSERT_TRUE(three);
  EXPECT_EQ(three->format, one->format + 1);
  EXPECT_EQ(three->video.codec, VideoCodec::kH264);
  server_->ask_for_key_frame();
  EXPECT_EQ(page_socket->receive(), R"({"type":"key_frame"})");
}

TEST_F(GuestServerTest, SoundWaitsForNoPictures) {
  start();
  const auto page_socket = page();
  constexpr int kFlood = 1000;
  for (int i = 1; i <= kFlood; ++i) {
    page_socket->send_binary(test::sound_message(i, std::to_string(i)));
  }
  page_socket->send_text(video_text("vp8"));
  page_socket->send_binary(chunk_message(true, "one"));
  ASSERT_TRUE(server_->take(kLong)) << "by then all of the sound is here";
  size_t taken = 0;
  int64_t last_us = 0;
  while (const auto sound = server_->take_sound()) {
    ++taken;
    EXPECT_GT(sound->timestamp_us, last_us);
    last_us = sound->timestamp_us;
    EXPECT_EQ(std::string(sound->bytes.begin(), sound->bytes.end()), std::to_string(last_us));
  }
  EXPECT_EQ(taken, GuestServer::kMostSounds) << "the oldest are left out";
  EXPECT_EQ(last_us, kFlood);
  page_socket->send_binary(test::sound_message(1, std::string(kMaxGuestSound, 'x')));
  expect_refused(*page_socket, "sound is longer than");
}

TEST_F(GuestServerTest, TheSecretIsGoodOnce) {
  start();
  PageSocket wrong(port_);
  wrong.send_hello("open, please");
  expect_refused(wrong, "wrong secret");
  const auto first = page();
  PageSocket second(port_);
  second.send_hello("open sesame");
  expect_refused(second, "already been used");
  first->close();
  expect_state(GuestServer::State::kLeft);
  PageSocket third(port_);
  third.send_hello("open sesame");
  expect_refused(third, "already been used");
}

TEST_F(GuestServerTest, PagesOfOtherHostsAreRefused) {
  start();
  EXPECT_THAT(PageSocket(port_, "http://evil.example").status(), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(PageSocket(port_, "null").status(), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(PageSocket(port_, "https://127.0.0.1").status(), StartsWith("HTTP/1.1 101"));
}

TEST_F(GuestServerTest, StrangersSayLittleAndKeepNobodyOut) {
  start();
  PageSocket talker(port_);
  talker.send_text(std::string(5000, 'x'));
  expect_refused(talker, "bytes");
  std::vector<std::unique_ptr<PageSocket>> silent;
  for (int i = 0; i < 20; ++i) silent.push_back(std::make_unique<PageSocket>(port_));
  page();
}

TEST_F(GuestServerTest, VideoBeginsWithItsFormat) {
  start();
  const auto page_socket = page();
  page_socket->send_binary(chunk_message(true, "one"));
  expect_refused(*page_socket, "video format");
  expect_state(GuestServer::State::kLeft);
}

TEST_F(GuestServerTest, MessagesThatAreTooLongEndThePage) {
  start();
  const auto page_socket = page();
  page_socket->send_text(video_text("vp8"));
  page_socket->send_binary(std::string(kMaxGuestMessage + 1, 'x'));
  expect_state(GuestServer::State::kLeft);
}

TEST_F(GuestServerTest, APageMayCloseWithinAMessage) {
  start();
  const auto page_socket = page();
  page_socket->send_text(video_text("vp8"));
  page_socket->send_raw(std::string("\x82\xfe\x10\x00", 4) + std::string(100, '\0'));
  page_socket->close();
  expect_state(GuestServer::State::kLeft);
  EXPECT_FALSE(server_->take({}));
}

TEST_F(GuestServerTest, AFloodIsDroppedAndMissed) {
  start();
  const auto page_socket = page();
  page_socket->send_text(video_text("vp8"));
  constexpr uint64_t kFlood = 10'000;
  for (uint64_t i = 0; i < kFlood; ++i) page_socket->send_binary(chunk_message(i == 0, "x"));
  uint64_t last = 0;
  size_t taken = 0;
  while (last < kFlood) {
    const auto next = server_->take(kLong);
    ASSERT_TRUE(next);
    EXPECT_GT(next->number, last);
    last = next->number;
    ++taken;
  }
  EXPECT_LE(taken, kFlood);
}

TEST_F(GuestServerTest, WhoDoesNotComeIsNotWaitedFor) {
  start(50);
  expect_state(GuestServer::State::kNobodyCame);
  PageSocket late(port_);
  late.send_hello("open sesame");
  expect_refused(late, "already been used");
}

TEST_F(GuestServerTest, ThePageIsToldWhyItEnds) {
  start();
  const auto page_socket = page();
  server_->set_close_reason("that is all");
  std::thread ending([this] { server_.reset(); });
  EXPECT_EQ(page_socket->receive(), R"({"reason":"that is all","type":"close"})");
  page_socket->close();
  ending.join();
}

// --- the decoder

constexpr Size kSize{320, 240};

uint32_t halves(int x, int /*y*/) {
  return x < kSize.width / 2 ? 0xd02020 : 0x2040c0;
}

std::span<const uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// Luma byte at a position.
int luma_at(const Picture& picture, int x, int y) {
  return picture.pixels.planes[0][y * picture.pixels.strides[0] + x];
}

class ChunkDecoderTest : public testing::TestWithParam<VideoCodec> {};
INSTANTIATE_TEST_SUITE_P(Codecs, ChunkDecoderTest,
                         testing::Values(VideoCodec::kH264, VideoCodec::kVp8));

TEST_P(ChunkDecoderTest, EachChunkIsAPictureAtOnce) {
  test::ChunkEncoder encoder(GetParam(), kSize);
  auto decoder = ChunkDecoder::open({GetParam()});
  ASSERT_TRUE(decoder);
  for (int i = 0; i < 10; ++i) {
    const bool turned = i % 2 != 0;
    const auto made =
        encoder.encode([&](int x, int y) { return halves(turned ? kSize.width - 1 - x : x, y); });
    EXPECT_TRUE(made.key || i > 0);
    const auto picture = (*decoder)->decode(bytes_of(made.bytes));
    ASSERT_TRUE(picture) << picture.error().message;
    ASSERT_TRUE(*picture) << "no picture late";
    EXPECT_EQ((*picture)->size, kSize);
    EXPECT_EQ((*picture)->pixels.format, SAIL_I420);
    EXPECT_NEAR(luma_at(**picture, turned ? 240 : 80, 120), 89, 4) << i;
    EXPECT_NEAR(luma_at(**picture, turned ? 80 : 240, 120), 75, 4) << i;
  }
}

TEST_P(ChunkDecoderTest, GarbageIsRefusedAndAKeyFrameMendsIt) {
  test::ChunkEncoder encoder(GetParam(), kSize);
  auto decoder = ChunkDecoder::open({GetParam()});
  ASSERT_TRUE(decoder);
  ASSERT_TRUE((*decoder)->decode(bytes_of(encoder.encode(halves).bytes)));
  for (const std::string& garbage :
       {std::string(1000, '\0'), std::string(3, '\x7f'), encoder.encode(halves).bytes.substr(0, 2),
        std::string(100'000, '\xff')}) {
    const auto answer = (*decoder)->decode(bytes_of(garbage));
    EXPECT_TRUE(!answer || !*answer || (*answer)->size == kSize);
  }
  const auto mended = (*decoder)->decode(bytes_of(encoder.encode(halves, true).bytes));
  ASSERT_TRUE(mended) << mended.error().message;
  ASSERT_TRUE(*mended);
  EXPECT_NEAR(luma_at(**mended, 80, 120), 89, 4);
}

// Without colour information in hello or video: BT.601 at any size, as in browsers.
TEST_P(ChunkDecoderTest, ColoursAreTheToldOnesWhateverTheVideoSays) {
  constexpr Size kHd{1280, 720};
  using codecs::ColorMatrix;
  using codecs::ColorRange;
  const struct {
    std::optional<codecs::PictureColor> reported;
    sail_color_matrix matrix;
    sail_color_range range;
  } cases[] = {
      {std::nullopt, SAIL_BT601, SAIL_LIMITED},
      {{{ColorMatrix::kBt709, ColorRange::kFull}}, SAIL_BT709, SAIL_FULL},
      {{{ColorMatrix::kBt601, ColorRange::kLimited}}, SAIL_BT601, SAIL_LIMITED},
  };
  test::ChunkEncoder encoder(GetParam(), kHd);
  const auto made = encoder.encode(halves, true);
  for (const auto& one : cases) {
    auto decoder = ChunkDecoder::open({GetParam(), one.reported});
    ASSERT_TRUE(decoder);
    const auto picture = (*decoder)->decode(bytes_of(made.bytes));
    ASSERT_TRUE(picture && *picture);
    EXPECT_EQ((*picture)->pixels.matrix, one.matrix);
    EXPECT_EQ((*picture)->pixels.range, one.range);
    EXPECT_NEAR(luma_at(**picture, 80, 120), 89, 4) << "no sample is changed";
  }
}

// Header of a key frame that claims 16383×16383, the maximum of VP8.
TEST(ChunkDecoder, SizesThatAreLiesTakeNoMemory) {
  auto decoder = ChunkDecoder::open({VideoCodec::kVp8});
  ASSERT_TRUE(decoder);
  std::string head("\x10\x02\x00\x9d\x01\x2a\xff\x3f\xff\x3f", 10);
  EXPECT_FALSE((*decoder)->decode(bytes_of(head + std::string(200, '\x55'))));
}

TEST(ChunkDecoder, SizesMayChange) {
  test::ChunkEncoder small(VideoCodec::kVp8, {64, 48});
  test::ChunkEncoder large(VideoCodec::kVp8, kSize);
  auto decoder = ChunkDecoder::open({VideoCodec::kVp8});
  ASSERT_TRUE(decoder);
  for (auto* encoder : {&small, &large, &small}) {
    const auto picture = (*decoder)->decode(bytes_of(encoder->encode(halves, true).bytes));
    ASSERT_TRUE(picture);
    ASSERT_TRUE(*picture);
    EXPECT_EQ((*picture)->size, encoder == &large ? kSize : (Size{64, 48}));
  }
}

// --- sound

TEST(EvenTimes, PiecesAreHeardEvenlyHoweverTheyCome) {
  EvenTimes times;
  const auto first = times.time_of(7000 * kMillisecondNs, 100 * kMillisecondNs);
  EXPECT_FALSE(first.anew);
  EXPECT_GT(first.at_ns, 100 * kMillisecondNs);
  // 20 ms later with delay, and one early.
  const auto late = times.time_of(7020 * kMillisecondNs, 160 * kMillisecondNs);
  EXPECT_EQ(late.at_ns, first.at_ns + 20 * kMillisecondNs);
  EXPECT_FALSE(late.anew);
  const auto early = times.time_of(7040 * kMillisecondNs, 141 * kMillisecondNs);
  EXPECT_NEAR(static_cast<double>(early.at_ns - first.at_ns), 40.0 * kMillisecondNs,
              0.2 * kMillisecondNs);
  // Delayed by a second, or the clock was set: restart.
  const auto held_up = times.time_of(7060 * kMillisecondNs, 1200 * kMillisecondNs);
  EXPECT_TRUE(held_up.anew);
  EXPECT_GT(held_up.at_ns, 1200 * kMillisecondNs);
  EXPECT_TRUE(times.time_of(kMaxTimeNs, 1220 * kMillisecondNs).anew);
  EXPECT_TRUE(times.time_of(0, 1240 * kMillisecondNs).anew);
  EXPECT_FALSE(times.time_of(20 * kMillisecondNs, 1260 * kMillisecondNs).anew);
}

// Clocks drift, and senders round. The test is long enough to make a cumulative error audible.
TEST(EvenTimes, AClockThatIsFasterOrSlowerIsFollowed) {
  constexpr int64_t kPieceNs = 20'000'000;
  constexpr int64_t kPiecesAnHour = 3600 * kSecondNs / kPieceNs;
  for (const int64_t wrong_ns : {-4000, 4000}) {  // 200 parts in a million
    EvenTimes times;
    int64_t last_ns = times.time_of(0, 0).at_ns;
    for (int64_t n = 1; n < kPiecesAnHour; ++n) {
      const int64_t late_ns = n % 7 * 5'000'000;
      const int64_t now_ns = n * kPieceNs + late_ns;
      const auto time = times.time_of(n * (kPieceNs + wrong_ns), now_ns);
      ASSERT_FALSE(time.anew) << n;
      ASSERT_LT(std::abs(time.at_ns - last_ns - kPieceNs), 500'000) << "evenly: " << n;
      ASSERT_LT(std::abs(time.at_ns - n * kPieceNs - EvenTimes::kAheadNs), 40'000'000) << n;
      last_ns = time.at_ns;
    }
  }
}

TEST(OpusDecoder, ATonePassesAndGarbageBetweenDoesNotEndIt) {
  constexpr int kHz = 500;
  test::ToneEncoder encoder(kHz);
  auto decoder = OpusDecoder::open();
  ASSERT_TRUE(decoder) << decoder.error().message;
  std::vector<float> left;
  for (int i = 0; i < 60; ++i) {
    const auto samples = (*decoder)->decode(bytes_of(encoder.next()));
    ASSERT_TRUE(samples) << samples.error().message;
    EXPECT_EQ(samples->size() % kSoundChannels, 0U);
    for (size_t s = 0; i >= 10 && s < samples->size(); s += kSoundChannels) {
      left.push_back((*samples)[s]);
    }
  }
  ASSERT_NEAR(static_cast<double>(left.size()), kSoundRate, kSoundRate * 0.01);
  int crossings = 0;
  for (size_t i = 1; i < left.size(); ++i) crossings += left[i - 1] < 0 && left[i] >= 0 ? 1 : 0;
  EXPECT_NEAR(crossings, kHz, 5);
  EXPECT_NEAR(*std::ranges::max_element(left), 0.5, 0.05);

  uint32_t noise = 1;
  for (int i = 0; i < 2000; ++i) {
    std::string garbage(static_cast<size_t>(1 + i % 300), '\0');
    for (char& byte : garbage)
      byte = static_cast<char>((noise = noise * 1664525 + 1013904223) >> 24);
    const auto answer = (*decoder)->decode(bytes_of(garbage));
    constexpr size_t kMostSamples = kSoundRate / 8;  // a packet has at most 120 ms
    if (answer) {
      EXPECT_LE(answer->size(), kMostSamples * kSoundChannels);
    } else {
      EXPECT_THAT(answer.error().message, HasSubstr("cannot be decoded"));
    }
  }
  EXPECT_TRUE((*decoder)->decode(bytes_of(encoder.next())));
}

TEST(GuestOptions, WaitAndThoseOfAllPrograms) {
  const char* const words[] = {"vitrail-guest", "--title=Ann’s screen", "--wait", "5"};
  const auto parsed = parse_guest_options(4, words);
  ASSERT_TRUE(std::holds_alternative<GuestOptions>(parsed));
  EXPECT_EQ(std::get<GuestOptions>(parsed).title, "Ann’s screen");
  EXPECT_EQ(std::get<GuestOptions>(parsed).wait_s, 5);
  const char* const wrong[] = {"vitrail-guest", "--wait", "0"};
  EXPECT_FALSE(std::holds_alternative<GuestOptions>(parse_guest_options(3, wrong)));
}

}  // namespace
}  // namespace sail
