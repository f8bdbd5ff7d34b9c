// Finds ONVIF cameras by WS-Discovery: a probe by UDP, which cameras answer. Blocks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sail/apps/camera/onvif_answers.h"
#include "sail/core/base/result.h"

namespace sail {

struct FoundCamera {
  std::string name;    // empty: unknown
  std::string model;   // empty: unknown
  std::string device;  // URL of its device service

  bool operator==(const FoundCamera&) const = default;
};

// A camera at the address that it answered from, whatever address it reported.
FoundCamera found_camera(const ProbeMatch& match, const std::string& sender);

struct CameraSearch {
  std::string host{};        // HOST or HOST:PORT: asks only this host; empty: all by multicast
  std::string interface {};  // asks by this network interface; empty: by all
  int64_t wait_ms = 3000;
};
// At most kMostFoundCameras, without repetitions, by address. kNotFound: no such host or interface.
// kIo: the probe cannot be sent.
constexpr size_t kMostFoundCameras = 256;
Result<std::vector<FoundCamera>> find_cameras(const CameraSearch& search);

}  // namespace sail
