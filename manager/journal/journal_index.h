// What queries need not read: for each block of the journal's finished files, the names and windows
// of its lines. In memory only: it is made while a query reads a file for the first time, and a
// changed file is read again. So neither a kill nor a changed file can make it wrong.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "manager/journal/journal_writer.h"

namespace manager {

// A set of hashed names and windows in 1024 bits. It may claim to have one that it has not.
class JournalTerms {
 public:
  void add(uint64_t term);
  void add_all() { bits_.fill(~uint64_t{0}); }
  bool may_have(uint64_t term) const;

 private:
  static constexpr size_t kWords = 16;
  std::array<uint64_t, kWords> bits_{};
};

// The names and the window that a query wants, "" and 0: any. Pure.
class WantedTerms {
 public:
  WantedTerms(std::string_view person, std::string_view verb, uint32_t window);
  bool empty() const { return terms_.empty(); }
  // False: no line of this block matches.
  bool may_be_in(const JournalTerms& block) const;
  // False: the line does not match. Lines that are not entries may match. Adds what the line has to
  // `block`. Parses no JSON, because a month has half a million lines.
  bool may_match(std::string_view line, JournalTerms& block) const;

 private:
  std::vector<uint64_t> terms_;
};

// A part of a file with whole lines.
struct JournalBlock {
  size_t begin = 0;            // bytes from the file's begin
  size_t size = 0;             // without the last newline
  uint64_t number = 0;         // of its first line
  std::optional<double> at{};  // time of its last line; empty: unreadable
  JournalTerms terms{};
};

struct JournalFileIndex {
  std::vector<JournalBlock> blocks{};   // newest first
  std::optional<std::string> before{};  // hash of the last line of the file before
};

// Differs after a change of a file's content, unless both are of the same few milliseconds.
struct FileStamp {
  uint64_t inode = 0;
  int64_t bytes = 0;
  int64_t changed_ns = 0;
  bool operator==(const FileStamp&) const = default;
};
// Empty: the file cannot be read.
std::optional<FileStamp> stamp_of(const std::filesystem::path& path);

// Any thread.
class JournalIndex {
 public:
  static constexpr size_t kMostBlocks = 32'768;  // of all files, 6 MiB; a year has about 16,000

  // Null: unknown, or the file has changed.
  std::shared_ptr<const JournalFileIndex> find(const JournalFile& file) const;
  // Keeps the index of the file with this stamp, unless it has just changed or there is no room.
  void keep(const JournalFile& file, const FileStamp& stamp, JournalFileIndex index);
  // Forgets all other files.
  void keep_only(const std::vector<JournalFile>& files);

 private:
  struct Known {
    FileStamp stamp;
    std::shared_ptr<const JournalFileIndex> index;
  };
  mutable std::mutex mutex_;
  std::map<uint64_t, Known> known_;  // by the number of the first entry
};

}  // namespace manager
