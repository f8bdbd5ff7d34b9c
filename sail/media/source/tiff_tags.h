// The kinds of TIFF that FFmpeg decodes to wrong pictures without an error. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace sail {

// Why the picture must not be given to FFmpeg, as a sentence; empty: FFmpeg decodes it.
std::string tiff_fault(std::span<const uint8_t> file);

}  // namespace sail
