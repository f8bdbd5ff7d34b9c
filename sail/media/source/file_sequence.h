// Files that together form a film, named by a printf pattern ("frame.%05d.j2c") or by their folder.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/base/result.h"

namespace sail {

struct SequenceFile {
  std::string name;
  int64_t number = 0;  // position in pictures, from the first
};

// The parts around the number in a pattern. A number has at least `digits` digits. parse_pattern()
// returns an empty optional unless the last part of the path contains exactly one "%d" or "%0Nd".
struct SequencePattern {
  std::string before;  // including the folder
  std::string after;
  int digits = 1;
};
std::optional<SequencePattern> parse_pattern(std::string_view name);
// The number in the name of a file of the pattern.
std::optional<int64_t> number_of(const std::string& name, const SequencePattern& pattern);

// In lower case, with the dot; empty if there is none.
std::string extension_of(const std::string& name);

// Lists the files of a pattern by number (gaps are allowed), or the files of a folder in natural
// order of their names, without hidden ones. If these names differ in one number only and at least
// half of the numbers exist, gaps count as in a pattern. Only files with one of the extensions
// (lower case, with dot). At most kMaxSequenceFiles. kNotFound: none.
Result<std::vector<SequenceFile>> list_sequence(const std::string& name,
                                                std::span<const std::string_view> extensions);
// Lists pictures that FFmpeg decodes. In a folder, those with the extension of the first one.
Result<std::vector<SequenceFile>> list_pictures(const std::string& name);
// The gaps between the numbers in names, if a folder's files are listed without them because most
// numbers are missing.
struct ClosedGaps {
  std::string sentence;  // how many numbers are missing, and the first place
  int64_t first = 0;     // number of the first file after a gap
};
std::optional<ClosedGaps> closed_gaps(const std::string& name, std::span<const SequenceFile> files);
// True for a folder, or for a pattern unless a file has exactly that name.
bool names_sequence(const std::string& name);
constexpr size_t kMaxSequenceFiles = 1 << 24;

}  // namespace sail
