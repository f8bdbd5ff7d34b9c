// Compressed files of the journal: the same text, also in parts and for other programs; damage.
#include "manager/journal/journal_text.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <zstd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>
#include <string>
#include <thread>

#include "manager/journal/journal_reader.h"
#include "manager/journal/journal_writer.h"
#include "sail/core/base/private_file.h"
#include "tests/support/temp_folder.h"

namespace manager {
namespace {

std::string lines(size_t bytes) {
  std::mt19937 random(7);
  std::string text;
  while (text.size() < bytes)
    text += "{\"n\":" + std::to_string(random()) + ",\"verb\":\"move\"}\n";
  return text;
}

class JournalTextTest : public testing::Test {
 protected:
  JournalFile plain(const std::string& text) {
    const auto path = folder() / "000000000001.jsonl";
    std::ofstream(path) << text;
    return {path, 1};
  }
  JournalFile compressed(const std::string& text) {
    const JournalFile file = plain(text);
    EXPECT_TRUE(compress_journal_file(file));
    EXPECT_FALSE(std::filesystem::exists(file.path));
    return journal_files(folder()).at(0);
  }
  std::filesystem::path folder() const { return folder_.path(); }

 private:
  const sail::TempFolder folder_;
};

TEST_F(JournalTextTest, ACompressedFileHasTheSameTextAlsoInParts) {
  const std::string text = lines(1'000'000);
  const JournalFile file = compressed(text);
  EXPECT_TRUE(file.compressed());
  EXPECT_EQ(file.first, 1U);
  EXPECT_LT(std::filesystem::file_size(file.path), text.size() / 2);
  EXPECT_EQ(*read_journal_text(file), text);
  EXPECT_EQ(*read_journal_text({folder() / "000000000001.jsonl", 1}), text)
      << "listed before it was compressed";
  std::mt19937 random(1);
  for (int i = 0; i < 100; ++i) {
    const size_t begin = random() % text.size();
    const size_t size = 1 + random() % 600'000;
    EXPECT_EQ(*read_journal_part(file, begin, size), text.substr(begin, size)) << begin;
  }
  EXPECT_FALSE(read_journal_part(file, text.size(), 1));
  EXPECT_FALSE(read_journal_text(file, text.size() - 1)) << "too large";
}

TEST_F(JournalTextTest, OtherProgramsCanReadACompressedFile) {
  const std::string text = lines(600'000);
  const std::string bytes = *sail::read_file(compressed(text).path, 1 << 20);
  std::string read(text.size() + 1, '\0');
  const size_t size = ZSTD_decompress(read.data(), read.size(), bytes.data(), bytes.size());
  ASSERT_EQ(size, text.size());
  read.resize(size);
  EXPECT_EQ(read, text);
}

TEST_F(JournalTextTest, DamageIsToldOrHarmless) {
  const std::string text = lines(3000);
  const JournalFile file = compressed(text);
  const std::string whole = *sail::read_file(file.path, 1 << 20);
  size_t told = 0;
  for (size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x41);
    std::ofstream(file.path, std::ios::trunc) << damaged;
    const auto read = read_journal_text(file);
    if (!read) {
      ++told;
    } else {
      EXPECT_EQ(*read, text) << i;
    }
  }
  EXPECT_GT(told, whole.size() * 9 / 10);
  for (size_t size = 0; size < whole.size(); ++size) {
    std::ofstream(file.path, std::ios::trunc) << whole.substr(0, size);
    EXPECT_FALSE(read_journal_text(file)) << size;
    EXPECT_FALSE(read_journal_part(file, 0, 10)) << size;
  }
}

TEST_F(JournalTextTest, ATableOfHugeFramesIsDamageAndTakesNoMemory) {
  constexpr uint32_t kFrameBytes = 1U << 30;
  constexpr uint32_t kFrames = 200;
  const auto path = folder() / "000000000001.jsonl.zst";
  std::ofstream file(path, std::ios::binary);
  const auto write = [&file](uint32_t number) {
    for (int i = 0; i < 4; ++i) file.put(static_cast<char>(number >> (8 * i) & 0xff));
  };
  file.seekp(std::streamoff{kFrameBytes} * kFrames);  // The disk has no blocks for this.
  write(0x184d2a5e);
  write(8 * kFrames + 9);
  for (uint32_t i = 0; i < kFrames; ++i) {
    write(kFrameBytes);
    write(256 << 10);
  }
  write(kFrames);
  file.put('\0');
  write(0x8f92eab1);
  file.close();
  const JournalFile huge{path, 1};
  ASSERT_EQ(read_journal_text(huge).error().code, sail::ErrorCode::kBadData);
  EXPECT_EQ(read_journal_part(huge, 0, 40 << 20).error().code, sail::ErrorCode::kBadData);
}

TEST_F(JournalTextTest, WhatOtherProgramsWouldReadOtherwiseIsDamage) {
  const std::string text = lines(3000);
  const JournalFile file = compressed(text);
  const std::string whole = *sail::read_file(file.path, 1 << 20);
  constexpr size_t kTable = 8 + 8 + 9;  // with one row
  for (size_t i = whole.size() - kTable; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    std::ofstream(file.path, std::ios::trunc) << damaged;
    EXPECT_FALSE(read_journal_text(file)) << i;
  }
  // A frame that begins with another one, which has no text.
  std::string skipped("\x50\x2a\x4d\x18\0\0\0\0", 8);
  skipped += whole;
  skipped[skipped.size() - kTable + 8] =
      static_cast<char>(skipped[skipped.size() - kTable + 8] + 8);
  std::ofstream(file.path, std::ios::trunc) << skipped;
  EXPECT_EQ(read_journal_text(file).error().code, sail::ErrorCode::kBadData);
}

TEST_F(JournalTextTest, PipesFoldersAndMissingFilesAreToldApart) {
  const JournalFile pipe{folder() / "000000000001.jsonl", 1};
  ASSERT_EQ(mkfifo(pipe.path.c_str(), S_IRUSR | S_IWUSR), 0);
  const JournalFile nested{folder() / "000000000002.jsonl.zst", 2};
  std::filesystem::create_directory(nested.path);
  for (const JournalFile& file : {pipe, nested}) {
    EXPECT_EQ(read_journal_text(file).error().code, sail::ErrorCode::kBadData) << file.path;
    EXPECT_EQ(read_journal_part(file, 0, 10).error().code, sail::ErrorCode::kBadData);
  }
  const JournalFile lost{folder() / "000000000003.jsonl", 3};
  EXPECT_EQ(read_journal_text(lost).error().code, sail::ErrorCode::kNotFound);
  std::filesystem::create_symlink(folder() / "nowhere", lost.path);
  EXPECT_EQ(read_journal_text(lost).error().code, sail::ErrorCode::kIo);
}

TEST_F(JournalTextTest, AnEmptyFileStays) {
  const JournalFile file = plain("");
  EXPECT_TRUE(compress_journal_file(file));
  ASSERT_EQ(journal_files(folder()).size(), 1U);
  EXPECT_EQ(*read_journal_text(journal_files(folder())[0]), "");
}

TEST_F(JournalTextTest, LeftoversAreRemovedAndAPersonsCopiesStay) {
  plain("{}\n");
  const auto leftover = folder() / "000000000001.jsonl.zst.a1B2c3";
  const auto copy = folder() / "000000000002.jsonl.zst.backup";
  const auto aside = folder() / "000000000001.jsonl.zst.damaged";
  for (const auto& path : {leftover, copy, aside}) std::ofstream(path) << "bytes";
  remove_unfinished_files(folder());
  EXPECT_FALSE(std::filesystem::exists(leftover));
  EXPECT_TRUE(std::filesystem::exists(copy));
  EXPECT_TRUE(std::filesystem::exists(aside));
}

TEST_F(JournalTextTest, ADamagedFileBreaksNoEntryOfTheFileBefore) {
  {
    JournalWriter writer({.folder = folder(), .file_bytes = 1},
                         sail::Log("test", sail::LogLevel::kOff));
    for (int i = 1; i <= 3; ++i) {
      writer.add({{"at", i}, {"verb", "move"}});
      writer.flush();
    }
  }
  const std::vector<JournalFile> files = journal_files(folder());
  ASSERT_EQ(files.size(), 3U);
  ASSERT_TRUE(compress_journal_file(files[1]));
  std::ofstream(journal_files(folder())[1].path, std::ios::trunc) << "damaged";
  EXPECT_EQ(JournalReader(folder()).read({}).broken, std::vector<uint64_t>{2});
}

TEST_F(JournalTextTest, OfBothFilesThePlainOneCounts) {
  compressed("before\n");
  const JournalFile file = plain("now\n");
  ASSERT_EQ(journal_files(folder()).size(), 1U);
  EXPECT_EQ(journal_files(folder())[0].path, file.path);
  EXPECT_TRUE(compress_journal_file(file));
  EXPECT_EQ(*read_journal_text(journal_files(folder()).at(0)), "now\n");
}

TEST_F(JournalTextTest, TheWriterCompressesOlderFilesAndTheChainHolds) {
  const JournalWriter::Options options{
      .folder = folder(), .file_bytes = 5000, .plain_bytes = 12'000};
  const auto add = [](JournalWriter& writer, int from, int to) {
    for (int i = from; i <= to; ++i) {
      writer.add({{"at", i}, {"verb", "move"}, {"params", {{"window", i}}}});
      if (i % 10 == 0) writer.flush();
    }
  };
  const auto plain_bytes = [this] {
    auto files = journal_files(folder());
    files.pop_back();  // It is written.
    std::erase_if(files, [](const JournalFile& file) { return file.compressed(); });
    std::error_code error;
    return std::accumulate(files.begin(), files.end(), uint64_t{0},
                           [&](uint64_t sum, const JournalFile& file) {
                             return sum + std::filesystem::file_size(file.path, error);
                           });
  };
  {
    JournalWriter writer(options, sail::Log("test", sail::LogLevel::kOff));
    add(writer, 1, 10);
  }
  {
    const auto unfinished = folder() / "000000000001.jsonl.zst.a1B2c3";
    std::ofstream(unfinished) << "of a manager that was killed";
    JournalWriter writer(options, sail::Log("test", sail::LogLevel::kOff));
    add(writer, 11, 300);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (plain_bytes() > options.plain_bytes && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::yield();
    }
    EXPECT_FALSE(std::filesystem::exists(unfinished));
  }
  EXPECT_LE(plain_bytes(), options.plain_bytes);
  EXPECT_GT(plain_bytes(), 5000U) << "the newest ones stay";
  EXPECT_GT(std::ranges::count_if(journal_files(folder()), &JournalFile::compressed), 2);
  JournalReader reader(folder());
  for (int twice = 0; twice < 2; ++twice) {  // The second time by the index.
    const JournalPage page = reader.read({.window = 7, .count = 10});
    ASSERT_EQ(page.entries.size(), 1U);
    EXPECT_EQ(page.entries[0]["n"], 7);
    EXPECT_TRUE(page.broken.empty());
  }
  const JournalCheck check = check_journal(folder(), 1000);
  EXPECT_EQ(check.checked, 300U);
  EXPECT_TRUE(check.broken.empty());
  // A journal whose newest files were lost continues after the compressed ones.
  for (const JournalFile& file : journal_files(folder())) {
    if (!file.compressed()) std::filesystem::remove(file.path);
  }
  {
    JournalWriter writer(options, sail::Log("test", sail::LogLevel::kOff));
    add(writer, 301, 301);
  }
  EXPECT_EQ(reader.read({.window = 301}).entries.size(), 1U);
  EXPECT_TRUE(check_journal(folder(), 1000).broken.empty());
}

}  // namespace
}  // namespace manager
