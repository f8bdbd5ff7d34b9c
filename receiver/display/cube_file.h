// Reads .cube files: tables of colours as ArgyllCMS, DisplayCAL and Resolve write them, 1-D or 3-D.
// Files that would be applied wrongly are refused: both tables in one file, unknown keywords.
#pragma once

#include <string>
#include <string_view>

#include "codecs/color/panel_table.h"
#include "sail/core/base/result.h"

namespace receiver {

constexpr size_t kMaxCubeFileBytes = 32 << 20;

// An error names the line and what is allowed there; it quotes nothing of the text. Pure.
sail::Result<codecs::ColorLut> parse_cube(std::string_view text);

// Reads and parses the file. Blocks on the disk.
sail::Result<codecs::ColorLut> load_cube(const std::string& path);

}  // namespace receiver
