// FFmpeg's capture devices: cameras, X11 screens, sound cards. Only for the media_source files.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sail/core/base/result.h"
#include "sail/media/ffmpeg/media_source_av.h"

namespace sail {

// Of the URLs of sound cards.
constexpr std::string_view kSoundCardPrefix = "alsa:";

struct CaptureDevice {
  const AVInputFormat* format = nullptr;
  std::string address;  // for FFmpeg
};

// Empty optional: not a device URL. kUnavailable: libavdevice is not installed.
Result<std::optional<CaptureDevice>> capture_device(const std::string& url);

}  // namespace sail
