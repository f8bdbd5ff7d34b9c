#include "sail/media/source/tiff_tags.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace sail {
namespace {

enum Tag : uint16_t {
  kBitsPerSample = 258,
  kTileWidth = 322,
  kSampleFormat = 339,
  kDngVersion = 50706,
};

class Reader {
 public:
  Reader(std::span<const uint8_t> file, bool little) : file_(file), little_(little) {}

  // 0 beyond the end.
  uint64_t number(uint64_t at, int bytes) const {
    if (at > file_.size() || file_.size() - at < static_cast<uint64_t>(bytes)) return 0;
    uint64_t value = 0;
    for (int i = 0; i < bytes; ++i) {
      const int place = little_ ? bytes - 1 - i : i;
      value = value << 8 | file_[at + static_cast<uint64_t>(place)];
    }
    return value;
  }
  bool has(uint64_t at, uint64_t bytes) const {
    return at <= file_.size() && file_.size() - at >= bytes;
  }

 private:
  std::span<const uint8_t> file_;
  bool little_;
};

// The first value of each relevant tag of the first picture.
std::map<uint16_t, uint64_t> read_tags(const Reader& reader) {
  constexpr uint64_t kFirstDirectory = 4, kEntryBytes = 12, kShort = 3, kInPlace = 4;
  const uint64_t directory = reader.number(kFirstDirectory, 4);
  const uint64_t count = reader.number(directory, 2);
  std::map<uint16_t, uint64_t> tags;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t entry = directory + 2 + i * kEntryBytes;
    if (!reader.has(entry, kEntryBytes)) break;
    const auto tag = static_cast<uint16_t>(reader.number(entry, 2));
    const bool is_short = reader.number(entry + 2, 2) == kShort;
    uint64_t at = entry + 8;
    if (is_short && reader.number(entry + 4, 4) * 2 > kInPlace) at = reader.number(at, 4);
    tags.emplace(tag, reader.number(at, is_short ? 2 : 4));
  }
  return tags;
}

}  // namespace

std::string tiff_fault(std::span<const uint8_t> file) {
  constexpr uint64_t kBig = 43, kFloat = 3, kHalfBits = 16;
  if (file.size() < 8) return {};
  const bool little = file[0] == 'I';
  const Reader reader(file, little);
  const std::string convert =
      "; convert it with: vips tiffsave IN OUT (in strips), or show it with: vitrail show";
  if (reader.number(2, 2) == kBig) return "a BigTIFF cannot be a picture of a film" + convert;
  const auto tags = read_tags(reader);
  if (tags.contains(kDngVersion)) return {};
  if (tags.contains(kTileWidth)) return "a TIFF in tiles cannot be a picture of a film" + convert;
  const auto is = [&](Tag tag, uint64_t value) {
    const auto found = tags.find(tag);
    return found != tags.end() && found->second == value;
  };
  if (is(kSampleFormat, kFloat) && is(kBitsPerSample, kHalfBits)) {
    return "a TIFF of half floats cannot be a picture of a film; convert it to 16-bit integers";
  }
  return {};
}

}  // namespace sail
