// What may be uploaded under which name. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace manager {

constexpr size_t kLongestUploadName = 120;  // bytes

// A name for a file from one that a stranger gave: its last part, without control characters,
// leading dots, and what some system takes for more than a letter; never empty, at most
// kLongestUploadName bytes, its ending kept.
std::string clean_file_name(std::string_view given);

// "film (2).mp4" of "film.mp4".
std::string numbered_name(const std::string& name, int number);

// The value of a key in tus's Upload-Metadata ("filename ZmlsbS5tcDQ=,filetype …"), decoded;
// nothing when it is not there or no Base64.
std::optional<std::string> upload_metadata(std::string_view header, std::string_view key);

// A whole number of at most 15 digits; nothing for anything else.
std::optional<uint64_t> upload_number(std::string_view text);

}  // namespace manager
