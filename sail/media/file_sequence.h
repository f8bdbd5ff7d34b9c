// Files that together are a film: named by a printf pattern ("frame.%05d.j2c") or by the folder
// that they are in.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sail/base/result.h"

namespace sail {

struct SequenceFile {
  std::string name;
  int64_t number = 0;  // when it is seen: pictures after the first
};

// What stands around the number of a pattern; a number has at least `digits` digits. Nothing where
// the last part of the name has no "%d" or "%0Nd", or more than one.
struct SequencePattern {
  std::string before;  // with the folder
  std::string after;
  int digits = 1;
};
std::optional<SequencePattern> parse_pattern(std::string_view name);
// The number that a file of the pattern has.
std::optional<int64_t> number_of(const std::string& name, const SequencePattern& pattern);

// In lower case, with its dot; empty when there is none.
std::string extension_of(const std::string& name);

// The files of a pattern by their numbers, of which some may be missing; those of a folder in the
// order of their names, numbers in them counted as numbers. Only files with one of the extensions
// (in lower case, with the dot). At most kMaxSequenceFiles; none is kNotFound.
Result<std::vector<SequenceFile>> list_sequence(const std::string& name,
                                                std::span<const std::string_view> extensions);
// Pictures that FFmpeg decodes. A folder's are those with the extension of the first of them.
Result<std::vector<SequenceFile>> list_pictures(const std::string& name);
// A folder, or a pattern and no file of that very name.
bool names_sequence(const std::string& name);
constexpr size_t kMaxSequenceFiles = 1 << 24;

}  // namespace sail
