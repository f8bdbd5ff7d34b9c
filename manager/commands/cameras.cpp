// ONVIF cameras: search, profiles, cameras as sources, movements.
#include "manager/media/cameras.h"

#include <fmt/core.h>

#include <string>
#include <vector>

#include "manager/commands/verbs.h"
#include "manager/desk/desk.h"
#include "manager/media/source_library.h"
#include "manager/peers/peers.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"

namespace manager::verbs {
namespace {

constexpr size_t kLongestCameraName = 4096;  // Or id.
constexpr size_t kLongestHost = 255;
constexpr size_t kLongestDevice = 1024;
constexpr size_t kLongestProfile = 128;
constexpr size_t kLongestStream = 1024;

// A copy of a saved camera, because the source may change before the camera answers.
struct CameraAsked {
  SavedCamera camera;
  std::string login;
};

sail::Result<CameraAsked> camera_of(const Source* source, const std::string& what) {
  if (source == nullptr || !source->camera) {
    return sail::fail(sail::ErrorCode::kConflict,
                      fmt::format("{} is not a camera that camera_save has saved", what));
  }
  if (source->camera->moving.empty()) {
    return sail::fail(sail::ErrorCode::kConflict,
                      fmt::format("the camera '{}' cannot move (no PTZ)", source->title));
  }
  return CameraAsked{*source->camera, source->media};
}

// Finds the camera by id or, if only one camera has it, by title.
sail::Result<CameraAsked> camera_of_source(const SourceLibrary& library, const std::string& name) {
  if (const Source* source = library.find(name)) {
    return camera_of(source, fmt::format("the source '{}'", name));
  }
  std::vector<const Source*> found = library.all();
  std::erase_if(found, [&](const Source* one) { return !one->camera || one->title != name; });
  if (found.size() == 1) return camera_of(found.front(), "");
  return sail::fail(sail::ErrorCode::kNotFound,
                    found.empty()
                        ? fmt::format("there is no camera '{}'", name)
                        : fmt::format("{} cameras are named '{}': give the id of the source",
                                      found.size(), name));
}

sail::Result<CameraAsked> camera_of_window(const SourceLibrary& library, const Window& window) {
  const bool is_one = window.content && window.content->media.size() == 1;
  const Source* source =
      is_one ? library.find("url/" + sail::without_passwords(window.content->media.front()))
             : nullptr;
  return camera_of(source, fmt::format("what window {} shows", window.number));
}

// The fields "window" and "source", exactly one of which must be given.
class CameraName {
 public:
  explicit CameraName(sail::JsonFields& fields) {
    if (fields.has("source")) source_ = fields.string("source", kLongestCameraName);
    if (fields.has("source") && fields.has("window")) {
      fields.mistake("window", "and 'source' exclude each other");
    } else if (!fields.has("source")) {
      window_ = window_number(fields);
    }
  }

  // People who may change only their own windows must name a window.
  sail::Result<CameraAsked> find(const Call& call, const Desk& desk,
                                 const SourceLibrary& library) const {
    if (!source_.empty() && author_of(call.peer).only_own) {
      return sail::fail(sail::ErrorCode::kUnauthorized,
                        "a presenter moves only the cameras of own windows: give the window");
    }
    if (!source_.empty()) return camera_of_source(library, source_);
    const auto window = window_to_change(call, desk, window_);
    if (!window) return window.error();
    return camera_of_window(library, **window);
  }

