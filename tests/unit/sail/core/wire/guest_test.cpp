#include "sail/core/wire/guest.h"

#include <gtest/gtest.h>

#include "sail/core/text/json.h"

namespace sail {
namespace {

using std::string_literals::operator""s;

Result<GuestMessage> read(std::string_view message) {
  return read_guest_message(message);
}

TEST(GuestMessages, HelloAndVideo) {
  const auto hello = read(R"({"type":"hello","secret":"abc"})");
  ASSERT_TRUE(hello);
  EXPECT_EQ(std::get<GuestHello>(*hello).secret, "abc");
  const std::pair<const char*, VideoCodec> codecs[] = {{"avc1.42e028", VideoCodec::kH264},
                                                       {"vp8", VideoCodec::kVp8},
                                                       {"vp09.00.10.08", VideoCodec::kVp9}};
  for (const auto& [word, codec] : codecs) {
    const auto video = read(Json{{"type", "video"}, {"codec", word}}.dump());
    ASSERT_TRUE(video) << word;
    EXPECT_EQ(std::get<GuestVideo>(*video).codec, codec) << word;
  }
}

TEST(GuestMessages, VideoMaySayWhatItsColoursMean) {
  const auto color = [](const Json& color_space) {
    const auto video =
        read(Json{{"type", "video"}, {"codec", "vp8"}, {"color_space", color_space}}.dump());
    return video ? std::get<GuestVideo>(*video).color : std::nullopt;
  };
  using codecs::ColorMatrix;
  using codecs::ColorRange;
  const std::pair<const char*, ColorMatrix> matrices[] = {{"bt709", ColorMatrix::kBt709},
                                                          {"bt470bg", ColorMatrix::kBt601},
                                                          {"smpte170m", ColorMatrix::kBt601},
                                                          {"bt2020-ncl", ColorMatrix::kBt2020}};
  for (const auto& [word, matrix] : matrices) {
    EXPECT_EQ(color({{"matrix", word}, {"full_range", true}}),
              (codecs::PictureColor{matrix, ColorRange::kFull}));
    EXPECT_EQ(color({{"matrix", word}, {"full_range", false}, {"transfer", "bt709"}}),
              (codecs::PictureColor{matrix, ColorRange::kLimited}));
  }
  for (const Json& wrong : {Json{{"full_range", true}}, Json{{"matrix", "rgb"}}, Json("bt709"),
                            Json{{"matrix", "bt709"}, {"full_range", 1}}}) {
    EXPECT_FALSE(read(Json{{"type", "video"}, {"codec", "vp8"}, {"color_space", wrong}}.dump()))
        << wrong;
  }
}

TEST(GuestMessages, AChunkIsBehindItsHeader) {
  const std::string message = "\x01\x01\x00\x00\x40\x42\x0f\x00\x00\x00\x00\x00picture"s;
  const auto read_back = read(message);
  ASSERT_TRUE(read_back);
  const auto& chunk = std::get<GuestChunk>(*read_back);
  EXPECT_TRUE(chunk.key);
  EXPECT_EQ(chunk.timestamp_us, 1'000'000);
  EXPECT_EQ(std::string(chunk.bytes.begin(), chunk.bytes.end()), "picture");
}

TEST(GuestMessages, SoundIsShort) {
  const std::string header = "\x02\x00\x00\x00\x40\x42\x0f\x00\x00\x00\x00\x00"s;
  const auto sound = read(header + "tone");
  ASSERT_TRUE(sound);
  EXPECT_EQ(std::get<GuestSound>(*sound).timestamp_us, 1'000'000);
  EXPECT_EQ(std::get<GuestSound>(*sound).bytes.size(), 4U);
  const std::string longest = header + std::string(kMaxGuestSound - kGuestHeaderBytes, 'x');
  EXPECT_TRUE(read(longest));
  const auto longer = read(longest + "x");
  ASSERT_FALSE(longer);
  EXPECT_EQ(longer.error().code, ErrorCode::kLimit);
}

TEST(GuestMessages, WhatIsNoneIsRefused) {
  const std::string header = "\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"s;
  for (const std::string& wrong :
       {""s, "{"s, "{}"s, "[]"s, R"({"type":"video"})"s, R"({"type":"video","codec":"av01.0"})"s,
        R"({"type":"hello","secret":7})"s, R"({"type":"sing"})"s, header, header.substr(1) + "x",
        "\x03"s + header.substr(1) + "x", "\x01\x02"s + header.substr(2) + "x",
        "\x01\x00\x01"s + header.substr(3) + "x", header.substr(0, 11) + "\x80x",
        header.substr(0, 11) + "\x7fx", "\x02\x01"s + header.substr(2) + "x",
        std::string(kMaxGuestText, ' ') + R"({"type":"hello"})"}) {
    EXPECT_FALSE(read(wrong)) << wrong;
  }
  const std::string longest = header + std::string(kMaxGuestMessage - kGuestHeaderBytes, 'x');
  EXPECT_TRUE(read(longest));
  const auto longer = read(longest + "x");
  ASSERT_FALSE(longer);
  EXPECT_EQ(longer.error().code, ErrorCode::kLimit);
}

TEST(GuestMessages, WhatAGuestSays) {
  EXPECT_EQ(guest_word("key_frame"), R"({"type":"key_frame"})");
  EXPECT_EQ(guest_close("no \x01 more"), R"({"reason":"no ? more","type":"close"})");
}

}  // namespace
}  // namespace sail
