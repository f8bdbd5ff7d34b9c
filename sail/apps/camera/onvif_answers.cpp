#include "sail/apps/camera/onvif_answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <functional>
#include <utility>

#include "sail/apps/camera/onvif_calls.h"
#include "sail/core/text/encodings.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/media/cinema/xml_events.h"

namespace sail {
namespace {

constexpr size_t kMostMatches = 16;  // of one datagram
constexpr size_t kMostAddresses = 16;
constexpr size_t kShownReason = 200;
constexpr size_t kFirstOfAnswer = 3;  // Envelope, Body, the answer

std::string plain(std::string_view text) {
  return make_plain_text(text, kMaxTitleLength);
}

// Where an element is: the names below the answer, as in "Profiles/Name".
std::string place_of(const XmlPath& path, size_t first) {
  std::string place;
  for (size_t i = first; i < path.size(); ++i) {
    if (!place.empty()) place += '/';
    place += path[i].name;
  }
  return place;
}

struct AnswerReader {
  std::function<Result<void>(const std::string& place, const XmlName& element)> begin{};
  std::function<Result<void>(const std::string& place, std::string_view text)> end{};
};

struct OnvifFault {
  bool is_there = false;
  bool is_about_login = false;
  std::string reason{};

  void take(const XmlPath& path, std::string_view text) {
    if (has_name(path, 0, "Value") || has_name(path, 0, "faultcode")) {
      const std::string_view code = text.substr(text.rfind(':') + 1);
      is_about_login |= code == "NotAuthorized" || code == "FailedAuthentication" ||
                        code == "InvalidSecurityToken" || code == "FailedCheck";
      if (reason.empty() && code != "Sender" && code != "Receiver") reason = plain(code);
    } else if (has_name(path, 0, "Text") || has_name(path, 0, "faultstring")) {
      if (!text.empty()) reason = make_plain_text(without_passwords(text), kShownReason);
    }
  }
  Error error() const {
    if (is_about_login) {
      return fail(ErrorCode::kUnauthorized,
                  fmt::format("the camera refuses the user or the password ('{}'): give a user of "
                              "the camera with the right to do this",
                              reason));
    }
    return fail(ErrorCode::kUnavailable,
                fmt::format("the camera refuses the request ('{}')", reason));
  }
};

// name: of the answer's element in the body.
Result<void> read_answer(std::string_view xml, std::string_view name, const AnswerReader& reader) {
  if (xml.size() > kMaxOnvifAnswer) {
    return fail(ErrorCode::kBadData,
                fmt::format("the camera's answer is larger than {} KiB", kMaxOnvifAnswer >> 10));
  }
  OnvifFault fault;
  bool is_there = false;
  const auto is_in = [](const XmlPath& path, std::string_view what) {
    return path.size() >= kFirstOfAnswer && path[0].name == "Envelope" && path[1].name == "Body" &&
           path[2].name == what;
  };
  const auto begin = [&](const XmlPath& path) -> Result<void> {
    fault.is_there |= is_in(path, "Fault");
    if (!is_in(path, name)) return {};
    is_there = true;
    if (path.size() == kFirstOfAnswer || !reader.begin) return {};
    return reader.begin(place_of(path, kFirstOfAnswer), path.back());
  };
  const auto end = [&](const XmlPath& path, std::string_view text) -> Result<void> {
    if (is_in(path, "Fault")) fault.take(path, text);
    const bool is_header = path.size() == kFirstOfAnswer && path[1].name == "Header";
    const bool is_part = is_in(path, name) && path.size() > kFirstOfAnswer;
    if (!reader.end || (!is_header && !is_part)) return {};
    return reader.end(place_of(path, is_header ? 1 : kFirstOfAnswer), text);
  };
  if (const auto read = read_xml(xml, {begin, end}); !read) {
    return fail(read.error().code, fmt::format("the camera's answer {}", read.error().message));
  }
  if (fault.is_there) return fault.error();
  if (!is_there) {
    return fail(ErrorCode::kBadData,
                fmt::format("the camera's answer has no '{}': is this an ONVIF camera?", name));
  }
  return {};
}

std::optional<int> number_of(std::string_view text, int least, int most) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  if (!is_number || number < least || number > most) return std::nullopt;
  return number;
}

double fps_of(std::string_view text) {
  constexpr double kMostFps = 1000;
  double fps = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), fps);
  const bool is_number = error == std::errc() && end == text.data() + text.size();
  return is_number && fps > 0 && fps <= kMostFps ? fps : 0;
}

// Empty if it is too long or not printable: nobody could name it.
std::string token_of(const XmlName& element) {
  std::string token = attribute(element, "token");
  const bool is_good =
      token.size() <= kMaxOnvifToken && make_plain_text(token, kMaxOnvifToken) == token;
  return is_good ? token : "";
}

