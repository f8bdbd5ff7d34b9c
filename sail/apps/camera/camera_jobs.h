// The jobs of vitrail-camera, as JSON in and out. Blocks.
#pragma once

#include <functional>
#include <string>

#include "sail/apps/camera/camera_http.h"
#include "sail/core/base/result.h"
#include "sail/core/text/json.h"

namespace sail {

// Opens the stream at the URL as a player does, and describes its first picture: "h264, 1280x720,
// 25 fps".
using TryStream = std::function<Result<std::string>(const std::string& url)>;
// kTimeout: no picture comes within 10 s.
Result<std::string> try_camera_stream(const std::string& url);

struct CameraHands {
  PostToCamera post;
  AskStream ask_stream;
  TryStream try_stream;
  std::function<int64_t()> now_s;
};

// kInvalidParams: no such job. The error may contain passwords.
//   {"do":"find","host":"","interface":""} → {"cameras":[{"name","model","device"}]}
//   {"do":"look","device":URL} → {"name","profiles":[…],"notes":[…]}
//   {"do":"save","device":URL,"profile":"","plain_login":false} → the profile, "camera", "shows",
//     and "url" with the login, which is secret. plain_login: the stream may get the login in clear
//   {"do":"move","camera":{…},"login":URL,"move":"left","speed":0.5,"ms":500}
//   {"do":"preset","camera":{…},"login":URL,"preset":"door"} → {"preset":"3","name":"Door"}
//   {"do":"presets","camera":{…},"login":URL} → {"presets":[{"preset","name"}]}
Result<Json> do_camera_job(const Json& job, const CameraHands& hands);

}  // namespace sail
