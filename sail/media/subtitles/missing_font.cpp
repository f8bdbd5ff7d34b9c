#include "sail/media/subtitles/missing_font.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace sail {
namespace {

struct Block {
  uint32_t first;
  uint32_t last;
  const char* script;  // null: characters without a shape
  const char* package = "fonts-noto-core";
};
constexpr const char* kCjkFonts = "fonts-noto-cjk";
// Blocks of Unicode, the scripts that subtitles use most.
constexpr std::array kBlocks = {
    Block{0x0000, 0x001F, nullptr},
    Block{0x0300, 0x036F, nullptr},
    Block{0x0370, 0x03FF, "Greek"},
    Block{0x0400, 0x052F, "Cyrillic"},
    Block{0x0530, 0x058F, "Armenian"},
    Block{0x0590, 0x05FF, "Hebrew"},
    Block{0x0600, 0x06FF, "Arabic"},
    Block{0x0900, 0x097F, "Devanagari"},
    Block{0x0980, 0x09FF, "Bengali"},
    Block{0x0A00, 0x0A7F, "Gurmukhi"},
    Block{0x0A80, 0x0AFF, "Gujarati"},
    Block{0x0B80, 0x0BFF, "Tamil"},
    Block{0x0C00, 0x0C7F, "Telugu"},
    Block{0x0C80, 0x0CFF, "Kannada"},
    Block{0x0D00, 0x0D7F, "Malayalam"},
    Block{0x0D80, 0x0DFF, "Sinhala"},
    Block{0x0E00, 0x0E7F, "Thai"},
    Block{0x0E80, 0x0EFF, "Lao"},
    Block{0x1000, 0x109F, "Burmese"},
    Block{0x10A0, 0x10FF, "Georgian"},
    Block{0x1100, 0x11FF, "Korean", kCjkFonts},
    Block{0x1200, 0x137F, "Ethiopic"},
    Block{0x1780, 0x17FF, "Khmer"},
    Block{0x2000, 0x206F, nullptr},
    Block{0x2E80, 0x303F, "Chinese or Japanese", kCjkFonts},
    Block{0x3040, 0x30FF, "Japanese", kCjkFonts},
    Block{0x3130, 0x318F, "Korean", kCjkFonts},
    Block{0x3400, 0x9FFF, "Chinese or Japanese", kCjkFonts},
    Block{0xAC00, 0xD7AF, "Korean", kCjkFonts},
    Block{0xF900, 0xFAFF, "Chinese or Japanese", kCjkFonts},
    Block{0xFE00, 0xFE0F, nullptr},
    Block{0xFEFF, 0xFEFF, nullptr},
    Block{0xFF00, 0xFFEF, "Chinese or Japanese", kCjkFonts},
    Block{0x1F000, 0x1FAFF, "symbols", "fonts-symbola"},
    Block{0x20000, 0x3FFFF, "Chinese or Japanese", kCjkFonts},
    Block{0xE0000, 0xE0FFF, nullptr},
};

}  // namespace

std::string missing_font(uint32_t character) {
  const auto* const block = std::ranges::find_if(kBlocks, [character](const Block& one) {
    return character >= one.first && character <= one.last;
  });
  const bool known = block != kBlocks.end();
  if (known && block->script == nullptr) return "";
  return fmt::format("no font has the character U+{:04X} ({}), which is not drawn; install: {}",
                     character, known ? block->script : "another script",
                     known ? block->package : "fonts-noto-core");
}

}  // namespace sail
