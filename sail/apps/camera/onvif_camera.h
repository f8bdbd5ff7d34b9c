// A conversation with one ONVIF camera: its clock, its services, and the user's proof. Blocks.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sail/apps/camera/camera_http.h"
#include "sail/apps/camera/camera_url.h"
#include "sail/apps/camera/onvif_answers.h"
#include "sail/apps/camera/onvif_calls.h"
#include "sail/core/base/result.h"

namespace sail {

// A profile with the address of its stream.
struct CameraStream {
  CameraProfile profile;
  CameraUrl url;  // with the login
};

struct CameraPicture {
  std::string name;    // maker and model; empty: unknown
  std::string moving;  // address of the service that moves the camera; empty: none
  std::vector<CameraStream> streams{};
};

class OnvifCamera {
 public:
  // Later requests fail with kTimeout. With the last request, the question to the stream's server
  // and the first picture of the stream, a job takes less than 40 s.
  static constexpr int64_t kLongestS = 21;

  // device: with the login, if there is one. now_s: this host's time since 1970.
  OnvifCamera(CameraUrl device, PostToCamera post, std::function<int64_t()> now_s);

  // Call it first: reads the camera's clock, without which it refuses the proofs.
  Result<void> meet();
  // Which profiles the camera has, and where their streams are.
  Result<CameraPicture> look();
  // Moves the camera by the service at `moving`, which look() found.
  Result<void> move(const CameraUrl& moving, const OnvifCall& call);
  Result<std::vector<CameraPreset>> presets(const CameraUrl& moving, const std::string& profile);

  // Corrections, and profiles that are left out, as sentences.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  enum class Proof { kNone, kToken, kDigest };

  // An answer may be a fault.
  Result<std::string> ask(const CameraUrl& at, const OnvifCall& call);
  Result<CameraReply> post(const CameraUrl& at, const OnvifCall& call, Proof proof);
  Result<CameraServices> services();
  Result<std::vector<CameraStream>> streams_of(const char* service, const std::string& address);
  // The address that the camera reported, with the host that was asked. is_service: an HTTP
  // address.
  Result<CameraUrl> correct(const std::string& told, bool is_service);
  void note(std::string sentence);

  const CameraUrl device_;
  const PostToCamera post_;
  const std::function<int64_t()> now_s_;
  const int64_t end_s_;
  Proof proof_ = Proof::kNone;
  int64_t ahead_s_ = 0;  // lead of the camera's clock
  std::string from_;     // IP address of the camera
  std::vector<std::string> notes_;
};

}  // namespace sail
