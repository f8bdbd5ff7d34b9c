// What FFmpeg's devices take pictures from: cameras and X11 screens. Only for the media_source
// files.
#pragma once

#include <optional>
#include <string>

#include "sail/media/media_source_av.h"

namespace sail {

struct CaptureDevice {
  const AVInputFormat* format = nullptr;  // null: FFmpeg's devices are not installed here
  std::string address;                    // for FFmpeg
};

// Nothing: the URL names none.
std::optional<CaptureDevice> capture_device(const std::string& url);

}  // namespace sail
