#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "sail/media/vmov/vmov_format.h"
#include "sail/media/vmov/vmov_reader.h"
#include "sail/media/vmov/vmov_source.h"
#include "tests/support/slow_bytes.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/sail/media/film/movies.h"

namespace sail {
namespace {

using testing::HasSubstr;

constexpr size_t kHeaderBytes = 81;  // size of tiny_header()
constexpr size_t kRecordBytes = 76;  // size of its frames

std::string open_error(const std::string& name) {
  const auto reader = VmovReader::open(name);
  return reader ? "it was opened" : reader.error().message;
}

std::vector<uint8_t> blocks_of(const VmovReader& reader, size_t number) {
  VmovFrame frame;
  const auto read = reader.read(number, frame);
  EXPECT_TRUE(read) << read.error().message;
  return {frame.bytes.begin(), frame.bytes.end()};
}

// Time stamps of the pictures, in frames.
std::vector<int64_t> frames_of(Source& source) {
  std::vector<int64_t> frames;
  for (;;) {
    auto picture = source.next();
    EXPECT_TRUE(picture);
    if (!picture || !*picture) return frames;
    frames.push_back((*picture)->pts_ns / kFrameTime);
  }
}

TEST(VmovFile, GivesBackEachFrame) {
  const TempFolder folder;
  const std::string name = folder.file("film.vmov");
  write_tiny(name, 100);
  EXPECT_FALSE(std::filesystem::exists(vmov_part_name(name)));
  EXPECT_TRUE(is_vmov_file(name));
  const auto reader = VmovReader::open(name);
  ASSERT_TRUE(reader) << reader.error().message;
  EXPECT_FALSE(reader->complaint());
  ASSERT_EQ(reader->frame_count(), 100U);
  EXPECT_EQ(reader->duration_ns(), 100 * kFrameTime);
  for (const size_t number : {99, 0, 50, 51}) {
    EXPECT_EQ(blocks_of(*reader, number), tiny_blocks(number));
  }
}

TEST(VmovFile, SeekingIsALookUp) {
  const TempFolder folder;
  write_tiny(folder.file("film.vmov"), 10);
  const auto reader = VmovReader::open(folder.file("film.vmov"));
  ASSERT_TRUE(reader);
  EXPECT_EQ(reader->frame_at(0), 0U);
  EXPECT_EQ(reader->frame_at(kFrameTime - 1), 0U);
  EXPECT_EQ(reader->frame_at(kFrameTime), 1U);
  EXPECT_EQ(reader->frame_at(5 * kFrameTime + 7), 5U);
  EXPECT_EQ(reader->frame_at(1000 * kFrameTime), 9U);
}

TEST(VmovFile, AFileCutAnywhereGivesItsWholeFrames) {
  const TempFolder folder;
  const std::string name = folder.file("film.vmov");
  write_tiny(name, 3);
  const std::vector<uint8_t> whole = bytes_of(name);
  for (size_t size = 0; size < whole.size(); ++size) {
    put_bytes(name, {whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size)});
    const size_t frames =
        size < kHeaderBytes ? 0 : std::min<size_t>(3, (size - kHeaderBytes) / kRecordBytes);
    const auto reader = VmovReader::open(name);
    ASSERT_EQ(reader.has_value(), frames > 0) << size;
    if (!reader) {
      EXPECT_THAT(reader.error().message, HasSubstr("film.vmov")) << size;
      continue;
    }
    ASSERT_EQ(reader->frame_count(), frames) << size;
    ASSERT_TRUE(reader->complaint()) << size;
    EXPECT_THAT(*reader->complaint(), HasSubstr("film.vmov: "));
    EXPECT_EQ(reader->duration_ns(), static_cast<int64_t>(frames) * kFrameTime);
    for (size_t i = 0; i < frames; ++i) EXPECT_EQ(blocks_of(*reader, i), tiny_blocks(i));
  }
}

TEST(VmovFile, EveryFlippedByteIsFound) {
  const TempFolder folder;
  const std::string name = folder.file("film.vmov");
  write_tiny(name, 3);
  const std::vector<uint8_t> whole = bytes_of(name);
  for (size_t at = 0; at < whole.size(); ++at) {
    std::vector<uint8_t> hurt = whole;
    hurt[at] ^= 0x40;
    put_bytes(name, hurt);
    const auto reader = VmovReader::open(name);
    if (at < kHeaderBytes) {
      EXPECT_FALSE(reader) << at;
      continue;
    }
    ASSERT_TRUE(reader) << at << ": " << reader.error().message;
    ASSERT_EQ(reader->frame_count(), 3U) << at;
    const size_t hurt_frame = (at - kHeaderBytes) / kRecordBytes;
    EXPECT_EQ(reader->complaint().has_value(), hurt_frame > 2) << at;
    for (size_t i = 0; i < 3; ++i) {
      VmovFrame frame;
      const auto read = reader->read(i, frame);
      ASSERT_EQ(read.has_value(), i != hurt_frame) << at;
      if (read) continue;
      EXPECT_EQ(read.error().code, ErrorCode::kBadData);
      EXPECT_THAT(read.error().message,
                  HasSubstr("film.vmov: frame " + std::to_string(i) + " at byte " +
                            std::to_string(kHeaderBytes + i * kRecordBytes) + ": "));
    }
  }
}

TEST(VmovFile, ThePlayerLeavesDamagedFramesOutAndSaysSoOnce) {
  const TempFolder folder;
  const std::string name = folder.file("film.vmov");
  write_tiny(name, 5);
  std::vector<uint8_t> hurt = bytes_of(name);
  hurt[kHeaderBytes + 2 * kRecordBytes - 1] ^= 1;
  hurt[kHeaderBytes + 4 * kRecordBytes - 1] ^= 1;
  put_bytes(name, hurt);
  const auto source = VmovSource::open(name);
  ASSERT_TRUE(source);
  EXPECT_EQ(frames_of(**source), (std::vector<int64_t>{0, 2, 4}));
  EXPECT_EQ((*source)->take_left_out(), 2U);
  EXPECT_THAT((*source)->take_complaint().value_or(""), HasSubstr("frame 1 at byte"));
  EXPECT_FALSE((*source)->take_complaint());
}

TEST(VmovFile, WithoutAnIndexFramesBehindADamagedOneAreFoundAndTheLostAreCounted) {
  const TempFolder folder;
  const std::string name = folder.file("film.vmov");
  write_tiny(name, 8);
  const std::vector<uint8_t> whole = bytes_of(name);
  for (size_t at = kHeaderBytes; at < kHeaderBytes + 8 * kRecordBytes; at += 7) {
    std::vector<uint8_t> hurt = whole;
    hurt.back() ^= 1;  // damages the footer
    hurt[at] ^= 0x20;
    put_bytes(name, hurt);
    const auto lost = static_cast<int64_t>((at - kHeaderBytes) / kRecordBytes);
    const auto source = VmovSource::open(name);
    ASSERT_TRUE(source) << at;
    std::vector<int64_t> expected{0, 1, 2, 3, 4, 5, 6, 7};
    std::erase(expected, lost);
    EXPECT_EQ(frames_of(**source), expected) << at;
    // A missing last frame is undetectable.
    const bool head = (at - kHeaderBytes) % kRecordBytes < kRecordBytes - 16;
    EXPECT_EQ((*source)->take_left_out(), lost == 7 && head ? 0U : 1U) << at;
    ASSERT_TRUE((*source)->seek(6 * kFrameTime));
    EXPECT_EQ(frames_of(**source).size(), lost >= 6 ? (lost == 6 && head ? 2U : 1U) : 2U) << at;
  }
}

class SlowMovie : public testing::Test {
 protected:
  void open(uint64_t frames) {
    const TempFolder folder;
    write_tiny(folder.file("film.vmov"), frames);
    auto bytes = std::make_unique<test::SlowBytes>(bytes_of(folder.file("film.vmov")));
    bytes->leave.release(100);
    bytes_ = bytes.get();
    auto reader = VmovReader::open(std::move(bytes));
    ASSERT_TRUE(reader);
    while (bytes_->leave.try_acquire()) continue;
    bytes_->reads = 0;
    source_ = std::make_unique<VmovSource>(std::move(*reader));
  }
  uint64_t frame() {
    auto picture = source_->next();
    EXPECT_TRUE(picture && *picture);
    return static_cast<uint64_t>((*picture)->pts_ns / kFrameTime);
  }

