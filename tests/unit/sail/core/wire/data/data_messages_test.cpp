// Takes the dumps of sail/PROTOCOL.md as valid messages (protocol_text_test.cpp) and breaks them.
#include "sail/core/wire/data/data_messages.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/unit/sail/core/wire/data/reencode.h"
#include "tests/unit/sail/core/wire/protocol_text.h"

namespace sail {
namespace {

using Bytes = std::vector<uint8_t>;

std::vector<std::pair<std::string, Bytes>> golden() {
  std::vector<std::pair<std::string, Bytes>> messages;
  for (const Example& example : protocol_examples()) {
    if (example.kind == "hex") messages.emplace_back(example.name, hex_example(example.name));
  }
  return messages;
}

// Writes little-endian at an offset from the start of the message.
void put(Bytes& message, size_t offset, size_t bytes, uint64_t value) {
  for (size_t i = 0; i < bytes; ++i)
    message.at(offset + i) = static_cast<uint8_t>(value >> (8 * i));
}

// Sets the header's length to the body's length.
void fix_length(Bytes& message) {
  put(message, 12, 4, message.size() - kDataHeaderBytes);
}

// Returns the reason for the refusal; kNormal if the message is accepted.
CloseReason refusal(const Bytes& message) {
  const auto result = reencode_data(message);
  if (result) return CloseReason::kNormal;
  EXPECT_FALSE(result.error().text.empty());
  return result.error().reason;
}

TEST(DataMessages, AreRefusedWhenTruncatedOrTooLong) {
  for (const auto& [name, message] : golden()) {
    for (size_t bytes = 0; bytes < message.size(); ++bytes) {
      const Bytes part(message.begin(), message.begin() + static_cast<ptrdiff_t>(bytes));
      EXPECT_EQ(refusal(part), CloseReason::kBadMessage) << name << " cut to " << bytes;
      if (bytes < kDataHeaderBytes) continue;
      Bytes honest = part;
      fix_length(honest);
      // A shorter close has less text, and pictures contain as many rows as they have.
      if (name == "close" && bytes >= kDataHeaderBytes + 4) continue;
      if (name == "multicast_state" && bytes >= kDataHeaderBytes + 12) continue;
      if (name == "memory_state" && bytes >= kDataHeaderBytes + 4) continue;
      if (name == "sound" && (bytes - kDataHeaderBytes - kSoundFixedBytes) % 4 == 0) continue;
      if (name == "picture_rows" && bytes >= kDataHeaderBytes + kPictureRowsFixedBytes + 4)
        continue;
      EXPECT_EQ(refusal(honest), CloseReason::kBadMessage) << name << " shortened to " << bytes;
    }
    if (name == "close" || name == "picture_rows") continue;
    Bytes longer = message;
    longer.push_back(0);
    fix_length(longer);
    EXPECT_EQ(refusal(longer), CloseReason::kBadMessage) << name;
  }
}

// Decoders check only the body: a reader may call them with any length.
TEST(DataMessages, DecodersTakeBodiesOfAnyLength) {
  const Bytes bytes(70'000, 1);
  for (size_t count = 0; count < 100; ++count) {
    const auto body = std::span(bytes).first(count);
    EXPECT_FALSE(decode_stream_open(body));
    EXPECT_FALSE(decode_stream_accept(body));
    EXPECT_FALSE(decode_frame_begin(body));
    EXPECT_FALSE(decode_block_run(body));
    EXPECT_FALSE(decode_frame_end(body));
    EXPECT_FALSE(decode_frame_report(body));
    EXPECT_FALSE(decode_frame_ready(body) && count != 40);
    EXPECT_FALSE(decode_frame_show(body) && count != 24);
    EXPECT_FALSE(decode_sound_open(body) && count != 8);
    EXPECT_FALSE(decode_sound(body));
    EXPECT_FALSE(decode_group_open(body) && count != 8);
    EXPECT_FALSE(decode_group_ready(body));
    EXPECT_FALSE(decode_group_decision(body));
    EXPECT_FALSE(decode_close(body));
    EXPECT_FALSE(decode_snapshot_request(body) && count != 16);
    EXPECT_FALSE(decode_picture_begin(body));
    EXPECT_FALSE(decode_picture_rows(body));
  }
  EXPECT_FALSE(decode_close(bytes));
  EXPECT_FALSE(decode_picture_begin(bytes));
}

// Accepted messages are encoded to the same bytes, so every byte has a meaning or is checked.
TEST(DataMessages, NoByteIsIgnored) {
  for (const auto& [name, message] : golden()) {
    for (size_t at = 0; at < message.size(); ++at) {
      for (int value = 0; value < 256; ++value) {
        Bytes changed = message;
        changed[at] = static_cast<uint8_t>(value);
        const auto again = reencode_data(changed);
        if (!again) continue;
        ASSERT_EQ(*again, changed) << name << " byte " << at << " = " << value;
      }
    }
  }
}

TEST(DataHeader, IsChecked) {
  for (const auto& [name, message] : golden()) {
    for (size_t at = 0; at < 4; ++at) {
      Bytes wrong = message;
      wrong[at] ^= 0x20;
      EXPECT_EQ(refusal(wrong), CloseReason::kBadMagic) << name;
    }
    for (const int version : {0, kDataProtocol - 1, kDataProtocol + 1, 255}) {
      Bytes wrong = message;
      put(wrong, 4, 1, static_cast<uint64_t>(version));
      EXPECT_EQ(refusal(wrong), CloseReason::kBadVersion) << name;
    }
    for (const int type : {0, 25, 255}) {
      Bytes wrong = message;
      put(wrong, 5, 1, static_cast<uint64_t>(type));
      EXPECT_EQ(refusal(wrong), CloseReason::kBadMessage) << name;
    }
    for (const size_t at : {6u, 7u}) {
      Bytes wrong = message;
      wrong[at] = 1;
      EXPECT_EQ(refusal(wrong), CloseReason::kBadMessage) << name;
    }
    Bytes stranger = message;
    put(stranger, 8, 4, message[8] == 0 ? 7 : 0);
    EXPECT_EQ(refusal(stranger), name == "close" ? CloseReason::kNormal : CloseReason::kBadMessage)
        << name;
    // The header is sufficient to refuse a body that is too long, before memory is allocated.
    Bytes huge = message;
    put(huge, 12, 4, kMaxMessageBody + 1);
    const auto header = decode_header(std::span(huge).first<kDataHeaderBytes>());
    ASSERT_FALSE(header);
    EXPECT_EQ(header.error().reason, CloseReason::kLimit) << name;
  }
}

TEST(DataHeader, BodiesHaveTheLengthOfTheirType) {
  const auto taken = [](DataType type, size_t body_bytes) {
    const uint32_t stream = type <= DataType::kClose || type >= DataType::kFrameReady ? 1 : 0;
    const auto bytes = encode_header({type, stream, static_cast<uint32_t>(body_bytes)});
    return decode_header(bytes).has_value();
  };
  struct Case {
    DataType type;
    size_t min;
    size_t max;
  };
  for (const auto& [type, min, max] :
       {Case{DataType::kStreamOpen, 28, 28},      Case{DataType::kStreamAccept, 28, 28},
        Case{DataType::kFrameBegin, 40, 40},      Case{DataType::kBlockRun, 20, kMaxMessageBody},
        Case{DataType::kFrameEnd, 32, 32},        Case{DataType::kFrameReport, 40, 40},
        Case{DataType::kClose, 4, 516},           Case{DataType::kSnapshotRequest, 16, 16},
        Case{DataType::kPictureBegin, 25, 49240}, Case{DataType::kPictureRows, 12, kMaxMessageBody},
        Case{DataType::kPictureEnd, 0, 0},        Case{DataType::kFrameReady, 40, 40},
        Case{DataType::kFrameShow, 24, 24},       Case{DataType::kSoundOpen, 8, 8},
        Case{DataType::kSoundAccept, 0, 0},       Case{DataType::kSound, 16, 8208},
        Case{DataType::kGroupOpen, 8, 8},         Case{DataType::kGroupReady, 48, 48},
        Case{DataType::kGroupDecision, 24, 24},   Case{DataType::kMulticastJoin, 44, 44},
        Case{DataType::kMulticastState, 12, 524}, Case{DataType::kMemoryOffer, 8, 8},
        Case{DataType::kMemoryState, 4, 516},     Case{DataType::kBlockPlaces, 28, 12304}}) {
    EXPECT_TRUE(taken(type, min)) << data_type_name(type);
    EXPECT_TRUE(taken(type, max)) << data_type_name(type);
    EXPECT_FALSE(taken(type, max + 1)) << data_type_name(type);
    EXPECT_FALSE(min > 0 && taken(type, min - 1)) << data_type_name(type);
  }
}

struct FieldCase {
  const char* message;
  size_t offset;  // offset in the body, as in PROTOCOL.md
  size_t bytes;
  uint64_t value;
  CloseReason reason;
};

constexpr auto kTaken = CloseReason::kNormal;
constexpr auto kBad = CloseReason::kBadMessage;
constexpr auto kOver = CloseReason::kLimit;
constexpr uint64_t kLatest = static_cast<uint64_t>(kMaxTimeNs);

constexpr FieldCase kFields[] = {
    {"stream_open", 0, 8, UINT64_MAX, kTaken},
    {"stream_open", 8, 4, 0, kOver},
    {"stream_open", 8, 4, 1, kTaken},
    {"stream_open", 8, 4, 16384, kTaken},
    {"stream_open", 8, 4, 16385, kOver},
    {"stream_open", 12, 4, 0, kOver},
    {"stream_open", 12, 4, 0xffffffff, kOver},
    {"stream_open", 16, 2, 12, kOver},
    {"stream_open", 16, 2, 16, kTaken},
    {"stream_open", 16, 2, 18, kBad},
    {"stream_open", 16, 2, 16384, kTaken},
    {"stream_open", 16, 2, 16388, kOver},
    {"stream_open", 18, 2, 0, kOver},
    {"stream_open", 18, 2, 66, kBad},
    {"stream_open", 20, 1, 0, CloseReason::kUnsupported},
    {"stream_open", 20, 1, 6, kTaken},
    {"stream_open", 20, 1, 7, kBad},  // H.264 of several blocks
    {"stream_open", 20, 1, 12, CloseReason::kUnsupported},
    {"stream_open", 21, 1, 2, kTaken},
    {"stream_open", 21, 1, 3, CloseReason::kUnsupported},
    {"stream_open", 22, 2, 1, kOver},
    {"stream_open", 22, 2, 472, kTaken},
    {"stream_open", 22, 2, 9112, kTaken},
    {"stream_open", 22, 2, 9113, kOver},
    {"stream_open", 24, 1, 1, kBad},  // without packets
    {"stream_open", 24, 1, 2, kBad},
    {"stream_open", 25, 1, 1, kTaken},
    {"stream_open", 25, 1, 2, kBad},
    {"stream_open", 22, 4, 0x1000000 + 472, kBad},  // with packets
    {"stream_open", 26, 2, 1, kBad},
    {"stream_open", 22, 4, 0x10000 + 455, kOver},
    {"stream_open", 22, 4, 0x10000 + 456, kTaken},
    {"stream_open", 22, 4, 0x10000 + 9096, kTaken},
    {"stream_open", 22, 4, 0x10000 + 9097, kOver},
    {"stream_accept", 0, 2, 0, kOver},
    {"stream_accept", 0, 2, 32, kTaken},
    {"stream_accept", 0, 2, 33, kOver},
    {"stream_accept", 2, 2, 1, kBad},
    {"stream_accept", 12, 8, UINT64_MAX, kTaken},
    // The group's bytes are in network order.
    {"multicast_join", 36, 4, 0x000100e0, kTaken},
    {"multicast_join", 36, 4, 0xff0000e0, kBad},
    {"multicast_join", 36, 4, 0xffffffef, kTaken},
    {"multicast_join", 36, 4, 0x000000f0, kBad},
    {"multicast_join", 24, 2, 0x18ff, kTaken},
    {"multicast_join", 24, 2, 0x3eff, kTaken},
    {"multicast_join", 24, 2, 0x12ff, kTaken},
    {"multicast_join", 24, 2, 0x11ff, kBad},
    {"multicast_join", 24, 2, 0x1fff, kBad},
    {"multicast_join", 24, 2, 0x08ff, kBad},
    {"multicast_join", 24, 2, 0x18fe, kBad},
    {"multicast_join", 34, 6, 0, kBad},  // with a port
    {"multicast_join", 34, 8, 0, kTaken},
    {"multicast_join", 40, 2, 0, kBad},
    {"multicast_join", 42, 2, 1, kBad},
    {"multicast_state", 8, 1, 1, kTaken},
    {"multicast_state", 8, 1, 2, kBad},
    {"multicast_state", 9, 1, 1, kBad},
    {"multicast_state", 10, 2, 1, kBad},
    {"multicast_state", 12, 1, 10, kBad},  // a control character
    {"memory_offer", 0, 8, 0, kOver},
    {"memory_offer", 0, 8, uint64_t{1} << 40, kTaken},
    {"memory_offer", 0, 8, (uint64_t{1} << 40) + 1, kOver},
    {"memory_state", 0, 1, 1, kTaken},
    {"memory_state", 0, 1, 2, kBad},
    {"memory_state", 1, 1, 1, kBad},
    {"memory_state", 4, 1, 10, kBad},
    {"block_places", 12, 2, 1, kBad},  // the body is too long for one block
    {"block_places", 16, 8, (uint64_t{1} << 40) + 1, kBad},
    {"block_places", 24, 4, (128 << 20) + 1, kBad},
    {"frame_begin", 0, 8, 0, kBad},
    {"frame_begin", 0, 8, kMaxCounter, kTaken},
    {"frame_begin", 0, 8, kMaxCounter + 1, kBad},
    {"frame_begin", 8, 8, 0, kTaken},
    {"frame_begin", 8, 8, kMaxCounter + 1, kBad},
    {"frame_begin", 16, 8, kLatest, kTaken},
    {"frame_begin", 16, 8, kLatest + 1, kBad},
    {"frame_begin", 16, 8, UINT64_MAX, kBad},
    {"frame_begin", 24, 8, 0, kTaken},
    {"frame_begin", 24, 8, 258, kTaken},
    {"frame_begin", 24, 8, 259, kBad},
    {"frame_begin", 24, 8, kMaxCounter + 1, kBad},
    {"frame_begin", 32, 1, 3, kTaken},
    {"frame_begin", 32, 1, 4, kBad},
    {"frame_begin", 33, 1, 4, kTaken},
    {"frame_begin", 33, 1, 5, kBad},
    {"frame_begin", 34, 1, 0, kBad},
    {"frame_begin", 34, 1, 3, kBad},
    {"frame_begin", 35, 1, 1, kBad},
    {"frame_begin", 36, 4, 2000000, kTaken},
    {"frame_begin", 36, 4, 2000001, kBad},
    {"block_run", 0, 8, 0, kBad},
    {"block_run", 8, 2, 1023, kTaken},
    {"block_run", 8, 2, 1024, kBad},
    {"block_run", 10, 2, 1022, kTaken},
    {"block_run", 10, 2, 1023, kBad},
    {"block_run", 10, 2, 65535, kBad},
    {"block_run", 12, 2, 0, kBad},
    {"block_run", 12, 2, 1025, kBad},
    {"block_run", 14, 2, 1, kBad},
    {"block_run", 16, 4, 31, kBad},
    {"block_run", 16, 4, 0xffffffff, kBad},
    {"frame_end", 0, 8, 0, kBad},
    {"frame_end", 8, 8, kLatest + 1, kBad},
    {"frame_end", 16, 8, kLatest + 1, kBad},
    {"frame_end", 24, 4, 0, kTaken},
    {"frame_end", 24, 4, 1024 * 1024, kTaken},
    {"frame_end", 24, 4, 1024 * 1024 + 1, kOver},
    {"frame_end", 28, 4, 1, kBad},
    {"frame_show", 0, 8, 0, kTaken},  // only the layout
    {"frame_show", 0, 8, kMaxCounter + 1, kBad},
    {"frame_show", 8, 8, kMaxCounter + 1, kBad},
    {"frame_show", 16, 8, kLatest + 1, kBad},
    {"frame_report", 0, 8, 0, kBad},
    {"frame_report", 8, 8, kMaxCounter + 1, kBad},
    {"frame_report", 16, 8, kLatest + 1, kBad},
    {"frame_report", 24, 8, kLatest + 1, kBad},
    {"frame_report", 32, 1, 0, kBad},
    {"frame_report", 32, 1, 2, kBad},  // dropped, but no cause
    {"frame_report", 32, 1, 3, kBad},
    {"frame_report", 33, 1, 1, kBad},    // shown, but with a cause
    {"frame_report", 33, 1, 2, kTaken},  // shown, of a former layout
    {"frame_report", 34, 2, 1, kBad},
    {"frame_report", 36, 4, 1, kBad},
    {"frame_report_dropped", 24, 8, 1, kBad},
    {"frame_report_dropped", 33, 1, 6, kTaken},
    {"frame_report_dropped", 33, 1, 7, kTaken},
    {"frame_report_dropped", 33, 1, 8, kBad},
    {"sound_open", 0, 8, UINT64_MAX, kTaken},
    {"sound", 0, 8, kLatest, kTaken},
    {"sound", 0, 8, kLatest + 1, kBad},
    {"sound", 8, 4, 7999, kBad},
    {"sound", 8, 4, 8000, kTaken},
    {"sound", 8, 4, 192000, kTaken},
    {"sound", 8, 4, 192001, kBad},
    {"sound", 12, 1, 0, kBad},
    {"sound", 12, 1, 1, kTaken},
    {"sound", 12, 1, 3, kBad},  // the last sample is incomplete
    {"sound", 12, 1, 9, kBad},
    {"sound", 13, 1, 1, kTaken},
    {"sound", 13, 1, 2, kBad},
    {"sound", 14, 2, 1, kBad},
    {"frame_report_dropped", 33, 1, 4, kTaken},
    {"frame_report_dropped", 33, 1, 5, kTaken},
    {"close", 0, 2, 9, kTaken},
    {"close", 0, 2, 10, kBad},
    {"close", 2, 2, 1, kBad},
    {"close", 4, 1, '\n', kBad},
    {"close", 4, 1, 0xff, kBad},
    {"snapshot_request", 8, 8, kLatest, kTaken},
    {"snapshot_request", 8, 8, kLatest + 1, kBad},
    {"picture_begin", 0, 8, kLatest + 1, kBad},
    {"picture_begin", 8, 4, 0, kOver},
    {"picture_begin", 8, 4, 16384, kTaken},
    {"picture_begin", 12, 4, 16385, kOver},
    {"picture_begin", 16, 4, 0, kBad},
    {"picture_begin", 16, 4, 2, kBad},
    {"picture_begin", 16, 4, 4097, kOver},
    {"picture_begin", 16, 4, 0xffffffff, kOver},
    {"picture_begin", 20, 2, 7, kBad},
    {"picture_begin", 20, 2, 65, kOver},
    {"picture_begin", 22, 2, 1, kBad},
    {"picture_begin", 24, 4, 0, kBad},
    {"picture_begin", 28, 8, 0, kTaken},
    {"picture_begin", 28, 8, kMaxCounter + 1, kBad},
    {"picture_begin", 36, 1, 0x1b, kBad},
    {"picture_rows", 0, 4, 16382, kTaken},
    {"picture_rows", 0, 4, 16383, kBad},
    {"picture_rows", 0, 4, 0xffffffff, kBad},
    {"picture_rows", 4, 4, 0, kBad},
    {"picture_rows", 4, 4, 0xffffffff, kBad},
};

TEST(DataMessages, FieldsAreHeldToTheirRanges) {
  for (const FieldCase& c : kFields) {
    Bytes message = hex_example(c.message);
    ASSERT_FALSE(message.empty()) << c.message;
    put(message, kDataHeaderBytes + c.offset, c.bytes, c.value);
    EXPECT_EQ(refusal(message), c.reason) << c.message << " at " << c.offset << ": " << c.value;
  }
}

TEST(DataMessages, Jpeg2000HasBlocksThatCanBeHalvedAndNoSecondStage) {
  StreamOpen open{.secret = 1,
                  .codec = {codecs::CodecId::kHtj2k, codecs::Compression::kNone},
                  .frame_size = {100, 100},
                  .block_size = {64, 48}};
  const auto refused = [&] { return refusal(encode(7, open)); };
  EXPECT_EQ(refused(), CloseReason::kNormal);
  open.block_size.height = 40;
  EXPECT_EQ(refused(), CloseReason::kBadMessage);
  open.block_size.height = 48;
  open.codec.compression = codecs::Compression::kLz4;
  EXPECT_EQ(refused(), CloseReason::kUnsupported);
}

TEST(DataMessages, CarriedFramesAreASingleBlockWithoutSecondStage) {
  StreamOpen open{.secret = 1,
                  .codec = {codecs::CodecId::kMjpeg, codecs::Compression::kNone},
                  .frame_size = {100, 100},
                  .block_size = {112, 112}};
  const auto refused = [&] { return refusal(encode(7, open)); };
  EXPECT_EQ(refused(), CloseReason::kNormal);
  open.block_size.height = 96;
  EXPECT_EQ(refused(), CloseReason::kBadMessage);
  open.block_size.height = 112;
  open.codec.compression = codecs::Compression::kZstd;
  EXPECT_EQ(refused(), CloseReason::kUnsupported);
}

TEST(DataMessages, TextsAreMadeFitWhenEncoded) {
  const auto close = [](const std::string& text) {
    const Bytes bytes = encode(3, CloseMessage{CloseReason::kLimit, text});
    return decode_close(std::span(bytes).subspan(kDataHeaderBytes))->text;
  };
  EXPECT_EQ(close(std::string(1000, 'x')), std::string(kMaxCloseText, 'x'));
  EXPECT_EQ(close("a\nb\xff"), "a?b?");
}

TEST(DataMessages, LargestPictureHeadPasses) {
  PictureBegin picture{std::string(kMaxNameLength, 'n'), {kMaxTileSide, 1}, 5, {}};
  for (uint32_t i = 0; i < kMaxWindows; ++i) picture.windows.push_back({i + 1, i});
  const Bytes bytes = encode(picture);
  const auto again = reencode_data(bytes);
  ASSERT_TRUE(again) << again.error().text;
  EXPECT_EQ(*again, bytes);
}

TEST(DataMessages, LongestRunPasses) {
  const BlockRun run{1, 3, 0, kMaxBlocksPerSide};
  const std::vector<uint32_t> lengths(run.count, 2);
  Bytes bytes(kDataHeaderBytes + block_run_bytes(run.count));
  ASSERT_EQ(encode_to(bytes, 9, run, lengths), bytes.size());
  bytes.resize(bytes.size() + 2 * lengths.size(), 0x5a);
  const auto again = reencode_data(bytes);
  ASSERT_TRUE(again) << again.error().text;
  EXPECT_EQ(*again, bytes);
}

}  // namespace
}  // namespace sail
