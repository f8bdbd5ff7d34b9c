#include "sail/apps/camera/onvif_calls.h"

#include <fmt/format.h>

#include <chrono>

#include "sail/core/auth/proof.h"
#include "sail/core/text/encodings.h"

namespace sail {
namespace {

constexpr const char* kSchema = "http://www.onvif.org/ver10/schema";
constexpr const char* kSecurity =
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";
constexpr const char* kSecurityUtility =
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd";
constexpr const char* kDigestType =
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0"
    "#PasswordDigest";
constexpr const char* kBase64Type =
    "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0"
    "#Base64Binary";
constexpr const char* kEnvelope = "http://www.w3.org/2003/05/soap-envelope";

std::string created_text(int64_t time_s) {
  const std::chrono::sys_seconds time{std::chrono::seconds(time_s)};
  const std::chrono::sys_days day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

std::string security_header(const OnvifLogin& login) {
  return fmt::format(
      R"(<s:Header><Security s:mustUnderstand="1" xmlns="{}"><UsernameToken><Username>{}</Username>)"
      R"(<Password Type="{}">{}</Password><Nonce EncodingType="{}">{}</Nonce>)"
      R"(<Created xmlns="{}">{}</Created></UsernameToken></Security></s:Header>)",
      kSecurity, xml_escaped(login.user), kDigestType, password_digest(login), kBase64Type,
      base64_text(login.nonce), kSecurityUtility, created_text(login.time_s));
}

std::string profile_token(std::string_view profile) {
  return fmt::format("<ProfileToken>{}</ProfileToken>", xml_escaped(profile));
}

OnvifCall moving_call(const char* name, std::string_view profile, const std::string& more = "") {
  return {kMovingService, name, profile_token(profile) + more};
}

}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string escaped;
  for (const char letter : text) {
    switch (letter) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += letter;
    }
  }
  return escaped;
}

std::string password_digest(const OnvifLogin& login) {
  return base64_text(sha1_bytes(login.nonce + created_text(login.time_s) + login.password));
}

std::string soap_message(const OnvifCall& call, const std::optional<OnvifLogin>& login) {
  return fmt::format(R"(<?xml version="1.0" encoding="UTF-8"?><s:Envelope xmlns:s="{}">{}<s:Body>)"
                     R"(<{} xmlns="{}">{}</{}></s:Body></s:Envelope>)",
                     kEnvelope, login ? security_header(*login) : "", call.name, call.service,
                     call.content, call.name);
}

OnvifCall get_time() {
  return {kDeviceService, "GetSystemDateAndTime"};
}

OnvifCall get_device() {
  return {kDeviceService, "GetDeviceInformation"};
}

OnvifCall get_services() {
  return {kDeviceService, "GetServices", "<IncludeCapability>false</IncludeCapability>"};
}

OnvifCall get_capabilities() {
  return {kDeviceService, "GetCapabilities", "<Category>All</Category>"};
}

OnvifCall get_profiles(const char* of) {
  return {of, "GetProfiles", std::string_view(of) == kMedia2Service ? "<Type>All</Type>" : ""};
}

OnvifCall get_stream(const char* of, std::string_view profile) {
  if (std::string_view(of) == kMedia2Service) {
    return {of, "GetStreamUri", "<Protocol>RTSP</Protocol>" + profile_token(profile)};
  }
  return {of, "GetStreamUri",
          fmt::format(R"(<StreamSetup><Stream xmlns="{0}">RTP-Unicast</Stream>)"
                      R"(<Transport xmlns="{0}"><Protocol>RTSP</Protocol></Transport>)"
                      "</StreamSetup>{1}",
                      kSchema, profile_token(profile))};
}

OnvifCall get_presets(std::string_view profile) {
  return moving_call("GetPresets", profile);
}

// Cameras that cannot zoom, or only zoom, refuse a speed of the other kind.
OnvifCall move_camera(std::string_view profile, const CameraSpeed& speed, int64_t ms) {
  std::string velocity;
  if (speed.pan != 0 || speed.tilt != 0) {
    velocity += fmt::format(R"(<PanTilt x="{:.3f}" y="{:.3f}" xmlns="{}"/>)", speed.pan, speed.tilt,
                            kSchema);
  }
  if (speed.zoom != 0) {
    velocity += fmt::format(R"(<Zoom x="{:.3f}" xmlns="{}"/>)", speed.zoom, kSchema);
  }
  constexpr double kMsPerSecond = 1000;
  return moving_call("ContinuousMove", profile,
                     fmt::format("<Velocity>{}</Velocity><Timeout>PT{:.1f}S</Timeout>", velocity,
                                 static_cast<double>(ms) / kMsPerSecond));
}

OnvifCall stop_camera(std::string_view profile) {
  return moving_call("Stop", profile, "<PanTilt>true</PanTilt><Zoom>true</Zoom>");
}

OnvifCall go_home(std::string_view profile) {
  return moving_call("GotoHomePosition", profile);
}

OnvifCall go_to_preset(std::string_view profile, std::string_view preset) {
  return moving_call("GotoPreset", profile,
                     fmt::format("<PresetToken>{}</PresetToken>", xml_escaped(preset)));
}

std::string probe_message(ProbedType type, std::string_view id) {
  const bool is_video = type == ProbedType::kVideoTransmitter;
  return fmt::format(
      R"(<?xml version="1.0" encoding="UTF-8"?><s:Envelope xmlns:s="{}" )"
      R"(xmlns:a="http://schemas.xmlsoap.org/ws/2004/08/addressing" )"
      R"(xmlns:d="http://schemas.xmlsoap.org/ws/2005/04/discovery" xmlns:t="{}">)"
      R"(<s:Header><a:MessageID>{}</a:MessageID>)"
      R"(<a:To s:mustUnderstand="1">urn:schemas-xmlsoap-org:ws:2005:04:discovery</a:To>)"
      R"(<a:Action s:mustUnderstand="1">http://schemas.xmlsoap.org/ws/2005/04/discovery/Probe)"
      R"(</a:Action></s:Header><s:Body><d:Probe><d:Types>t:{}</d:Types></d:Probe></s:Body>)"
      R"(</s:Envelope>)",
      kEnvelope, is_video ? "http://www.onvif.org/ver10/network/wsdl" : kDeviceService, id,
      is_video ? "NetworkVideoTransmitter" : "Device");
}

}  // namespace sail
