#include "sail/media/ffmpeg/media_source_device.h"

#include <fmt/core.h>

#include <array>
#include <string_view>
#include <utility>

#include "sail/core/base/c_library.h"
#include "sail/media/ffmpeg/media_source.h"

extern "C" {
#include <libavdevice/version.h>
}

namespace sail {
namespace {

// Our URL prefixes and the names of FFmpeg's devices.
constexpr std::array<std::pair<std::string_view, const char*>, 3> kDevices = {{
    {"v4l2:", "v4l2"},
    {"x11:", "x11grab"},
    {kSoundCardPrefix, "alsa"},
}};

const std::pair<std::string_view, const char*>* device_of(const std::string& url) {
  for (const auto& device : kDevices) {
    if (url.starts_with(device.first)) return &device;
  }
  return nullptr;
}

// Loads libavdevice on demand. It pulls in some sixty libraries, and some of them start threads
// when loaded, so programs that use no device should not link it.
void load_devices() {
  call_in_library("libavdevice.so." AV_STRINGIFY(LIBAVDEVICE_VERSION_MAJOR),
                  "avdevice_register_all");
}

}  // namespace

bool is_capture_device(const std::string& url) {
  return device_of(url) != nullptr;
}

Result<std::optional<CaptureDevice>> capture_device(const std::string& url) {
  const auto* device = device_of(url);
  if (device == nullptr) return std::nullopt;
  load_devices();
  const AVInputFormat* format = av_find_input_format(device->second);
  if (format == nullptr) {
    return fail(
        ErrorCode::kUnavailable,
        fmt::format("cannot open {}: FFmpeg's devices (libavdevice) are not installed", url));
  }
  return CaptureDevice{format, url.substr(device->first.size())};
}

}  // namespace sail
