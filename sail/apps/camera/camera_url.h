// Addresses of cameras, of their services and of their streams. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sail/core/base/result.h"

namespace sail {

constexpr size_t kLongestCameraUrl = 1024;

struct CameraUrl {
  std::string scheme;      // "http", "https", "rtsp" or "rtsps"
  std::string user{};      // decoded
  std::string password{};  // decoded
  std::string host;        // a name, an IPv4 address, or an IPv6 address in brackets
  std::string port{};      // digits; empty: the scheme's usual port
  std::string path{};      // with parameters; empty, or begins with '/' or '?'

  bool has_login() const { return !user.empty(); }
  CameraUrl without_login() const;
  // With the login, percent-encoded.
  std::string text() const;
  bool operator==(const CameraUrl&) const = default;
};

// kBadData: no such URL, or it has characters that no URL may contain.
Result<CameraUrl> parse_camera_url(std::string_view text);
// As parse_camera_url(), but also reads "HOST" and "HOST:PORT", and adds the path that most cameras
// have. kInvalidParams: not the address of a camera.
Result<CameraUrl> parse_device(std::string_view text);

// A URL that a camera reported, with the host that was asked: cameras behind address translation
// report addresses that nobody else reaches, and a hostile camera could name any host. asked: the
// URL of the request; asked_ip: the address that answered, or empty. is_moved: the host was
// replaced, with the port for web addresses.
struct ToldUrl {
  CameraUrl url;
  bool is_moved = false;
};
ToldUrl at_asked_host(CameraUrl told, const CameraUrl& asked, const std::string& asked_ip);

}  // namespace sail
