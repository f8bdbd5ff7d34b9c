#include "manager/media/cameras.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <utility>
#include <vector>

#include "manager/media/sources.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"

namespace manager {
namespace {

constexpr size_t kLongestCameraAnswer = sail::kMaxControlLine / 2;
constexpr size_t kLongestCameraError = 1000;
constexpr int kMostStops = 11;  // Tries.
constexpr int64_t kStopAgainMs = 1000;
constexpr int64_t kStopAfterMovementMs = 100;

// Returns the error for a code that another process has sent.
sail::ErrorCode camera_error_code(const sail::Json& code) {
  const auto known = sail::whole_number(code, static_cast<int>(sail::ErrorCode::kUnauthorized),
                                        static_cast<int>(sail::ErrorCode::kBusy));
  if (known) return static_cast<sail::ErrorCode>(*known);
  const bool is_mistake = code == static_cast<int>(sail::ErrorCode::kInvalidParams);
  return is_mistake ? sail::ErrorCode::kInvalidParams : sail::ErrorCode::kInternal;
}

sail::Result<sail::Json> camera_answer(std::string_view output) {
  auto answer = sail::parse_json(output.substr(0, output.find('\n')), kLongestCameraAnswer);
  if (!answer || !answer->is_object()) {
    return sail::fail(sail::ErrorCode::kInternal,
                      "vitrail-camera ended without an answer: the manager's log may tell why");
  }
  if (!answer->contains("error")) return answer;
  sail::JsonFields fields((*answer)["error"], "error");
  const sail::ErrorCode code = camera_error_code(fields.value("code"));
  const sail::Json& message = fields.value("message");
  if (!message.is_string()) return sail::fail(code, "the camera failed without words");
  return sail::fail(code, sail::make_plain_text(sail::without_passwords(message.get<std::string>()),
                                                kLongestCameraError));
}

// True if the camera may have accepted the movement.
bool may_move_after(const sail::Error& error) {
  return error.code == sail::ErrorCode::kTimeout || error.code == sail::ErrorCode::kIo ||
         error.code == sail::ErrorCode::kInternal;
}

}  // namespace

bool is_camera_move(std::string_view word) {
  constexpr std::array<std::string_view, 8> kCameraMoves = {"left", "right", "up",   "down",
                                                            "in",   "out",   "stop", "home"};
  return std::ranges::find(kCameraMoves, word) != kCameraMoves.end();
}

Cameras::Cameras(sail::Loop& loop, std::string program, const sail::Log& log)
    : loop_(loop), program_(std::move(program)), log_(log) {}

void Cameras::find(const std::string& host, const std::string& interface, Done done) {
  add({.camera = fmt::format("find {}", host),
       .job = {{"do", "find"}, {"host", host}, {"interface", interface}},
       .done = std::move(done)});
}

void Cameras::look(const std::string& device, Done done) {
  add({.camera = device, .job = {{"do", "look"}, {"device", device}}, .done = std::move(done)});
}

void Cameras::save(const std::string& device, const std::string& profile, bool plain_login,
                   Done done) {
  add({.camera = device,
       .job =
           {{"do", "save"}, {"device", device}, {"profile", profile}, {"plain_login", plain_login}},
       .done = std::move(done)});
}

void Cameras::move(const SavedCamera& camera, const std::string& login, const CameraMove& wanted,
                   Done done) {
  sail::Json job = {{"camera", camera_json(camera)}, {"login", login}};
  if (wanted.word.empty()) {
    job.update({{"do", "preset"}, {"preset", wanted.preset}});
  } else {
    job.update({{"do", "move"}, {"move", wanted.word}, {"speed", wanted.speed}, {"ms", wanted.ms}});
  }
  const bool is_behind = std::ranges::any_of(
      waiting_, [&](const Job& next) { return next.moves && next.camera == camera.device; });
  add({.camera = camera.device,
       .job = std::move(job),
       .done =
           [this, moving = Moving{camera, login}, wanted,
            done = std::move(done)](const sail::Result<sail::Json>& answer) {
             moved(moving, wanted, answer);
             done(answer);
           },
       .moves = true,
       .is_urgent = wanted.word == "stop" && !is_behind});
}

void Cameras::moved(const Moving& moving, const CameraMove& wanted,
                    const sail::Result<sail::Json>& answer) {
  const bool has_end = !wanted.word.empty() && wanted.word != "stop" && wanted.word != "home";
  if (answer && !has_end) {
    stops_.erase(moving.camera.device);
  } else if (answer) {
    stop_later(moving, ending_ ? 0 : wanted.ms, kMostStops);
  } else if (has_end && may_move_after(answer.error())) {
    stop_later(moving, 0, kMostStops);
  }
}

void Cameras::stop_later(const Moving& moving, int64_t ms, int tries) {
  Stop& pending =
      stops_.try_emplace(moving.camera.device, Stop{moving, sail::Timer(loop_)}).first->second;
  pending.moving = moving;
  pending.timer.start(ms, 0, [this, moving, tries] { stop(moving, tries); });
}

void Cameras::stop(const Moving& moving, int tries) {
  const std::string& device = moving.camera.device;
  const bool is_moved = std::ranges::any_of(
      runs_, [&](const auto& run) { return run.second.moves && run.second.camera == device; });
  const bool is_asked = std::ranges::any_of(
      waiting_, [&](const Job& next) { return next.is_urgent && next.camera == device; });
  if (is_moved || is_asked) return stop_later(moving, kStopAfterMovementMs, tries);
  sail::Json job = {{"camera", camera_json(moving.camera)}, {"login", moving.login}};
  job.update({{"do", "move"}, {"move", "stop"}, {"speed", 1}, {"ms", 1}});
  add({.camera = device,
       .job = std::move(job),
       .done =
           [this, moving, tries](const sail::Result<sail::Json>& answer) {
             if (!answer && tries > 1) return stop_later(moving, kStopAgainMs, tries - 1);
             stops_.erase(moving.camera.device);
             if (!answer) log_.warning("a camera may still move: {}", answer.error().message);
           },
       .moves = true,
       .is_urgent = true});
}

void Cameras::presets(const SavedCamera& camera, const std::string& login, Done done) {
  add({.camera = camera.device,
       .job = {{"do", "presets"}, {"camera", camera_json(camera)}, {"login", login}},
       .done = std::move(done)});
}

void Cameras::end() {
  ending_ = true;
  std::vector<Job> refused;
  for (Job& job : waiting_) {
    if (!job.is_urgent) refused.push_back(std::move(job));
  }
  std::erase_if(waiting_, [](const Job& job) { return !job.is_urgent; });
  for (Job& job : refused) add(std::move(job));
  std::vector<Moving> moving;
  for (const auto& [device, pending] : stops_) moving.push_back(pending.moving);
  for (const Moving& one : moving) stop(one, kMostStops);
}

bool Cameras::any_moves() const {
  return !stops_.empty() ||
         std::ranges::any_of(waiting_, [](const Job& job) { return job.moves; }) ||
         std::ranges::any_of(runs_, [](const auto& run) { return run.second.moves; });
}

void Cameras::add(Job job) {
  if (job.is_urgent) {
    waiting_.push_front(std::move(job));
    return start_next();
  }
  if (ending_) {
    return job.done(sail::fail(sail::ErrorCode::kUnavailable, "the manager ends"));
  }
  if (waiting_.size() >= kMostWaiting) {
    return job.done(sail::fail(sail::ErrorCode::kLimit,
                               "too many requests to cameras wait: try again in some seconds"));
  }
  waiting_.push_back(std::move(job));
  start_next();
}

bool Cameras::is_running(const std::string& camera) const {
  return std::ranges::any_of(runs_, [&](const auto& run) { return run.second.camera == camera; });
}

void Cameras::start_next() {
  while (true) {
    const bool has_room = runs_.size() < kMostAtOnce;
    const auto next = std::ranges::find_if(waiting_, [&](const Job& job) {
      return (job.is_urgent || has_room) && !is_running(job.camera);
    });
    if (next == waiting_.end()) return;
    Job job = std::move(*next);
    waiting_.erase(next);
    if (const auto started = start(job); !started) job.done(started.error());
  }
}

sail::Result<void> Cameras::start(Job& job) {
  const std::string line = job.job.dump() + '\n';
  if (line.size() > sail::ChildFiles::kMostInputBytes) {
    return sail::fail(sail::ErrorCode::kInvalidParams, "the addresses of the camera are too long");
  }
  const uint64_t number = next_++;
  auto process = sail::Process::spawn_for_output(
      loop_, {program_}, {"VITRAIL_KEY", "VITRAIL_KEY_FILE"}, kLongestCameraAnswer,
      [this, number](int64_t, int, std::string_view output) { ended(number, output); },
      {.input = line});
  if (!process && process.error().code == sail::ErrorCode::kNotFound) {
    return sail::fail(sail::ErrorCode::kNotFound,
                      "cameras need the program vitrail-camera, which is not installed on the "
                      "manager's host");
  }
  if (!process) return process.error();
  Run& run = runs_
                 .try_emplace(number, Run{.camera = job.camera,
                                          .done = std::move(job.done),
                                          .process = std::move(*process),
                                          .timeout = sail::Timer(loop_),
                                          .moves = job.moves})
                 .first->second;
  run.timeout.start(kJobTimeoutMs, 0, [&run] {
    run.late = true;
    run.process->signal(SIGKILL);
  });
  return {};
}

void Cameras::ended(uint64_t number, std::string_view output) {
  // The process owns the function that calls this one.
  const auto run = runs_.extract(number);
  const bool is_late = run.mapped().late;
  auto answer = camera_answer(output);
  if (is_late) answer = sail::fail(sail::ErrorCode::kTimeout, "the camera took too long");
  run.mapped().done(answer);
  start_next();
}

}  // namespace manager