 private:
  std::string source_;
  uint32_t window_ = 0;
};

std::string device_field(sail::JsonFields& fields) {
  std::string device = fields.string("device", kLongestDevice);
  if (device.find_first_of(" \t\r\n\"'") != std::string::npos) {
    fields.mistake("device", "must not have blanks or quotes: percent-encode them");
  }
  // The journal recognises passwords in URLs.
  if (device.find('@') != std::string::npos && device.find("://") == std::string::npos) {
    fields.mistake("device", "must begin with 'http://' or 'https://' if it has a user");
  }
  return device;
}

// Saves what vitrail-camera found, and answers without the secrets.
Answer save_found(const sail::Json& found, const std::string& title, SourceLibrary& library) {
  sail::JsonFields fields(found, "vitrail-camera");
  const std::string url = fields.string("url", kLongestStream);
  const std::string name = fields.string("title", sail::kMaxTitleLength);
  const auto camera = camera_from_json(fields.object("camera"));
  if (auto error = fields.finish_open()) return *error;
  if (!camera) return camera.error();
  const auto saved = library.save_url(url, title.empty() ? name : title, *camera);
  if (!saved) return saved.error();
  sail::Json answer = {
      {"source", saved->id}, {"title", saved->title}, {"moves", !camera->moving.empty()}};
  for (const char* field : {"profile", "shows", "notes"}) {
    if (found.contains(field)) answer[field] = found[field];
  }
  return answer;
}

}  // namespace

void camera_find(const Call& call, Cameras& cameras) {
  sail::JsonFields fields = call.fields();
  const std::string host = fields.string_or("host", kLongestHost, "");
  const std::string interface = fields.string_or("interface", sail::kMaxNameLength, "");
  if (auto error = fields.finish()) return call.reply(*error);
  cameras.find(host, interface, call.reply);
}

void camera_profiles(const Call& call, Cameras& cameras) {
  sail::JsonFields fields = call.fields();
  const std::string device = device_field(fields);
  if (auto error = fields.finish()) return call.reply(*error);
  cameras.look(device, call.reply);
}

void camera_save(const Call& call, Cameras& cameras, SourceLibrary& library) {
  sail::JsonFields fields = call.fields();
  const std::string device = device_field(fields);
  const std::string profile = fields.string_or("profile", kLongestProfile, "");
  const std::string title = fields.string_or("title", sail::kMaxTitleLength, "");
  const bool plain_login = fields.boolean_or("plain_login", false);
  if (auto error = fields.finish()) return call.reply(*error);
  cameras.save(device, profile, plain_login,
               [&library, title, reply = call.reply](const sail::Result<sail::Json>& found) {
                 if (!found) return reply(found.error());
                 reply(save_found(*found, title, library));
               });
}

void camera_move(const Call& call, const Desk& desk, Cameras& cameras,
                 const SourceLibrary& library) {
  sail::JsonFields fields = call.fields();
  CameraMove wanted;
  wanted.speed = fields.number_or("speed", 0.01, 1, wanted.speed);
  wanted.ms = fields.integer_or("ms", 100, kLongestCameraMoveMs, wanted.ms);
  const CameraName name(fields);
  if (fields.has("preset")) {
    wanted.preset = fields.string("preset", sail::kMaxTitleLength);
    if (wanted.preset.empty()) fields.mistake("preset", "must not be empty");
    if (fields.has("move")) fields.mistake("move", "and 'preset' exclude each other");
  } else {
    wanted.word = fields.string("move", sail::kMaxNameLength);
    if (!is_camera_move(wanted.word)) {
      fields.mistake("move", "must be left, right, up, down, in, out, stop or home");
    }
  }
  if (auto error = fields.finish()) return call.reply(*error);
  const auto asked = name.find(call, desk, library);
  if (!asked) return call.reply(asked.error());
  cameras.move(asked->camera, asked->login, wanted, call.reply);
}

void camera_presets(const Call& call, const Desk& desk, Cameras& cameras,
                    const SourceLibrary& library) {
  sail::JsonFields fields = call.fields();
  const CameraName name(fields);
  if (auto error = fields.finish()) return call.reply(*error);
  const auto asked = name.find(call, desk, library);
  if (!asked) return call.reply(asked.error());
  cameras.presets(asked->camera, asked->login, call.reply);
}

}  // namespace manager::verbs
