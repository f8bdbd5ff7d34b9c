#include "sail/media/media_source_device.h"

#include <array>
#include <string_view>
#include <utility>

#include "sail/media/media_source.h"

extern "C" {
#include <libavdevice/avdevice.h>
}

namespace sail {
namespace {

// Our prefixes and FFmpeg's names for who reads what follows them.
constexpr std::array<std::pair<std::string_view, const char*>, 2> kDevices = {{
    {"v4l2:", "v4l2"},
    {"x11:", "x11grab"},
}};

const std::pair<std::string_view, const char*>* device_of(const std::string& url) {
  for (const auto& device : kDevices) {
    if (url.starts_with(device.first)) return &device;
  }
  return nullptr;
}

}  // namespace

bool is_capture_device(const std::string& url) {
  return device_of(url) != nullptr;
}

std::optional<CaptureDevice> capture_device(const std::string& url) {
  const auto* device = device_of(url);
  if (device == nullptr) return std::nullopt;
  avdevice_register_all();
  return CaptureDevice{av_find_input_format(device->second), url.substr(device->first.size())};
}

}  // namespace sail
