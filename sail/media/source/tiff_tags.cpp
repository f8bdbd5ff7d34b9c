#include "sail/media/source/tiff_tags.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

namespace sail {
namespace {

enum Tag : uint16_t {
  kSubfileType = 254,
  kBitsPerSample = 258,
  kCompression = 259,
  kPhotometric = 262,
  kOrientation = 274,
  kSamplesPerPixel = 277,
  kTileWidth = 322,
  kExtraSamples = 338,
  kSampleFormat = 339,
  kIccProfile = 34675,
  kDngVersion = 50706,
};

constexpr uint64_t kMostEntries = 4096;  // entries of a directory
constexpr uint64_t kMostSamples = 64;    // of a pixel, whose meaning is read

class Reader {
 public:
  explicit Reader(const TiffBytes& file) : file_(file) {
    const auto head = bytes(0, kHead);
    if (head.empty()) return;
    little_ = head[0] == 'I';
    const uint64_t version = number(head, 2, 2);
    constexpr uint64_t kClassic = 42, kBigVersion = 43;
    valid_ = head[0] == head[1] && (little_ || head[0] == 'M') &&
             (version == kClassic || version == kBigVersion);
    big_ = version == kBigVersion;
  }

  bool valid() const { return valid_; }
  bool big() const { return big_; }
  size_t offset_bytes() const { return big_ ? 8 : 4; }
  size_t entry_bytes() const { return big_ ? 20 : 12; }
  // Empty beyond the end.
  std::vector<uint8_t> bytes(uint64_t offset, uint64_t count) const {
    std::vector<uint8_t> read(count);
    return file_(offset, read) ? read : std::vector<uint8_t>();
  }
  uint64_t number(std::span<const uint8_t> in, size_t at, size_t count) const {
    uint64_t value = 0;
    for (size_t i = 0; i < count; ++i) value = value << 8 | in[at + (little_ ? count - 1 - i : i)];
    return value;
  }
  // 0 beyond the end.
  uint64_t number(uint64_t offset, size_t count) const {
    const auto read = bytes(offset, count);
    return read.empty() ? 0 : number(read, 0, count);
  }

 private:
  static constexpr uint64_t kHead = 8;

  const TiffBytes& file_;
  bool valid_ = false;
  bool little_ = false;
  bool big_ = false;
};

struct Entry {
  size_t value_bytes = 0;
  uint64_t count = 0;
  uint64_t at = 0;  // offset of the values in the file
};

class Directory {
 public:
  Directory(const Reader& reader, uint64_t offset) : reader_(reader) {
    const size_t head = reader.big() ? 8 : 2;
    const uint64_t count = std::min(reader.number(offset, head), kMostEntries);
    const auto bytes = reader.bytes(offset + head, count * reader.entry_bytes());
    if (bytes.empty()) return;
    for (size_t i = 0; i < count; ++i) add(bytes, i * reader.entry_bytes(), offset + head);
    next_ = reader.number(offset + head + bytes.size(), reader.offset_bytes());
  }

  // Offset of the next directory; 0: none.
  uint64_t next() const { return next_; }
  bool has(Tag tag) const { return entries_.contains(tag); }
  std::vector<uint64_t> values(Tag tag) const {
    const auto found = entries_.find(tag);
    if (found == entries_.end()) return {};
    const Entry& entry = found->second;
    const auto bytes =
        reader_.bytes(entry.at, std::min(entry.count, kMostSamples) * entry.value_bytes);
    std::vector<uint64_t> values;
    for (size_t at = 0; at < bytes.size(); at += entry.value_bytes) {
      values.push_back(reader_.number(bytes, at, entry.value_bytes));
    }
    return values;
  }
  uint64_t value(Tag tag, uint64_t missing) const {
    const auto found = values(tag);
    return found.empty() ? missing : found.front();
  }
  // True if there is no profile, or that of sRGB.
  bool is_srgb() const {
    constexpr uint64_t kMostRead = 4096;
    const auto found = entries_.find(kIccProfile);
    if (found == entries_.end()) return true;
    const auto profile = reader_.bytes(found->second.at, std::min(found->second.count, kMostRead));
    constexpr std::string_view kName = "sRGB";
    return std::search(profile.begin(), profile.end(), kName.begin(), kName.end()) != profile.end();
  }

