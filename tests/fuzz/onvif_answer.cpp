// Answers of cameras: each reader refuses them with a reason, or returns bounded lists and plain
// texts.
#include "sail/apps/camera/onvif_answers.h"

#include <string>
#include <string_view>

#include "sail/apps/camera/camera_http.h"
#include "sail/apps/camera/camera_search.h"
#include "sail/apps/camera/camera_url.h"
#include "sail/core/text/text.h"
#include "tests/fuzz/fuzz.h"

namespace {

template <typename Value>
const Value* read_or_refused(const sail::Result<Value>& read) {
  if (!read) fuzz::require(!read.error().message.empty(), "a refusal says why");
  return read ? &*read : nullptr;
}

void check_url(const std::string& text) {
  const auto device = sail::parse_device(text);
  fuzz::require(!device || !device->path.empty(), "a device has a path");
  const auto url = sail::parse_camera_url(text);
  if (!url) return;
  const auto again = sail::parse_camera_url(url->text());
  if (url->text().size() > sail::kLongestCameraUrl) return;
  const auto moved = sail::at_asked_host(*url, device.value_or(*url), "10.0.0.7").url;
  fuzz::require(moved.host == device.value_or(*url).host, "a camera is asked where it is");
  fuzz::require(again && (!url->has_login() || *again == *url), "a URL is written as it was read");
}

}  // namespace

FUZZ_TARGET(onvif_answer) {
  const std::string_view xml{reinterpret_cast<const char*>(data), size};
  const bool in_clear = sail::stream_proof_in(xml) == sail::StreamProof::kBasic;
  fuzz::require(!in_clear || size > std::string_view("401\nwww-authenticate:basic").size(),
                "a demand is in the answer");
  read_or_refused(sail::read_time(xml));
  read_or_refused(sail::read_device(xml));
  read_or_refused(sail::read_capabilities(xml));
  if (const auto services = sail::read_services(xml)) check_url(services->media);
  if (const auto stream = sail::read_stream(xml)) check_url(*stream);
  const auto profiles = sail::read_profiles(xml);
  if (const auto* list = read_or_refused(profiles)) {
    fuzz::require(list->size() <= sail::kMaxCameraProfiles, "the profiles are bounded");
    for (const sail::CameraProfile& profile : *list) {
      fuzz::require(sail::is_plain_text(profile.token) && sail::is_plain_text(profile.name),
                    "the texts of a profile are plain");
    }
  }
  const auto presets = sail::read_presets(xml);
  if (const auto* list = read_or_refused(presets)) {
    fuzz::require(list->size() <= sail::kMaxCameraPresets, "the presets are bounded");
  }
  const auto matches = sail::read_probe_matches(xml);
  if (const auto* list = read_or_refused(matches)) {
    for (const sail::ProbeMatch& match : *list) {
      const std::string device = sail::found_camera(match, "10.0.0.7").device;
      fuzz::require(device.find("://10.0.0.7") != std::string::npos, "a camera is at its sender");
    }
  }
  return 0;
}
