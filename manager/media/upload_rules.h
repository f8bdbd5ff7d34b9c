// Rules for uploads and their file names. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace manager {

constexpr size_t kLongestUploadName = 120;  // Bytes.

struct UploadOptions {
  std::string folder;                         // Empty: uploads are disabled.
  uint64_t most_bytes = uint64_t{4} << 30;    // Per file.
  uint64_t quota_bytes = uint64_t{64} << 30;  // All files together.
  size_t most_unfinished = 64;
  int64_t wait_timeout_s = 3600;  // Idle and completed uploads are forgotten after this time.
};

// Returns a safe file name for an untrusted one: its last path component, without control
// characters, leading dots, and characters with a special meaning on any system. Never empty, at
// most kLongestUploadName bytes; keeps the extension.
std::string clean_file_name(std::string_view given);

// Returns the extension with its dot; empty: none, or too long for an extension.
std::string file_extension_of(const std::string& name);

// Returns a file's new name when a person renames it: a safe name with the file's extension.
std::string renamed(const std::string& file_name, std::string_view wanted);

// "film.mp4" → "film (2).mp4".
std::string numbered_name(const std::string& name, int number);

// Returns the decoded value of a key in tus's Upload-Metadata ("filename ZmlsbS5tcDQ=,filetype …");
// empty: missing, or not Base64.
std::optional<std::string> upload_metadata(std::string_view header, std::string_view key);

// Returns a whole number of at most 15 digits; empty for anything else.
std::optional<uint64_t> upload_number(std::string_view text);

}  // namespace manager
