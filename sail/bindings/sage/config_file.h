// SAGE's configuration files: words separated by spaces, commas and brackets; some words are keys
// for the next. Pure, except for reading files and printing messages.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sail/bindings/sage/include/sail.h"

namespace vitrail {

// Reads the file with this name: from the current folder, ~/.sageConfig/folder,
// $SAGE_DIRECTORY/sageConfig/folder, or the path in the name. Empty optional: no readable file of
// plausible size.
std::optional<std::string> find_sage_file(const std::string& name, const std::string& folder);

// Splits the text into words. A word that begins with '#' starts a comment to the line's end.
std::vector<std::string> words_of(std::string_view text);

// Reads the settings in `text` into a sailConfig; prints invalid values and ignored keys. `file`:
// name for the messages.
void read_settings(sailConfig& config, const std::string& file, std::string_view text);

}  // namespace vitrail