  test::SlowBytes* bytes_ = nullptr;
  std::unique_ptr<VmovSource> source_;
};

TEST_F(SlowMovie, FramesAreReadBeforeTheyAreWanted) {
  open(100);
  bytes_->leave.release(1000);
  for (uint64_t i = 0; i < 4; ++i) EXPECT_EQ(frame(), i);
  test::SlowBytes::wait_until([&] { return bytes_->reads > 8; });
  for (uint64_t i = 4; i < 100; ++i) EXPECT_EQ(frame(), i);
  EXPECT_EQ(bytes_->reads, 100U) << "each once";
}

TEST_F(SlowMovie, SeekingLetsGoOfWhatIsOnItsWay) {
  open(100);
  bytes_->leave.release(1000);
  EXPECT_EQ(frame(), 0U);
  EXPECT_EQ(frame(), 1U);
  ASSERT_TRUE(source_->seek(70 * kFrameTime));
  for (uint64_t i = 70; i < 100; ++i) EXPECT_EQ(frame(), i);
  ASSERT_TRUE(source_->seek(0));
  for (uint64_t i = 0; i < 100; ++i) EXPECT_EQ(frame(), i);
}

TEST_F(SlowMovie, APlaceThatCannotBeReadIsAnErrorWhenItIsItsTurn) {
  open(10);
  bytes_->broken = {kHeaderBytes + 5 * kRecordBytes + 3};
  bytes_->leave.release(1000);
  for (uint64_t i = 0; i < 5; ++i) EXPECT_EQ(frame(), i);
  const auto broken = source_->next();
  ASSERT_FALSE(broken);
  EXPECT_THAT(broken.error().message, HasSubstr("at byte 464"));
  EXPECT_EQ(frame(), 6U) << "it goes on behind it";
}

TEST(VmovFile, PicturesStandWhileOthersAreReadAndOutliveTheSource) {
  const TempFolder folder;
  write_tiny(folder.file("film.vmov"), 3);
  auto source = VmovSource::open(folder.file("film.vmov"));
  ASSERT_TRUE(source);
  auto first = (*source)->next();
  ASSERT_TRUE((*source)->seek(2 * kFrameTime));
  auto last = (*source)->next();
  source->reset();
  ASSERT_TRUE(first && *first && last && *last);
  const auto bytes = [](const Picture& picture) {
    return std::vector<uint8_t>(picture.compressed->bytes.begin(), picture.compressed->bytes.end());
  };
  EXPECT_EQ(bytes(**first), tiny_blocks(0));
  EXPECT_EQ(bytes(**last), tiny_blocks(2));
}

TEST(VmovFile, APartIsGoneOnWithBehindItsLastSoundFrame) {
  const TempFolder folder;
  const std::string name = folder.file("film.vmov");
  write_tiny(name, 6);
  const std::vector<uint8_t> whole = bytes_of(name);
  std::filesystem::remove(name);
  for (size_t size = kHeaderBytes; size <= whole.size(); ++size) {
    put_bytes(vmov_part_name(name), {whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size)});
    {
      auto writer = VmovWriter::begin(name, tiny_header(), false);
      ASSERT_TRUE(writer) << writer.error().message;
      ASSERT_EQ(writer->frame_count(), std::min<size_t>(6, (size - kHeaderBytes) / kRecordBytes));
      append_tiny(*writer, 6 - writer->frame_count());
      ASSERT_TRUE(writer->finish());
    }
    ASSERT_EQ(bytes_of(name), whole) << "cut at " << size;
    std::filesystem::remove(name);
  }
  std::vector<uint8_t> hurt = whole;
  hurt[kHeaderBytes + 3 * kRecordBytes - 1] ^= 1;
  put_bytes(vmov_part_name(name), hurt);
  const auto writer = VmovWriter::begin(name, tiny_header(), false);
  ASSERT_TRUE(writer);
  EXPECT_EQ(writer->frame_count(), 2U);
}

