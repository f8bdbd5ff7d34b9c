// What may be uploaded under which name. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace manager {

constexpr size_t kLongestUploadName = 120;  // bytes

struct UploadOptions {
  std::string folder;                         // empty: none are taken
  uint64_t most_bytes = uint64_t{4} << 30;    // of one file
  uint64_t quota_bytes = uint64_t{64} << 30;  // of all together
  size_t most_unfinished = 64;
  int64_t patience_s = 3600;  // an upload that nobody goes on with, or that is whole, is forgotten
};

// A name for a file from one that a stranger gave: its last part, without control characters,
// leading dots, and what some system takes for more than a letter; never empty, at most
// kLongestUploadName bytes, its ending kept.
std::string clean_file_name(std::string_view given);

// With its dot; empty when it has none, or one too long to be an ending.
std::string ending_of(const std::string& name);

// What a file is called when somebody wants to call it so: a clean name with the ending it has.
std::string renamed(const std::string& file_name, std::string_view wanted);

// "film (2).mp4" of "film.mp4".
std::string numbered_name(const std::string& name, int number);

// The value of a key in tus's Upload-Metadata ("filename ZmlsbS5tcDQ=,filetype …"), decoded;
// nothing when it is not there or no Base64.
std::optional<std::string> upload_metadata(std::string_view header, std::string_view key);

// A whole number of at most 15 digits; nothing for anything else.
std::optional<uint64_t> upload_number(std::string_view text);

}  // namespace manager
