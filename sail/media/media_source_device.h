// What FFmpeg's devices take pictures from: cameras and X11 screens. Only for the media_source
// files.
#pragma once

#include <optional>
#include <string>

#include "sail/media/media_source_av.h"

namespace sail {

struct CaptureDevice {
  const AVInputFormat* format = nullptr;  // null: this FFmpeg was built without it
  std::string address;                    // for FFmpeg
};

// Nothing: the URL names none.
std::optional<CaptureDevice> capture_device(const std::string& url);

}  // namespace sail
