#include "receiver/decode/decoder_messages.h"

#include <gtest/gtest.h>

#include <span>

#include "sail/core/text/limits.h"

namespace receiver {
namespace {

using codecs::PixelFormat;
using Kind = CarriedFault::Kind;

constexpr PictureMemory::Shape kSixPictures{
    .unit_bytes = 1000, .picture_bytes = 4096, .pictures = 6};

TEST(DecoderMessages, RequestsComeBack) {
  for (const DecodeRequest& request :
       {DecodeRequest{.number = 1, .unit_bytes = 0, .place = 0},
        DecodeRequest{.number = sail::kMaxCounter, .unit_bytes = 1000, .place = 5}}) {
    const auto again = decode_request(encode_request(request), kSixPictures);
    ASSERT_TRUE(again) << again.error().text;
    EXPECT_EQ(*again, request);
  }
}

TEST(DecoderMessages, RequestsBeyondTheMemoryAreRefused) {
  for (const DecodeRequest& request :
       {DecodeRequest{.number = 1, .unit_bytes = 1001, .place = 0},
        DecodeRequest{.number = 1, .unit_bytes = 1, .place = 6},
        DecodeRequest{.number = 0, .unit_bytes = 1, .place = 1},
        DecodeRequest{.number = 1, .unit_bytes = 0xffffffff, .place = 0xffffffff}}) {
    EXPECT_FALSE(decode_request(encode_request(request), kSixPictures));
  }
}

TEST(DecoderMessages, RepliesComeBack) {
  for (const DecodeReply& reply :
       {DecodeReply{.number = 1, .working = true},
        DecodeReply{.number = 2, .outcome = CarriedOutcome::kNew, .format = PixelFormat::kI420},
        DecodeReply{.number = 3,
        .outcome = CarriedOutcome::kNew,
        .format = PixelFormat::kI422,
        .fault = {.kind = Kind::kDamagedUnit}},
        DecodeReply{.number = 4, .outcome = CarriedOutcome::kSame},
        DecodeReply{.number = 5, .fault = {.kind = Kind::kOtherSize, .picture = {640, 480}}}}) {
    const auto again = decode_reply(encode_reply(reply));
    ASSERT_TRUE(again) << again.error().text;
    EXPECT_EQ(*again, reply);
  }
}

TEST(DecoderMessages, RepliesThatCannotBeAreRefused) {
  for (const DecodeReply& reply :
       {DecodeReply{.number = 0, .outcome = CarriedOutcome::kSame},
        DecodeReply{.number = 1, .outcome = CarriedOutcome::kNew},
        DecodeReply{.number = 1, .outcome = CarriedOutcome::kNew, .format = PixelFormat::kBgra},
        DecodeReply{.number = 1, .outcome = CarriedOutcome::kSame, .format = PixelFormat::kI420},
        DecodeReply{.number = 1, .outcome = static_cast<CarriedOutcome>(3)},
        DecodeReply{.number = 1, .fault = {.kind = static_cast<Kind>(7)}},
        DecodeReply{.number = 1, .fault = {.kind = Kind::kOtherSize}},
        DecodeReply{.number = 1, .fault = {.kind = Kind::kOtherSize, .picture = {-1, 4}}},
        DecodeReply{.number = 1, .fault = {.kind = Kind::kNone, .picture = {4, 4}}},
        DecodeReply{.number = 1, .working = true, .outcome = CarriedOutcome::kSame}}) {
    EXPECT_FALSE(decode_reply(encode_reply(reply)));
  }
}

TEST(DecoderMessages, OfAnotherLengthAreRefused) {
  const DecoderMessage request = encode_request({.number = 1});
  const DecoderMessage reply = encode_reply({.number = 1});
  for (size_t bytes = 0; bytes < kDecoderMessageBytes; ++bytes) {
    EXPECT_FALSE(decode_request(std::span(request).first(bytes), kSixPictures));
    EXPECT_FALSE(decode_reply(std::span(reply).first(bytes)));
  }
}

}  // namespace
}  // namespace receiver
