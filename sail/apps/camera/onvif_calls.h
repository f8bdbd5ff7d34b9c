// Requests to ONVIF cameras as SOAP 1.2. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sail {

// --- services, by their name spaces
constexpr const char* kDeviceService = "http://www.onvif.org/ver10/device/wsdl";
constexpr const char* kMediaService = "http://www.onvif.org/ver10/media/wsdl";
constexpr const char* kMedia2Service = "http://www.onvif.org/ver20/media/wsdl";
constexpr const char* kMovingService = "http://www.onvif.org/ver20/ptz/wsdl";

// One request: the element `name` of the service with this content.
struct OnvifCall {
  std::string service;
  std::string name;
  std::string content{};

  // The value of SOAP's action.
  std::string action() const { return service + "/" + name; }
};

// A user of the camera. The camera gets a digest of the password, a fresh nonce and the time.
struct OnvifLogin {
  std::string user;
  std::string password;
  std::string nonce;   // bytes
  int64_t time_s = 0;  // since 1970, by the camera's clock
};
// Base64(SHA-1(nonce + time + password)), as WS-Security demands.
std::string password_digest(const OnvifLogin& login);

// The whole message. login: empty for requests that need none.
std::string soap_message(const OnvifCall& call, const std::optional<OnvifLogin>& login);

OnvifCall get_time();
OnvifCall get_device();
OnvifCall get_services();
OnvifCall get_capabilities();  // for cameras that do not know get_services()
// of: kMediaService or kMedia2Service.
OnvifCall get_profiles(const char* of);
OnvifCall get_stream(const char* of, std::string_view profile);
OnvifCall get_presets(std::string_view profile);

// Speeds from -1 to 1: to the right, up, and closer.
struct CameraSpeed {
  double pan = 0;
  double tilt = 0;
  double zoom = 0;
};
// The camera stops automatically after `ms`.
OnvifCall move_camera(std::string_view profile, const CameraSpeed& speed, int64_t ms);
OnvifCall stop_camera(std::string_view profile);
OnvifCall go_home(std::string_view profile);
OnvifCall go_to_preset(std::string_view profile, std::string_view preset);

// WS-Discovery asks for devices of this type.
enum class ProbedType : uint8_t { kVideoTransmitter, kDevice };
// id: "uuid:…", which the answers repeat.
std::string probe_message(ProbedType type, std::string_view id);

// Text and attribute values of XML.
std::string xml_escaped(std::string_view text);

}  // namespace sail
