#include "sail/media/subtitles/missing_font.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace sail {
namespace {

struct ScriptBlock {
  uint32_t first;
  uint32_t last;
  const char* script;  // null: characters without a shape
  const char* package = "fonts-noto-core";
};
constexpr const char* kCjkFonts = "fonts-noto-cjk";
// Blocks of Unicode, the scripts that subtitles use most.
constexpr std::array kScriptBlocks = {
    ScriptBlock{0x0000, 0x001F, nullptr},
    ScriptBlock{0x0300, 0x036F, nullptr},
    ScriptBlock{0x0370, 0x03FF, "Greek"},
    ScriptBlock{0x0400, 0x052F, "Cyrillic"},
    ScriptBlock{0x0530, 0x058F, "Armenian"},
    ScriptBlock{0x0590, 0x05FF, "Hebrew"},
    ScriptBlock{0x0600, 0x06FF, "Arabic"},
    ScriptBlock{0x0900, 0x097F, "Devanagari"},
    ScriptBlock{0x0980, 0x09FF, "Bengali"},
    ScriptBlock{0x0A00, 0x0A7F, "Gurmukhi"},
    ScriptBlock{0x0A80, 0x0AFF, "Gujarati"},
    ScriptBlock{0x0B80, 0x0BFF, "Tamil"},
    ScriptBlock{0x0C00, 0x0C7F, "Telugu"},
    ScriptBlock{0x0C80, 0x0CFF, "Kannada"},
    ScriptBlock{0x0D00, 0x0D7F, "Malayalam"},
    ScriptBlock{0x0D80, 0x0DFF, "Sinhala"},
    ScriptBlock{0x0E00, 0x0E7F, "Thai"},
    ScriptBlock{0x0E80, 0x0EFF, "Lao"},
    ScriptBlock{0x1000, 0x109F, "Burmese"},
    ScriptBlock{0x10A0, 0x10FF, "Georgian"},
    ScriptBlock{0x1100, 0x11FF, "Korean", kCjkFonts},
    ScriptBlock{0x1200, 0x137F, "Ethiopic"},
    ScriptBlock{0x1780, 0x17FF, "Khmer"},
    ScriptBlock{0x2000, 0x206F, nullptr},
    ScriptBlock{0x2E80, 0x303F, "Chinese or Japanese", kCjkFonts},
    ScriptBlock{0x3040, 0x30FF, "Japanese", kCjkFonts},
    ScriptBlock{0x3130, 0x318F, "Korean", kCjkFonts},
    ScriptBlock{0x3400, 0x9FFF, "Chinese or Japanese", kCjkFonts},
    ScriptBlock{0xAC00, 0xD7AF, "Korean", kCjkFonts},
    ScriptBlock{0xF900, 0xFAFF, "Chinese or Japanese", kCjkFonts},
    ScriptBlock{0xFE00, 0xFE0F, nullptr},
    ScriptBlock{0xFEFF, 0xFEFF, nullptr},
    ScriptBlock{0xFF00, 0xFFEF, "Chinese or Japanese", kCjkFonts},
    ScriptBlock{0x1F000, 0x1FAFF, "symbols", "fonts-symbola"},
    ScriptBlock{0x20000, 0x3FFFF, "Chinese or Japanese", kCjkFonts},
    ScriptBlock{0xE0000, 0xE0FFF, nullptr},
};

}  // namespace

std::string missing_font(uint32_t character) {
  const auto* const block =
      std::ranges::find_if(kScriptBlocks, [character](const ScriptBlock& one) {
        return character >= one.first && character <= one.last;
      });
  const bool known = block != kScriptBlocks.end();
  if (known && block->script == nullptr) return "";
  return fmt::format("no font has the character U+{:04X} ({}), which is not drawn; install: {}",
                     character, known ? block->script : "another script",
                     known ? block->package : "fonts-noto-core");
}

}  // namespace sail