TEST(VmovFile, NothingOfOthersIsOverwrittenUnasked) {
  const TempFolder folder;
  const std::string name = folder.file("film.vmov");
  const auto refusal = [&](const VmovHeader& header) {
    const auto writer = VmovWriter::begin(name, header, false);
    return writer ? "it was begun" : writer.error().message;
  };
  write_tiny(name, 2);
  EXPECT_THAT(refusal(tiny_header()), HasSubstr("film.vmov already exists"));
  std::filesystem::rename(name, vmov_part_name(name));
  VmovHeader other = tiny_header();
  other.recipe = 1;
  EXPECT_THAT(refusal(other), HasSubstr("film.vmov.part belongs to another film"));
  put_bytes(vmov_part_name(name), {'m', 'y', ' ', 't', 'e', 'x', 't'});
  EXPECT_THAT(refusal(tiny_header()), HasSubstr("film.vmov.part belongs to another film"));
  const auto first = VmovWriter::begin(name, other, true);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->frame_count(), 0U);
  EXPECT_THAT(refusal(other), HasSubstr("another program is already writing"));
}

TEST(VmovFile, TheWriterTakesOnlyFramesOfTheFilm) {
  const TempFolder folder;
  auto writer = VmovWriter::begin(folder.file("film.vmov"), tiny_header(), false);
  ASSERT_TRUE(writer);
  EXPECT_FALSE(writer->finish());
  const uint32_t right = 16;
  const uint32_t wrong = 8;
  const std::vector<uint8_t> blocks = tiny_blocks(0);
  EXPECT_FALSE(writer->append(0, 0, {&wrong, 1}, std::span(blocks).first(8)));
  EXPECT_FALSE(writer->append(0, 0, {&right, 1}, std::span(blocks).first(8)));
  EXPECT_FALSE(writer->append(-1, 0, {&right, 1}, blocks));
  EXPECT_TRUE(writer->append(5, 0, {&right, 1}, blocks));
  EXPECT_FALSE(writer->append(5, 0, {&right, 1}, blocks));
}

