// SAGE's files of settings: words between spaces, commas and brackets, some of which name what the
// next one is for. Pure, but for reading.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vitrail {

// The file of that name: here, in ~/.sageConfig/folder, in $SAGE_DIRECTORY/sageConfig/folder, or
// where the name says. Nothing: there is none that can be read, or it is larger than any such file.
std::optional<std::string> find_sage_file(const std::string& name, const std::string& folder);

// Its words. A '#' at a word's beginning makes the rest of the line a comment.
std::vector<std::string> words_of(std::string_view text);

}  // namespace vitrail