 private:
  void add(std::span<const uint8_t> bytes, size_t at, uint64_t begin) {
    const auto tag = static_cast<uint16_t>(reader_.number(bytes, at, 2));
    const size_t offset = reader_.offset_bytes();
    Entry entry;
    switch (reader_.number(bytes, at + 2, 2)) {
      case 1:  // byte
      case 7:  // undefined
        entry.value_bytes = 1;
        break;
      case 3:  // short
        entry.value_bytes = 2;
        break;
      case 4:  // long
        entry.value_bytes = 4;
        break;
      case 16:  // long of BigTIFF
        entry.value_bytes = 8;
        break;
      default:
        return;
    }
    entry.count = reader_.number(bytes, at + 4, offset);
    const bool in_place = entry.count <= offset / entry.value_bytes;
    const size_t value = at + 4 + offset;
    entry.at = in_place ? begin + value : reader_.number(bytes, value, offset);
    entries_.emplace(tag, entry);
  }

  const Reader& reader_;
  std::map<uint16_t, Entry> entries_;
  uint64_t next_ = 0;
};

// Samples of a pixel that are colour; 0: they name colours, or are of a rare kind.
int colors_of(uint64_t photometric) {
  switch (photometric) {
    case 0:  // white is 0
    case 1:  // black is 0
      return 1;
    case 2:   // RGB
    case 6:   // YCbCr
    case 8:   // Lab
    case 9:   // ICC Lab
    case 10:  // ITU Lab
      return 3;
    case 5:  // CMYK
      return 4;
    default:
      return 0;
  }
}

// FFmpeg silently ignores some tags, and decodes tiles to black.
bool is_for_ffmpeg(const Reader& reader, const Directory& directory, const TiffPage& page) {
  if (page.dng) return true;
  constexpr uint64_t kUnsigned = 1, kLastPlainColor = 3, kPremultiplied = 1, kByteBits = 8;
  const auto extra = directory.values(kExtraSamples);
  const uint64_t samples = directory.value(kSamplesPerPixel, 1);
  const auto shown = static_cast<uint64_t>(std::max(page.colors, 1) + (page.alpha ? 1 : 0));
  // Scientific grey pictures may use only a part of their 16 bits.
  const bool science = directory.value(kSampleFormat, kUnsigned) != kUnsigned ||
                       (samples == 1 && directory.value(kBitsPerSample, 1) > kByteBits);
  return !reader.big() && !directory.has(kTileWidth) && !science && page.orientation == 1 &&
         directory.value(kPhotometric, 0) <= kLastPlainColor && samples == shown &&
         std::ranges::find(extra, kPremultiplied) == extra.end() && directory.is_srgb();
}

bool has_raw_ycbcr(const Directory& directory) {
  constexpr uint64_t kYcbcr = 6, kOldJpeg = 6, kJpeg = 7;
  const uint64_t compression = directory.value(kCompression, 1);
  return directory.value(kPhotometric, 0) == kYcbcr && compression != kOldJpeg &&
         compression != kJpeg;
}

TiffPage page_of(const Reader& reader, const Directory& directory) {
  constexpr uint64_t kReduced = 1, kMask = 4, kMostOrientation = 8;
  const uint64_t kind = directory.value(kSubfileType, 0);
  const uint64_t orientation = directory.value(kOrientation, 1);
  TiffPage page{.reduced = (kind & kReduced) != 0,
                .mask = (kind & kMask) != 0,
                .dng = directory.has(kDngVersion),
                .colors = colors_of(directory.value(kPhotometric, 0)),
                .alpha = std::nullopt,
                .raw_ycbcr = has_raw_ycbcr(directory),
                .tiled = reader.big() || directory.has(kTileWidth)};
  if (orientation >= 1 && orientation <= kMostOrientation) {
    page.orientation = static_cast<int>(orientation);
  }
  const auto extra = directory.values(kExtraSamples);
  const auto alpha =
      std::ranges::find_if(extra, [](uint64_t meaning) { return meaning == 1 || meaning == 2; });
  if (alpha != extra.end()) {
    page.alpha = std::max(page.colors, 1) + static_cast<int>(std::distance(extra.begin(), alpha));
  }
  page.for_ffmpeg = is_for_ffmpeg(reader, directory, page);
  return page;
}

}  // namespace

TiffBytes tiff_bytes(std::span<const uint8_t> file) {
  return [file](uint64_t offset, std::span<uint8_t> bytes) {
    if (offset > file.size() || file.size() - offset < bytes.size()) return false;
    std::ranges::copy(file.subspan(offset, bytes.size()), bytes.begin());
    return true;
  };
}

std::vector<TiffPage> read_tiff_pages(const TiffBytes& file, size_t most) {
  const Reader reader(file);
  std::vector<TiffPage> pages;
  if (!reader.valid()) return pages;
  uint64_t offset = reader.number(reader.big() ? 8 : 4, reader.offset_bytes());
  while (offset != 0 && pages.size() < most) {
    const Directory directory(reader, offset);
    pages.push_back(page_of(reader, directory));
    offset = directory.next();
  }
  return pages;
}

}  // namespace sail