TEST(VmovFile, TheHeaderOfAShardHasMoreFields) {
  VmovHeader header = tiny_header();
  header.shard = VmovShard{.number = 2, .count = 3, .frames = 100, .recipe = 7};
  const auto bytes = encode_vmov_header(header);
  EXPECT_EQ(bytes.size(), kHeaderBytes + kVmovShardBytes);
  const auto decoded = decode_vmov_header(bytes);
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_EQ(*decoded, header);
  for (const VmovShard& wrong : {VmovShard{0, 3, 100, 7}, VmovShard{4, 3, 100, 7},
                                 VmovShard{1, 1, 100, 7}, VmovShard{1, 1001, 2000, 7},
                                 VmovShard{1, 3, 2, 7}, VmovShard{1, 3, kMaxVmovFrames + 1, 7}}) {
    header.shard = wrong;
    EXPECT_FALSE(decode_vmov_header(encode_vmov_header(header)));
  }
}

TEST(VmovFile, WhatIsNoFilmSaysSo) {
  const TempFolder folder;
  EXPECT_THAT(open_error(folder.file("no.vmov")), HasSubstr("cannot open"));
  EXPECT_THAT(open_error(folder.write("text.vmov", std::string(200, 'x'))),
              HasSubstr("text.vmov: not a .vmov file"));
  EXPECT_THAT(open_error(folder.file(".")), HasSubstr("is not a regular file"));
  EXPECT_FALSE(is_vmov_file(folder.file("text.vmov")));
  EXPECT_FALSE(is_vmov_file(folder.file(".")));
  // A valid header with a value unknown to this program.
  std::vector<uint8_t> header = encode_vmov_header(tiny_header());
  header[12] = 99;
  const uint64_t sum = checksum(std::span(header).first(header.size() - 8));
  for (size_t i = 0; i < 8; ++i) {
    header[header.size() - 8 + i] = static_cast<uint8_t>(sum >> (8 * i));
  }
  put_bytes(folder.file("later.vmov"), header);
  EXPECT_THAT(open_error(folder.file("later.vmov")), HasSubstr("codec 99"));
}

}  // namespace
}  // namespace sail
