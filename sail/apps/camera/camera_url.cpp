#include "sail/apps/camera/camera_url.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sail/core/text/encodings.h"
#include "sail/core/text/text.h"

namespace sail {
namespace {

constexpr std::string_view kBehindScheme = "://";
constexpr const char* kUsualDevicePath = "/onvif/device_service";

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

bool is_host(std::string_view host) {
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
    return !host.empty() && std::ranges::all_of(host, [](char letter) {
      return is_unreserved(letter) || letter == ':' || letter == '%';
    });
  }
  return !host.empty() && std::ranges::all_of(host, is_unreserved);
}

bool is_port(std::string_view port) {
  constexpr size_t kMostDigits = 5;
  return port.size() <= kMostDigits && std::ranges::all_of(port, is_digit);
}

bool is_path(std::string_view path) {
  return std::ranges::all_of(path, [](char letter) {
    return letter > ' ' && letter < 0x7f &&
           std::string_view("\"<>\\^`{|}#").find(letter) == std::string_view::npos;
  });
}

Error no_camera_url(std::string_view text) {
  return fail(ErrorCode::kBadData,
              fmt::format("'{}' is not a URL with http, https, rtsp or rtsps",
                          make_plain_text(without_passwords(text.substr(0, 200)), 200)));
}

std::string login_text(std::string_view text) {
  return percent_encoded(text, is_unreserved);
}

}  // namespace

CameraUrl CameraUrl::without_login() const {
  CameraUrl bare = *this;
  bare.user.clear();
  bare.password.clear();
  return bare;
}

std::string CameraUrl::text() const {
  const std::string login =
      has_login() ? fmt::format("{}:{}@", login_text(user), login_text(password)) : "";
  return fmt::format("{}://{}{}{}{}{}", scheme, login, host, port.empty() ? "" : ":", port, path);
}

Result<CameraUrl> parse_camera_url(std::string_view text) {
  const size_t scheme_end = text.find(kBehindScheme);
  if (text.size() > kLongestCameraUrl || scheme_end == std::string_view::npos) {
    return no_camera_url(text);
  }
  CameraUrl url;
  url.scheme = lower(text.substr(0, scheme_end));
  std::string_view rest = text.substr(scheme_end + kBehindScheme.size());
  const size_t path_at = std::min(rest.find_first_of("/?"), rest.size());
  url.path = rest.substr(path_at);
  rest = rest.substr(0, path_at);
  if (const size_t at = rest.rfind('@'); at != std::string_view::npos) {
    const std::string_view login = rest.substr(0, at);
    const size_t colon = std::min(login.find(':'), login.size());
    const auto user = percent_decoded(login.substr(0, colon));
    const auto password = percent_decoded(login.substr(std::min(colon + 1, login.size())));
    if (!user || !password) return no_camera_url(text);
    url.user = *user;
    url.password = *password;
    rest = rest.substr(at + 1);
  }
  const size_t colon = rest.rfind(':');
  const bool has_port = colon != std::string_view::npos && !rest.ends_with(']');
  url.host = lower(rest.substr(0, has_port ? colon : rest.size()));
  if (has_port) url.port = rest.substr(colon + 1);
  const bool is_known = url.scheme == "http" || url.scheme == "https" || url.scheme == "rtsp" ||
                        url.scheme == "rtsps";
  if (!is_known || !is_host(url.host) || !is_port(url.port) || !is_path(url.path)) {
    return no_camera_url(text);
  }
  return url;
}

Result<CameraUrl> parse_device(std::string_view text) {
  const bool has_scheme = text.find(kBehindScheme) != std::string_view::npos;
  auto url = parse_camera_url(has_scheme ? std::string(text) : fmt::format("http://{}", text));
  if (!url || !url->scheme.starts_with("http")) {
    return fail(ErrorCode::kInvalidParams,
                "'device' must be HOST, HOST:PORT or http://[USER:PASSWORD@]HOST[:PORT][/PATH], "
                "with the characters of URLs");
  }
  if (url->path.empty() || url->path == "/") url->path = kUsualDevicePath;
  return url;
}

ToldUrl at_asked_host(CameraUrl told, const CameraUrl& asked, const std::string& asked_ip) {
  const bool is_ip = !asked_ip.empty() && told.host == asked_ip;
  const bool is_same = is_ip || told.host == asked.host || told.host == "[" + asked_ip + "]";
  told.host = asked.host;
  if (is_same) return {std::move(told), false};
  if (told.scheme.starts_with("http")) {
    told.scheme = asked.scheme;
    told.port = asked.port;
  }
  return {std::move(told), true};
}

}  // namespace sail
