// Streams whose decoder is a process: the real one, and scripts that do what a decoder could do
// that a film has taken over.
#include "receiver/decode/carried_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <stop_token>
#include <thread>

#include "receiver/decoder/carried_decoder.h"
#include "sail/client/transport/receiver_connection.h"
#include "sail/core/base/sanitized.h"
#include "sail/core/time/clock.h"
#include "tests/unit/receiver/decode/sent_film.h"

namespace receiver {
namespace {

using sail::kSecondNs;
using testing::HasSubstr;

constexpr sail::Size kSmall{146, 98};
constexpr size_t kPictureBytes = size_t{146} * 98 * 4;
constexpr size_t kI420Bytes = size_t{146} * 98 + 2 * (size_t{73} * 49);
constexpr PictureMemory::Shape kMemory{
    .unit_bytes = 1 << 20, .picture_bytes = kPictureBytes, .pictures = 2};

// After the time that a decoder took to end.
constexpr int64_t kLater = 10 * sail::kSecondNs;

class CarriedStreamTest : public testing::Test {
 protected:
  using Decoded = CarriedStream::Decoded;

  Decoded decode(CarriedStream& stream, std::span<const uint8_t> block, int64_t now_ns = 0) {
    return stream.decode(block, plain_, now_ns);
  }
  // A stream's first frame, if this script is its decoder.
  Decoded decode_by_script(const std::string& script, int patience_ms = 60'000) {
    const std::string program = folder_.write("decoder", "#!/bin/sh\n" + script);
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    CarriedStream stream(
        codecs::CodecId::kH264, kSmall, *memory_,
        {.program = program, .limits = {.silent_ms = patience_ms, .block_ms = 60'000}});
    const Decoded decoded = decode(stream, film_.block(0));
    EXPECT_EQ(stream.pid(), 0) << script;
    return decoded;
  }
  void expect_lost(const Decoded& decoded, const std::string& words) {
    EXPECT_EQ(decoded.outcome, CarriedOutcome::kNone);
    EXPECT_TRUE(decoded.lost_its_decoder);
    EXPECT_THAT(decoded.why, HasSubstr(words));
  }
  // The film's picture of this frame.
  std::vector<uint8_t> picture_of(size_t frame) const {
    CarriedDecoder decoder(codecs::CodecId::kH264, kSmall);
    PlainBlock plain(kPictureBytes);
    EXPECT_EQ(decoder.decode(film_.whole(frame), plain), CarriedOutcome::kNew);
    return {plain.data(), plain.data() + kI420Bytes};
  }
  std::vector<uint8_t> decoded_picture() const {
    return {plain_.data(), plain_.data() + kI420Bytes};
  }

  const SentFilm film_{kSmall};
  const sail::TempFolder folder_;
  const std::unique_ptr<PictureMemory> memory_ = PictureMemory::create(kMemory).value();
  PlainBlock plain_{*memory_, 1};
  CarriedStream stream_{codecs::CodecId::kH264, kSmall, *memory_, {.program = DECODER_PROGRAM}};
};

TEST_F(CarriedStreamTest, ThePicturesLieInTheSharedMemory) {
  for (size_t frame = 0; frame < 40; ++frame) {
    const Decoded decoded = decode(stream_, film_.block(frame));
    ASSERT_EQ(decoded.outcome, CarriedOutcome::kNew) << frame << " " << decoded.why;
    EXPECT_EQ(plain_.format, codecs::PixelFormat::kI420);
    EXPECT_EQ(plain_.part, (sail::Rect{0, 0, 146, 98}));
    EXPECT_EQ(decoded_picture(), picture_of(frame)) << frame;
    EXPECT_EQ(decode(stream_, film_.block(frame)).outcome, CarriedOutcome::kSame);
  }
}

TEST_F(CarriedStreamTest, AKilledDecoderIsStartedAgainWithTheUnitsSinceTheKeyPicture) {
  for (size_t frame = 0; frame < 5; ++frame) decode(stream_, film_.block(frame));
  const pid_t killed = stream_.pid();
  ASSERT_GT(killed, 0);
  kill(killed, SIGKILL);
  const Decoded lost = decode(stream_, film_.block(5));
  expect_lost(lost, "killed");
  EXPECT_TRUE(lost.needs_key);
  EXPECT_EQ(kill(killed, 0), -1);
  EXPECT_EQ(errno, ESRCH);

  const Decoded under_way = decode(stream_, film_.block(6));
  EXPECT_EQ(under_way.outcome, CarriedOutcome::kNone);
  EXPECT_FALSE(under_way.needs_key) << "it was asked for";
  EXPECT_FALSE(under_way.lost_its_decoder);
  const Decoded again = decode(stream_, film_.whole(7), kLater);
  EXPECT_EQ(again.outcome, CarriedOutcome::kNew) << again.why;
  EXPECT_EQ(decoded_picture(), picture_of(7));
  EXPECT_EQ(decode(stream_, film_.block(8), kLater).outcome, CarriedOutcome::kNew);
}

TEST_F(CarriedStreamTest, AfterALossTheNextKeyPictureServes) {
  for (size_t frame = 0; frame < 3; ++frame) decode(stream_, film_.block(frame));
  kill(stream_.pid(), SIGKILL);
  Decoded last;
  for (size_t frame = 3; frame < 20; ++frame) {
    last = decode(stream_, film_.block(frame), frame == 3 ? 0 : kLater);
  }
  EXPECT_EQ(last.outcome, CarriedOutcome::kNew) << last.why;
  EXPECT_EQ(decoded_picture(), picture_of(19));
}

TEST_F(CarriedStreamTest, AKeyPictureIsAskedForOnceASecondUntilItComes) {
  decode(stream_, film_.block(0));
  kill(stream_.pid(), SIGKILL);
  EXPECT_TRUE(decode(stream_, film_.block(1), 0).needs_key);
  EXPECT_FALSE(decode(stream_, film_.block(2), kSecondNs / 2).needs_key);
  EXPECT_TRUE(decode(stream_, film_.block(3), 10 * kSecondNs).needs_key);
  EXPECT_FALSE(decode(stream_, film_.block(4), 10 * kSecondNs + kSecondNs / 2).needs_key);
}

TEST_F(CarriedStreamTest, AFilmThatEndsEachDecoderStartsFewer) {
  CarriedStream stream(codecs::CodecId::kH264, kSmall, *memory_, {.program = "/bin/false"});
  int lost = 0;
  for (int64_t second = 0; second < 100; ++second) {
    lost += decode(stream, film_.block(0), second * kSecondNs).lost_its_decoder ? 1 : 0;
  }
  // At 0 s, with the next frame, and then after at least 1, 2, 4, 8, 16, 30 and 30 s.
  EXPECT_GE(lost, 6);
  EXPECT_LE(lost, 9);
}

TEST_F(CarriedStreamTest, NoUnitsStartNoDecoder) {
  const Decoded decoded = decode(stream_, film_.block(3));
  EXPECT_EQ(decoded.outcome, CarriedOutcome::kNone);
  EXPECT_FALSE(decoded.needs_key) << "nothing was lost";
  EXPECT_EQ(stream_.pid(), 0);
  EXPECT_THAT(decode(stream_, std::vector<uint8_t>(7)).why, HasSubstr("invalid access units"));
}

TEST_F(CarriedStreamTest, ADecoderThatEndsIsNamedByItsEnd) {
  expect_lost(decode_by_script("exit 3"), "status 3");
  expect_lost(decode_by_script("kill -SEGV $$"), "signal 11");
}

TEST_F(CarriedStreamTest, ADecoderThatHangsIsKilled) {
  expect_lost(decode_by_script("exec sleep 1000", 20), "did not answer");
}

TEST_F(CarriedStreamTest, ADecoderThatHangsIsKilledWhenItsStreamEnds) {
  const std::string begun = folder_.file("begun");
  const std::string program =
      folder_.write("decoder", "#!/bin/sh\n: > '" + begun + "'; exec sleep 1000");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  CarriedStream stream(codecs::CodecId::kH264, kSmall, *memory_, {.program = program});
  std::stop_source stop;
  auto decoded = std::async(std::launch::async, [&] {
    return stream.decode(film_.block(0), plain_, 0, stop.get_token());
  });
  while (!std::filesystem::exists(begun)) std::this_thread::yield();
  stop.request_stop();
  EXPECT_EQ(decoded.get().outcome, CarriedOutcome::kNone);
  EXPECT_EQ(stream.pid(), 0);
}

TEST_F(CarriedStreamTest, SendersWaitLongerThanReceiversForADecoder) {
  const DecoderProcess::Limits limits;
  EXPECT_GT(sail::ReceiverConnection::report_timeout_ms(codecs::CodecId::kH264),
            std::max(limits.silent_ms, limits.block_ms));
  EXPECT_LT(sail::ReceiverConnection::report_timeout_ms(codecs::CodecId::kDxt1), 5000);
}

TEST_F(CarriedStreamTest, ADecoderThatLiesIsKilled) {
  const std::string stay = "; exec sleep 1000";
  expect_lost(decode_by_script("printf x >&0" + stay), "message of 1 bytes");
  expect_lost(decode_by_script("head -c 25 /dev/zero >&0" + stay), "message of 25 bytes");
  expect_lost(decode_by_script("head -c 24 /dev/zero >&0" + stay), "invalid reply");
  // Number 2; outcome kSame.
  expect_lost(decode_by_script("printf '\\002\\0\\0\\0\\0\\0\\0\\0\\0\\001\\0\\0\\0\\0\\0\\0"
                               "\\0\\0\\0\\0\\0\\0\\0\\0' >&0" +
                               stay),
              "another request");
  // "Working", again and again.
  expect_lost(
      decode_by_script("while printf '\\001\\0\\0\\0\\0\\0\\0\\0\\001\\002\\0\\0\\0\\0\\0\\0"
                       "\\0\\0\\0\\0\\0\\0\\0\\0' >&0; do :; done"),
      "more units");
}

TEST_F(CarriedStreamTest, AMissingProgramIsNamed) {
  CarriedStream stream(codecs::CodecId::kH264, kSmall, *memory_, {.program = folder_.file("none")});
  expect_lost(decode(stream, film_.block(0)), folder_.file("none"));
}

TEST_F(CarriedStreamTest, TheDecoderHasASandboxAndEndsWithItsStream) {
  pid_t pid = 0;
  {
    CarriedStream stream(codecs::CodecId::kH264, kSmall, *memory_, {.program = DECODER_PROGRAM});
    ASSERT_EQ(decode(stream, film_.block(0)).outcome, CarriedOutcome::kNew);
    pid = stream.pid();
    std::ifstream file("/proc/" + std::to_string(pid) + "/status");
    const std::string status{std::istreambuf_iterator<char>(file), {}};
    if (!sail::kSanitized) {
      EXPECT_THAT(status, HasSubstr("Seccomp:\t2"));
      EXPECT_THAT(status, HasSubstr("NoNewPrivs:\t1"));
    }
  }
  EXPECT_EQ(kill(pid, 0), -1);
  EXPECT_EQ(errno, ESRCH);
}

}  // namespace
}  // namespace receiver
