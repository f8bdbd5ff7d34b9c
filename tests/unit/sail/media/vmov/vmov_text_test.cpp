// VMOV.md and the code must agree.
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "sail/media/vmov/vmov_reader.h"
#include "sail/media/vmov/vmov_source.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/sail/media/film/movies.h"

namespace sail {
namespace {

std::vector<std::string> text_lines() {
  std::ifstream file(VITRAIL_SOURCE_DIR "/sail/media/vmov/VMOV.md");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

// Concatenates all hex dumps of the text, which form one film.
std::vector<uint8_t> dumped_film() {
  std::vector<uint8_t> bytes;
  bool inside = false;
  for (const std::string& line : text_lines()) {
    if (line.starts_with("```")) {
      inside = line.starts_with("```hex");
      continue;
    }
    std::istringstream words(inside ? line : "");
    for (std::string group; words >> group;) {
      for (size_t i = 0; i < group.size(); i += 2) {
        bytes.push_back(static_cast<uint8_t>(std::stoi(group.substr(i, 2), nullptr, 16)));
      }
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

TEST(VmovText, OtherVersionsAreRefused) {
  for (const auto version : {uint8_t{1}, uint8_t{4}}) {
    std::vector<uint8_t> film = dumped_film();
    constexpr size_t kVersionAt = 8;
    film[kVersionAt] = version;
    const auto header = vmov_header_bytes(film);
    ASSERT_FALSE(header);
    EXPECT_NE(header.error().message.find("this program reads versions 2 and 3"),
              std::string::npos);
  }
}

TEST(VmovText, LimitsAreThoseOfTheHeader) {
  std::map<std::string, uint64_t> reported;
  for (const std::string& line : text_lines()) {
    if (!line.starts_with("| `k")) continue;
    std::istringstream cells(line);
    std::string bar;
    std::string name;
    uint64_t value = 0;
    cells >> bar >> name >> bar >> value;
    reported[name.substr(1, name.size() - 2)] = value;
  }
  const std::map<std::string, uint64_t> limits = {
      {"kVmovVersion", kVmovVersion},     {"kVmovShardVersion", kVmovShardVersion},
      {"kMaxVmovShards", kMaxVmovShards}, {"kMaxVmovText", kMaxVmovText},
      {"kMaxVmovFrames", kMaxVmovFrames},
  };
  EXPECT_EQ(reported, limits);
}

}  // namespace
}  // namespace sail
