// VMOV.md and the code must tell the same.
#include <gtest/gtest.h>

#include <map>
#include <span>
#include <sstream>

#include "sail/media/checksum.h"
#include "sail/media/vmov_reader.h"
#include "sail/media/vmov_source.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/media/movies.h"

namespace sail {
namespace {

std::vector<std::string> text_lines() {
  std::ifstream file(VITRAIL_SOURCE_DIR "/sail/media/VMOV.md");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

// All dumps of the text, one behind another: they are one film.
std::vector<uint8_t> dumped_film() {
  std::vector<uint8_t> bytes;
  bool inside = false;
  for (const std::string& line : text_lines()) {
    if (line.starts_with("```")) {
      inside = line.starts_with("```hex");
      continue;
    }
    std::istringstream words(inside ? line : "");
    for (std::string byte; words >> byte;) {
      bytes.push_back(static_cast<uint8_t>(std::stoi(byte, nullptr, 16)));
    }
  }
  return bytes;
}

std::string hex(const std::vector<uint8_t>& bytes) {
  std::string text;
  for (size_t i = 0; i < bytes.size(); ++i) {
    char word[4];
    std::snprintf(word, sizeof word, "%02x%c", bytes[i], i % 16 == 15 ? '\n' : ' ');
    text += word;
  }
  return text;
}

// The dump's header as the first version has it.
constexpr uint8_t kFirstVersion[] = {
    0x56, 0x4d, 0x4f, 0x56, 0x0d, 0x0a, 0x1a, 0x0a, 0x01, 0x00, 0x51, 0x00, 0x01, 0x00,
    0x80, 0x00, 0x40, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00,
    0x08, 0x00, 0x00, 0x00, 0x04, 0x00, 0x00, 0x00, 0x19, 0x00, 0x00, 0x00, 0x01, 0x00,
    0x00, 0x00, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0x09, 0x00, 0x08, 0x00,
    0x64, 0x78, 0x74, 0x31, 0x3a, 0x67, 0x6f, 0x6f, 0x64, 0x63, 0x6c, 0x69, 0x70, 0x2e,
    0x6d, 0x70, 0x34, 0xc8, 0x64, 0x03, 0xb9, 0x2a, 0x68, 0x42, 0xc6};

TEST(VmovText, TheWriterWritesTheDump) {
  const TempFolder folder;
  write_tiny(folder.file("film.vmov"), 2);
  EXPECT_EQ(hex(bytes_of(folder.file("film.vmov"))), hex(dumped_film()));
}

TEST(VmovText, TheReaderReadsTheDump) {
  const TempFolder folder;
  const std::string name = folder.file("film.vmov");
  put_bytes(name, dumped_film());
  const auto reader = VmovReader::open(name);
  ASSERT_TRUE(reader) << reader.error().message;
  EXPECT_FALSE(reader->complaint());
  EXPECT_EQ(reader->header(), tiny_header());
  EXPECT_EQ(reader->frame_count(), 2U);
  EXPECT_EQ(reader->duration_ns(), 2 * kFrameTime);
  VmovFrame frame;
  ASSERT_TRUE(reader->read(1, frame));
  EXPECT_EQ(frame.head.pts_ns, kFrameTime);
  EXPECT_EQ(frame.lengths, std::vector<uint32_t>{16});
  EXPECT_EQ(std::vector<uint8_t>(frame.bytes.begin(), frame.bytes.end()), tiny_blocks(1));
}

TEST(VmovText, TheFirstVersionIsReadToo) {
  const auto header = decode_vmov_header(kFirstVersion);
  ASSERT_TRUE(header) << header.error().message;
  EXPECT_EQ(*header, tiny_header());
  // Everything behind the header is as it was.
  const TempFolder folder;
  std::vector<uint8_t> film = dumped_film();
  std::copy(std::begin(kFirstVersion), std::end(kFirstVersion), film.begin());
  put_bytes(folder.file("film.vmov"), film);
  const auto reader = VmovReader::open(folder.file("film.vmov"));
  ASSERT_TRUE(reader);
  EXPECT_FALSE(reader->complaint());
  EXPECT_EQ(reader->frame_count(), 2U);
}

TEST(VmovText, TheFirstVersionsBlocksOfOtherSidesAreReadAndNotPlayed) {
  constexpr size_t kBlockWidthAt = 14;
  constexpr size_t kChecksumBytes = 8;
  std::vector<uint8_t> header(std::begin(kFirstVersion), std::end(kFirstVersion));
  header[kBlockWidthAt] = 132;
  const auto guarded = std::span(header).first(header.size() - kChecksumBytes);
  const uint64_t sum = checksum(guarded);
  for (size_t i = 0; i < kChecksumBytes; ++i) {
    header[guarded.size() + i] = static_cast<uint8_t>(sum >> (8 * i));
  }
  const auto decoded = decode_vmov_header(header);
  ASSERT_TRUE(decoded) << decoded.error().message;
  EXPECT_EQ(decoded->block_size, (Size{132, 64}));
  const TempFolder folder;
  std::vector<uint8_t> film = dumped_film();
  std::copy(header.begin(), header.end(), film.begin());
  put_bytes(folder.file("film.vmov"), film);
  const auto source = VmovSource::open(folder.file("film.vmov"));
  ASSERT_FALSE(source);
  EXPECT_NE(source.error().message.find("only multiples of 16 can be played"), std::string::npos);
}

TEST(VmovText, LimitsAreThoseOfTheHeader) {
  std::map<std::string, uint64_t> told;
  for (const std::string& line : text_lines()) {
    if (!line.starts_with("| `k")) continue;
    std::istringstream cells(line);
    std::string bar;
    std::string name;
    uint64_t value = 0;
    cells >> bar >> name >> bar >> value;
    told[name.substr(1, name.size() - 2)] = value;
  }
  const std::map<std::string, uint64_t> limits = {
      {"kVmovVersion", kVmovVersion},
      {"kMaxVmovText", kMaxVmovText},
      {"kMaxVmovFrames", kMaxVmovFrames},
  };
  EXPECT_EQ(told, limits);
}

}  // namespace
}  // namespace sail