// Leaves out profiles or presets without a token, because no request can name them.
template <typename Named>
std::vector<Named> with_tokens(std::vector<Named> all) {
  std::erase_if(all, [](const Named& one) { return one.token.empty(); });
  return all;
}

// Year, month, day, hour, minute, second.
struct ClockParts {
  std::optional<int> year, month, day, hour, minute, second;

  void take(const std::string& place, std::string_view text) {
    const auto is_at = [&](const char* part) {
      return place == fmt::format("SystemDateAndTime/UTCDateTime/{}", part);
    };
    constexpr int kFirstYear = 1970, kLastYear = 2200;
    if (is_at("Date/Year")) year = number_of(text, kFirstYear, kLastYear);
    if (is_at("Date/Month")) month = number_of(text, 1, 12);
    if (is_at("Date/Day")) day = number_of(text, 1, 31);
    if (is_at("Time/Hour")) hour = number_of(text, 0, 23);
    if (is_at("Time/Minute")) minute = number_of(text, 0, 59);
    if (is_at("Time/Second")) second = number_of(text, 0, 60);
  }
  std::optional<int64_t> seconds() const {
    if (!year || !month || !day || !hour || !minute || !second) return std::nullopt;
    const std::chrono::year_month_day date{std::chrono::year(*year),
                                           std::chrono::month(static_cast<unsigned>(*month)),
                                           std::chrono::day(static_cast<unsigned>(*day))};
    if (!date.ok()) return std::nullopt;
    const auto time = std::chrono::sys_days(date) + std::chrono::hours(*hour) +
                      std::chrono::minutes(*minute) + std::chrono::seconds(*second);
    return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
  }
};

void take_part(CameraProfile& profile, std::string_view part, std::string_view text) {
  const auto coder = [&](std::string_view name) {
    for (const std::string_view before :
         {"VideoEncoderConfiguration/", "Configurations/VideoEncoder/"}) {
      if (part.starts_with(before) && part.substr(before.size()) == name) return true;
    }
    return false;
  };
  if (part == "Name") profile.name = plain(text);
  if (coder("Encoding")) profile.codec = make_plain_text(text, kMaxNameLength);
  if (coder("Resolution/Width")) {
    profile.size.width = number_of(text, 1, kMaxWindowSide).value_or(0);
  }
  if (coder("Resolution/Height")) {
    profile.size.height = number_of(text, 1, kMaxWindowSide).value_or(0);
  }
  if (coder("RateControl/FrameRateLimit")) profile.fps = fps_of(text);
}

// Words between blanks.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of(" \t\r\n"), text.size());
    if (end > 0) words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

constexpr std::string_view kScope = "onvif://www.onvif.org/";

// The value of the first scope of this kind ("name", "hardware"); empty: there is none.
std::string scope_of(const std::vector<std::string>& scopes, std::string_view kind) {
  const std::string before = fmt::format("{}{}/", kScope, kind);
  for (const std::string& scope : scopes) {
    if (scope.starts_with(before)) {
      return plain(percent_decoded(scope.substr(before.size())).value_or(""));
    }
  }
  return "";
}

// A device while it is read.
struct ReadMatch {
  std::vector<std::string> scopes{};
  std::vector<std::string> types{};
  std::vector<std::string> addresses{};

  // Printers answer probes, too.
  bool is_camera() const {
    return std::ranges::any_of(scopes,
                               [](const auto& scope) { return scope.starts_with(kScope); }) ||
           std::ranges::any_of(types, [](const std::string& type) {
             return type.substr(type.rfind(':') + 1) == "NetworkVideoTransmitter";
           });
  }
};

}  // namespace

Result<std::optional<int64_t>> read_time(std::string_view xml) {
  ClockParts parts;
  AnswerReader reader;
  reader.end = [&](const std::string& place, std::string_view text) -> Result<void> {
    parts.take(place, text);
    return {};
  };
  return read_answer(xml, "GetSystemDateAndTimeResponse", reader).map([&] {
    return parts.seconds();
  });
}

Result<CameraDevice> read_device(std::string_view xml) {
  CameraDevice device;
  AnswerReader reader;
  reader.end = [&](const std::string& place, std::string_view text) -> Result<void> {
    if (place == "Manufacturer") device.maker = plain(text);
    if (place == "Model") device.model = plain(text);
    return {};
  };
  return read_answer(xml, "GetDeviceInformationResponse", reader).map([&] { return device; });
}

