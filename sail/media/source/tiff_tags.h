// The tags of TIFF files, also BigTIFF, that decide how a picture is read and shown. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace sail {

// Fills the bytes from this offset of a file; false beyond its end.
using TiffBytes = std::function<bool(uint64_t offset, std::span<uint8_t> bytes)>;
TiffBytes tiff_bytes(std::span<const uint8_t> file);

struct TiffPage {
  bool reduced = false;  // a smaller version of another page
  bool mask = false;     // says where another page is transparent
  bool dng = false;      // a camera's raw picture
  // Samples of a pixel that are colour; 0: they name colours (palettes), or are of a rare kind.
  int colors = 0;
  std::optional<int> alpha;  // position of the sample that is opacity
  int orientation = 1;       // as in EXIF
  bool raw_ycbcr = false;    // YCbCr outside of JPEG, which libvips takes for RGB
  bool tiled = false;        // or BigTIFF: FFmpeg cannot read it
  // FFmpeg shows the page as it is meant to be shown.
  bool for_ffmpeg = true;
};

// The pages in the order of the file, at most that many. Empty: not a TIFF.
std::vector<TiffPage> read_tiff_pages(const TiffBytes& file, size_t most);

}  // namespace sail
