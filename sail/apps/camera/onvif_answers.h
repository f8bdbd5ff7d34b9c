// Reads the answers of ONVIF cameras. They are untrusted: their size is checked before, lists and
// texts are bounded, document types are refused. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"

namespace sail {

constexpr size_t kMaxOnvifAnswer = 256 << 10;  // bytes
constexpr size_t kMaxOnvifToken = 128;         // bytes; ONVIF allows 64 characters
constexpr size_t kMaxCameraProfiles = 64;
constexpr size_t kMaxCameraPresets = 512;

// All readers fail with kUnauthorized if the camera refuses the user, kUnavailable if it refuses
// the request (the message has its reason), and kBadData if the answer is not the expected one.

// The camera's time, in seconds since 1970; empty: it does not report UTC.
Result<std::optional<int64_t>> read_time(std::string_view xml);

struct CameraDevice {
  std::string maker{};
  std::string model{};
};
Result<CameraDevice> read_device(std::string_view xml);

// Addresses; empty: the camera has no such service.
struct CameraServices {
  std::string media{};
  std::string media2{};
  std::string moving{};  // PTZ
};
Result<CameraServices> read_services(std::string_view xml);
Result<CameraServices> read_capabilities(std::string_view xml);

struct CameraProfile {
  std::string token;
  std::string name{};
  std::string codec{};  // as the camera names it; empty: unknown
  Size size{};          // empty: unknown
  double fps = 0;       // 0: unknown
  bool moves = false;   // it has PTZ
};
// Reads the profiles of either media service. Profiles without a printable token are left out.
Result<std::vector<CameraProfile>> read_profiles(std::string_view xml);
Result<std::string> read_stream(std::string_view xml);

struct CameraPreset {
  std::string token;
  std::string name{};
};
// Presets without a printable token are left out: ONVIF allows presets without one.
Result<std::vector<CameraPreset>> read_presets(std::string_view xml);
// The answer to `call` (such as "Stop"), which has no content that matters.
Result<void> read_done(std::string_view xml, std::string_view call);

// One answer to a probe.
struct ProbeMatch {
  std::string answers{};                 // the probe's id
  std::string name{};                    // empty: unknown
  std::string model{};                   // empty: unknown
  std::vector<std::string> addresses{};  // addresses of the camera's device service
};
// Devices that are no cameras are left out.
Result<std::vector<ProbeMatch>> read_probe_matches(std::string_view xml);

}  // namespace sail
