#include "sail/apps/camera/camera_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "sail/apps/camera/camera_search.h"
#include "sail/apps/camera/onvif_calls.h"
#include "sail/apps/camera/onvif_camera.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/media/ffmpeg/media_source.h"

namespace sail {
namespace {

constexpr int64_t kLongestMoveMs = 60'000;

Result<CameraUrl> device_in(JsonFields& fields) {
  const std::string text = fields.string("device", kLongestCameraUrl);
  if (auto error = fields.finish_open()) return *error;
  return parse_device(text);
}

Result<Json> find(const Json& job) {
  JsonFields fields(job, "find");
  CameraSearch search;
  search.host = fields.string_or("host", kLongestCameraUrl, "");
  search.interface = fields.string_or("interface", kMaxNameLength, "");
  if (auto error = fields.finish_open()) return *error;
  const auto cameras = find_cameras(search);
  if (!cameras) return cameras.error();
  Json list = Json::array();
  for (const FoundCamera& camera : *cameras) {
    list.push_back({{"name", camera.name}, {"model", camera.model}, {"device", camera.device}});
  }
  return Json{{"cameras", std::move(list)}};
}

// What people may see: without the login and passwords in the path.
Json profile_json(const CameraStream& stream) {
  const CameraProfile& profile = stream.profile;
  Json json = {{"profile", profile.token},
               {"name", profile.name},
               {"moves", profile.moves},
               {"url", without_passwords(stream.url.without_login().text())}};
  if (!profile.codec.empty()) json["codec"] = profile.codec;
  if (profile.size.width > 0 && profile.size.height > 0) json["size"] = size_json(profile.size);
  if (profile.fps > 0) json["fps"] = profile.fps;
  return json;
}

struct Looked {
  CameraUrl device;
  CameraPicture picture;
  std::vector<std::string> notes;
};
Result<Looked> look_at(JsonFields& fields, const CameraHands& hands) {
  const auto device = device_in(fields);
  if (!device) return device.error();
  OnvifCamera camera(*device, hands.post, hands.now_s);
  if (auto done = camera.meet(); !done) return done.error();
  auto picture = camera.look();
  if (!picture && picture.error().code == ErrorCode::kUnauthorized && !device->has_login()) {
    return fail(ErrorCode::kUnauthorized,
                "the camera demands a user and a password: give those of a user of the camera");
  }
  if (!picture) return picture.error();
  return Looked{*device, std::move(*picture), camera.notes()};
}

Result<Json> look(const Json& job, const CameraHands& hands) {
  JsonFields fields(job, "look");
  const auto looked = look_at(fields, hands);
  if (!looked) return looked.error();
  Json profiles = Json::array();
  for (const CameraStream& stream : looked->picture.streams) {
    profiles.push_back(profile_json(stream));
  }
  return Json{
      {"name", looked->picture.name}, {"profiles", std::move(profiles)}, {"notes", looked->notes}};
}

// wanted: a token or a name; empty: the first profile, which is the main one.
Result<CameraStream> chosen(const std::vector<CameraStream>& streams, const std::string& wanted) {
  const auto is_it = [&wanted](const CameraStream& stream) {
    return wanted.empty() || stream.profile.token == wanted || stream.profile.name == wanted;
  };
  const auto found = std::ranges::find_if(streams, is_it);
  if (found != streams.end()) return *found;
  std::string known;
  for (const CameraStream& stream : streams) {
    known += fmt::format("{}'{}'", known.empty() ? "" : ", ", stream.profile.token);
  }
  return fail(ErrorCode::kNotFound,
              fmt::format("the camera has no profile '{}', only {}", wanted, known));
}

// Players would send the login in the clear if the camera asks for that.
Result<void> check_login(const CameraUrl& stream, const CameraHands& hands) {
  if (!stream.has_login() || stream.scheme != "rtsp") return {};
  const auto proof = hands.ask_stream(stream);
  if (!proof) return proof.error();
  if (*proof != StreamProof::kBasic) return {};
  return fail(ErrorCode::kConflict,
              "the camera's stream takes the login only in the clear (Basic): set the camera to "
              "Digest or RTSPS, or allow it with `--plain-login`");
}

Result<Json> save(const Json& job, const CameraHands& hands) {
  JsonFields fields(job, "save");
  const bool plain_login = fields.boolean_or("plain_login", false);
  const std::string wanted = fields.string_or("profile", kMaxOnvifToken, "");
  const auto looked = look_at(fields, hands);
  if (!looked) return looked.error();
  const auto stream = chosen(looked->picture.streams, wanted);
  if (!stream) return stream.error();
  const std::string url = stream->url.text();
  if (url.size() > kLongestCameraUrl) {
    return fail(ErrorCode::kLimit, fmt::format("the address of the stream is longer than {} bytes",
                                               kLongestCameraUrl));
  }
  if (!plain_login) {
    if (auto safe = check_login(stream->url, hands); !safe) return safe.error();
  }
  const auto shows = hands.try_stream(url);
  if (!shows) return shows.error();
  Json answer = profile_json(*stream);
  answer["url"] = url;
  answer["title"] = looked->picture.name;
  answer["shows"] = *shows;
  answer["notes"] = looked->notes;
  const std::string& moving = stream->profile.moves ? looked->picture.moving : "";
  answer["camera"] = {{"device", looked->device.without_login().text()},
                      {"moving", moving},
                      {"profile", stream->profile.token}};
  return answer;
}

// A camera of a source, and its login, which is in the address of the stream.
struct MovedCamera {
  CameraUrl device;
  CameraUrl moving;
  std::string profile;
};
Result<MovedCamera> moved_camera(JsonFields& job) {
  JsonFields fields(job.object("camera"), "camera");
  const std::string device = fields.string("device", kLongestCameraUrl);
  const std::string moving = fields.string("moving", kLongestCameraUrl);
  const std::string profile = fields.string("profile", kMaxOnvifToken);
  const std::string login = job.string("login", kLongestCameraUrl);
  if (auto error = fields.finish()) return *error;
  if (auto error = job.finish()) return *error;
  auto at = parse_device(device);
  const auto service = parse_camera_url(moving);
  const auto stream = parse_camera_url(login);
  if (!at || !service || !stream) {
    return fail(ErrorCode::kInvalidParams, "the saved addresses of the camera are damaged");
  }
  at->user = stream->user;
  at->password = stream->password;
  return MovedCamera{std::move(*at), *service, profile};
}

Result<OnvifCamera> met(const MovedCamera& moved, const CameraHands& hands) {
  OnvifCamera camera(moved.device, hands.post, hands.now_s);
  if (auto done = camera.meet(); !done) return done.error();
  return camera;
}

// Empty: no such word.
std::optional<OnvifCall> call_of_word(const std::string& word, const std::string& profile,
                                      double speed, int64_t ms) {
  if (word == "stop") return stop_camera(profile);
  if (word == "home") return go_home(profile);
  const std::map<std::string_view, CameraSpeed> ways = {
      {"left", {.pan = -speed}},  {"right", {.pan = speed}}, {"up", {.tilt = speed}},
      {"down", {.tilt = -speed}}, {"in", {.zoom = speed}},   {"out", {.zoom = -speed}}};
  const auto way = ways.find(word);
  if (way == ways.end()) return std::nullopt;
  return move_camera(profile, way->second, ms);
}

Result<Json> move(const Json& job, const CameraHands& hands) {
  JsonFields fields(job, "move");
  fields.string("do", kMaxNameLength);
  const std::string word = fields.string("move", kMaxNameLength);
  const double speed = fields.number("speed", 0, 1);
  const int64_t ms = fields.integer("ms", 1, kLongestMoveMs);
  const auto moved = moved_camera(fields);
  if (!moved) return moved.error();
  const auto call = call_of_word(word, moved->profile, speed, ms);
  if (!call) return fail(ErrorCode::kInvalidParams, fmt::format("no such movement: '{}'", word));
  auto camera = met(*moved, hands);
  if (!camera) return camera.error();
  if (auto done = camera->move(moved->moving, *call); !done) return done.error();
  return Json::object();
}

Json preset_json(const CameraPreset& preset) {
  return {{"preset", preset.token}, {"name", preset.name}};
}

// A camera that has been met, and its presets.
struct PresetCamera {
  MovedCamera moved;
  OnvifCamera camera;
  std::vector<CameraPreset> presets;
};
// Reads the remaining fields of the job.
Result<PresetCamera> with_presets(JsonFields& fields, const CameraHands& hands) {
  auto moved = moved_camera(fields);
  if (!moved) return moved.error();
  auto camera = met(*moved, hands);
  if (!camera) return camera.error();
  auto presets = camera->presets(moved->moving, moved->profile);
  if (!presets) return presets.error();
  return PresetCamera{std::move(*moved), std::move(*camera), std::move(*presets)};
}

Result<Json> presets(const Json& job, const CameraHands& hands) {
  JsonFields fields(job, "presets");
  fields.string("do", kMaxNameLength);
  const auto known = with_presets(fields, hands);
  if (!known) return known.error();
  Json list = Json::array();
  for (const CameraPreset& preset : known->presets) list.push_back(preset_json(preset));
  return Json{{"presets", std::move(list)}};
}

Result<Json> go_to(const Json& job, const CameraHands& hands) {
  JsonFields fields(job, "preset");
  fields.string("do", kMaxNameLength);
  const std::string wanted = fields.string("preset", kMaxTitleLength);
  auto known = with_presets(fields, hands);
  if (!known) return known.error();
  // Tokens are unique; names need not be.
  auto found = std::ranges::find(known->presets, wanted, &CameraPreset::token);
  if (found == known->presets.end()) {
    found = std::ranges::find_if(known->presets, [&wanted](const CameraPreset& preset) {
      return same_word(preset.name, wanted);
    });
  }
  if (found == known->presets.end()) {
    return fail(ErrorCode::kNotFound, fmt::format("the camera has no preset '{}'", wanted));
  }
  const MovedCamera& moved = known->moved;
  const auto done = known->camera.move(moved.moving, go_to_preset(moved.profile, found->token));
  if (!done) return done.error();
  return preset_json(*found);
}

}  // namespace

Result<Json> do_camera_job(const Json& job, const CameraHands& hands) {
  JsonFields fields(job, "job");
  const std::string what = fields.string("do", kMaxNameLength);
  if (auto error = fields.finish_open()) return *error;
  if (what == "find") return find(job);
  if (what == "look") return look(job, hands);
  if (what == "save") return save(job, hands);
  if (what == "move") return move(job, hands);
  if (what == "preset") return go_to(job, hands);
  if (what == "presets") return presets(job, hands);
  return fail(ErrorCode::kInvalidParams, fmt::format("no such job: '{}'", what));
}

Result<std::string> try_camera_stream(const std::string& url) {
  constexpr std::chrono::seconds kLongest(10);
  const auto end = std::chrono::steady_clock::now() + kLongest;
  const auto is_over = [end] { return std::chrono::steady_clock::now() >= end; };
  const auto stream = MediaSource::open(url, {.threads = 1, .interrupted = is_over});
  if (stream) return (*stream)->info().description;
  const std::string shown = without_passwords(url);
  if (is_over()) {
    return fail(ErrorCode::kTimeout, fmt::format("{}: the camera sends no picture within {} s",
                                                 shown, kLongest.count()));
  }
  return fail(stream.error().code, fmt::format("the camera's stream cannot be shown: {}",
                                               without_passwords(stream.error().message)));
}

}  // namespace sail
