// Runs vitrail-camera, which talks to ONVIF cameras, one process for each job. Jobs of one camera
// run one after the other. Runs on the loop thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "manager/wall/step.h"
#include "sail/core/base/log.h"
#include "sail/core/base/result.h"
#include "sail/core/loop/loop.h"
#include "sail/core/process/process.h"
#include "sail/core/text/json.h"

namespace manager {

// What a camera does: a direction or "stop" or "home", or a preset.
struct CameraMove {
  std::string word{};    // a word of kCameraMoves; empty: a preset
  std::string preset{};  // Token or name.
  double speed = 0.5;    // speed of a direction, 0 to 1
  int64_t ms = 500;      // time until the camera stops
};
bool is_camera_move(std::string_view word);
constexpr int64_t kLongestCameraMoveMs = 10'000;

class Cameras {
 public:
  static constexpr size_t kMostAtOnce = 4;
  static constexpr size_t kMostWaiting = 32;
  static constexpr int64_t kJobTimeoutMs = 45'000;

  // program: path of vitrail-camera.
  Cameras(sail::Loop& loop, std::string program, const sail::Log& log);

  // The answer of vitrail-camera (sail/apps/camera/camera_jobs.h). kNotFound: the program is not
  // installed. kLimit: too many jobs wait. kTimeout. Not called after this object has ended.
  using Done = std::function<void(const sail::Result<sail::Json>&)>;
  // host: HOST or HOST:PORT; empty: all cameras.
  void find(const std::string& host, const std::string& interface, Done done);
  void look(const std::string& device, Done done);
  // The answer's "url" is secret. profile: empty for the first. plain_login: the stream may get the
  // login in the clear.
  void save(const std::string& device, const std::string& profile, bool plain_login, Done done);

  // login: the URL of the camera's stream. Directions end with a stop, unless another movement of
  // the camera succeeds before; cameras also get the time after which they stop automatically.
  // Stops do not wait for other cameras. A stop that fails is repeated for some seconds.
  void move(const SavedCamera& camera, const std::string& login, const CameraMove& wanted,
            Done done);
  void presets(const SavedCamera& camera, const std::string& login, Done done);

  // The manager ends: stops the cameras that move, and refuses all else (kUnavailable).
  void end();
  // Whether a camera moves, or may move.
  bool any_moves() const;

 private:
  struct Job {
    std::string camera;  // Jobs with the same text run one after the other.
    sail::Json job;
    Done done;
    bool moves = false;
    bool is_urgent = false;  // a stop; beside the limits, at most one per camera waits
  };
  struct Run {
    std::string camera;
    Done done;
    std::unique_ptr<sail::Process> process{};
    sail::Timer timeout;
    bool late = false;
    bool moves = false;
  };
  struct Moving {
    SavedCamera camera;
    std::string login;
  };
  struct Stop {
    Moving moving;
    sail::Timer timer;
  };
  void moved(const Moving& moving, const CameraMove& wanted,
             const sail::Result<sail::Json>& answer);
  void stop_later(const Moving& moving, int64_t ms, int tries);
  void stop(const Moving& moving, int tries);
  void add(Job job);
  void start_next();
  sail::Result<void> start(Job& job);
  void ended(uint64_t number, std::string_view output);
  bool is_running(const std::string& camera) const;

  sail::Loop& loop_;
  const std::string program_;
  sail::Log log_;
  std::deque<Job> waiting_;
  std::map<uint64_t, Run> runs_;
  uint64_t next_ = 1;
  std::map<std::string, Stop> stops_;  // stops of moving cameras, by device
  bool ending_ = false;
};

}  // namespace manager
