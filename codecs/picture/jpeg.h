// Encodes pictures as JPEG. Reentrant.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace codecs {

// Encodes width × height pixels, 3 bytes each (R, G, B), row by row without gaps, as baseline JPEG
// with chroma subsampled 2×2. quality: 1 to 100. Empty if the library fails.
std::vector<uint8_t> encode_jpeg(std::span<const uint8_t> rgb, int width, int height, int quality);

// The same, in the best of a few qualities that gives at most max_bytes. Empty also if none does.
std::vector<uint8_t> encode_jpeg_within(std::span<const uint8_t> rgb, int width, int height,
                                        size_t max_bytes);

}  // namespace codecs