Result<CameraServices> read_services(std::string_view xml) {
  CameraServices services;
  std::string name_space;
  std::string address;
  AnswerReader reader;
  reader.begin = [&](const std::string& place, const XmlName&) -> Result<void> {
    if (place != "Service") return {};
    name_space.clear();
    address.clear();
    return {};
  };
  reader.end = [&](const std::string& place, std::string_view text) -> Result<void> {
    if (place == "Service/Namespace") name_space = text;
    if (place == "Service/XAddr") address = text;
    if (place != "Service") return {};
    if (name_space == kMediaService) services.media = address;
    if (name_space == kMedia2Service) services.media2 = address;
    if (name_space == kMovingService) services.moving = address;
    return {};
  };
  return read_answer(xml, "GetServicesResponse", reader).map([&] { return services; });
}

Result<CameraServices> read_capabilities(std::string_view xml) {
  CameraServices services;
  AnswerReader reader;
  reader.end = [&](const std::string& place, std::string_view text) -> Result<void> {
    if (place == "Capabilities/Media/XAddr") services.media = text;
    if (place == "Capabilities/PTZ/XAddr") services.moving = text;
    return {};
  };
  return read_answer(xml, "GetCapabilitiesResponse", reader).map([&] { return services; });
}

Result<std::vector<CameraProfile>> read_profiles(std::string_view xml) {
  std::vector<CameraProfile> profiles;
  AnswerReader reader;
  reader.begin = [&](const std::string& place, const XmlName& element) -> Result<void> {
    if (place == "Profiles") {
      if (profiles.size() >= kMaxCameraProfiles) {
        return fail(ErrorCode::kLimit,
                    fmt::format("has more than {} profiles", kMaxCameraProfiles));
      }
      profiles.push_back({.token = token_of(element)});
    } else if (place == "Profiles/PTZConfiguration" || place == "Profiles/Configurations/PTZ") {
      profiles.back().moves = true;
    }
    return {};
  };
  reader.end = [&](const std::string& place, std::string_view text) -> Result<void> {
    constexpr std::string_view kBefore = "Profiles/";
    if (place.starts_with(kBefore)) {
      take_part(profiles.back(), std::string_view(place).substr(kBefore.size()), text);
    }
    return {};
  };
  return read_answer(xml, "GetProfilesResponse", reader).map([&] { return with_tokens(profiles); });
}

Result<std::string> read_stream(std::string_view xml) {
  std::string url;
  AnswerReader reader;
  reader.end = [&](const std::string& place, std::string_view text) -> Result<void> {
    if (place == "MediaUri/Uri" || place == "Uri") url = text;
    return {};
  };
  const auto read = read_answer(xml, "GetStreamUriResponse", reader);
  if (!read) return read.error();
  if (url.empty()) {
    return fail(ErrorCode::kBadData, "the camera's answer has no address of the stream");
  }
  return url;
}

Result<std::vector<CameraPreset>> read_presets(std::string_view xml) {
  std::vector<CameraPreset> presets;
  AnswerReader reader;
  reader.begin = [&](const std::string& place, const XmlName& element) -> Result<void> {
    if (place != "Preset") return {};
    if (presets.size() >= kMaxCameraPresets) {
      return fail(ErrorCode::kLimit, fmt::format("has more than {} presets", kMaxCameraPresets));
    }
    presets.push_back({.token = token_of(element)});
    return {};
  };
  reader.end = [&](const std::string& place, std::string_view text) -> Result<void> {
    if (place == "Preset/Name") presets.back().name = plain(text);
    return {};
  };
  return read_answer(xml, "GetPresetsResponse", reader).map([&] { return with_tokens(presets); });
}

Result<void> read_done(std::string_view xml, std::string_view call) {
  return read_answer(xml, fmt::format("{}Response", call), {});
}

Result<std::vector<ProbeMatch>> read_probe_matches(std::string_view xml) {
  std::vector<ProbeMatch> matches;
  std::string answers;
  ReadMatch match;
  AnswerReader reader;
  reader.begin = [&](const std::string& place, const XmlName&) -> Result<void> {
    if (place == "ProbeMatch") match = {};
    return {};
  };
  reader.end = [&](const std::string& place, std::string_view text) -> Result<void> {
    if (place == "Header/RelatesTo") answers = text;
    if (place == "ProbeMatch/Scopes") match.scopes = words_of(text);
    if (place == "ProbeMatch/Types") match.types = words_of(text);
    if (place == "ProbeMatch/XAddrs") match.addresses = words_of(text);
    if (place != "ProbeMatch" || !match.is_camera() || matches.size() >= kMostMatches) return {};
    match.addresses.resize(std::min(match.addresses.size(), kMostAddresses));
    matches.push_back({.name = scope_of(match.scopes, "name"),
                       .model = scope_of(match.scopes, "hardware"),
                       .addresses = match.addresses});
    return {};
  };
  if (const auto read = read_answer(xml, "ProbeMatches", reader); !read) return read.error();
  for (ProbeMatch& one : matches) one.answers = answers;
  return matches;
}

}  // namespace sail
