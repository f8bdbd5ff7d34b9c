#include "sail/apps/camera/onvif_camera.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sail/core/base/secret.h"
#include "sail/core/text/text.h"

namespace sail {
namespace {

constexpr int kUnauthorizedStatus = 401;
constexpr int kForbiddenStatus = 403;
constexpr int kNoSuchPage = 404;
constexpr int kFirstRedirect = 300;
constexpr int kFirstMistake = 400;
constexpr size_t kMostNotes = 16;

Error refused_user(bool has_login) {
  return fail(ErrorCode::kUnauthorized,
              has_login ? "the camera refuses the user or the password"
                        : "the camera demands a user and a password: give those of a user of the "
                          "camera");
}

Error odd_status(int status) {
  if (status < kFirstMistake) {
    return fail(ErrorCode::kUnavailable,
                fmt::format("the camera redirects the request (status {}), and redirects are not "
                            "followed: give the final address, such as https://HOST",
                            status));
  }
  return fail(ErrorCode::kUnavailable,
              fmt::format("the camera answers with the status {}{}", status,
                          status == kNoSuchPage ? ": is ONVIF enabled in its settings?" : ""));
}

bool is_about_user(const Error& error) {
  return error.code == ErrorCode::kUnauthorized;
}

std::string device_name(const CameraDevice& device) {
  if (device.maker.empty() || device.model.starts_with(device.maker)) return device.model;
  return device.model.empty() ? device.maker : device.maker + " " + device.model;
}

}  // namespace

OnvifCamera::OnvifCamera(CameraUrl device, PostToCamera post, std::function<int64_t()> now_s)
    : device_(std::move(device)),
      post_(std::move(post)),
      now_s_(std::move(now_s)),
      end_s_(now_s_() + kLongestS) {}

Result<void> OnvifCamera::meet() {
  const auto first = post(device_, get_time(), Proof::kNone);
  if (!first) return first.error();
  from_ = first->from;
  proof_ = device_.has_login() ? Proof::kToken : Proof::kNone;
  if (first->status >= kFirstRedirect && first->status < kFirstMistake) {
    return odd_status(first->status);
  }
  auto time = read_time(first->body);
  // Some cameras report even their time only to users.
  if (!time && device_.has_login()) {
    const auto second = ask(device_, get_time());
    if (!second) return second.error();
    time = read_time(*second);
  }
  if (!time && first->status == kUnauthorizedStatus) return refused_user(device_.has_login());
  if (!time && first->status >= kFirstMistake && time.error().code == ErrorCode::kBadData) {
    return odd_status(first->status);
  }
  if (!time) return time.error();
  if (*time) {
    ahead_s_ = **time - now_s_();
  } else {
    note("the camera does not tell its time; Vitrail assumes that its clock is right");
  }
  return {};
}

Result<CameraPicture> OnvifCamera::look() {
  CameraPicture picture;
  if (const auto told = ask(device_, get_device()); told) {
    const auto device = read_device(*told);
    if (device) picture.name = device_name(*device);
    if (!device && is_about_user(device.error())) return device.error();
  } else {
    return told.error();
  }
  const auto found = services();
  if (!found) return found.error();
  if (!found->moving.empty()) {
    const auto moving = correct(found->moving, true);
    if (!moving) return moving.error();
    picture.moving = moving->without_login().text();
  }
  // The second media service also has profiles with H.265.
  Result<std::vector<CameraStream>> streams =
      fail(ErrorCode::kUnavailable, "the camera has no media service");
  if (!found->media2.empty()) streams = streams_of(kMedia2Service, found->media2);
  const bool has_none = !streams || streams->empty();
  if (has_none && !found->media.empty()) streams = streams_of(kMediaService, found->media);
  if (!streams) return streams.error();
  if (streams->empty()) {
    return fail(ErrorCode::kUnavailable,
                fmt::format("the camera has no profile with a stream by RTSP{}{}",
                            notes_.empty() ? "" : ": ", notes_.empty() ? "" : notes_.back()));
  }
  picture.streams = std::move(*streams);
  return picture;
}

Result<CameraServices> OnvifCamera::services() {
  const auto told = ask(device_, get_services());
  if (!told) return told.error();
  auto found = read_services(*told);
  const bool is_old = !found && !is_about_user(found.error());
  if (!is_old && (!found || !found->media.empty() || !found->media2.empty())) return found;
  const auto by_old_call = ask(device_, get_capabilities());
  if (!by_old_call) return by_old_call.error();
  return read_capabilities(*by_old_call);
}

Result<std::vector<CameraStream>> OnvifCamera::streams_of(const char* service,
                                                          const std::string& address) {
  const auto at = correct(address, true);
  if (!at) return at.error();
  const auto told = ask(*at, get_profiles(service));
  if (!told) return told.error();
  const auto profiles = read_profiles(*told);
  if (!profiles) return profiles.error();
  std::vector<CameraStream> streams;
  for (const CameraProfile& profile : *profiles) {
    const auto url =
        ask(*at, get_stream(service, profile.token))
            .and_then([](const std::string& xml) { return read_stream(xml); })
            .and_then([this](const std::string& text) { return correct(text, false); });
    if (url) {
      streams.push_back({profile, *url});
    } else if (is_about_user(url.error()) || url.error().code == ErrorCode::kTimeout) {
      return url.error();
    } else {
      note(fmt::format("the profile '{}' is left out: {}", profile.token, url.error().message));
    }
  }
  return streams;
}

Result<void> OnvifCamera::move(const CameraUrl& moving, const OnvifCall& call) {
  const auto told = ask(moving, call);
  if (!told) return told.error();
  return read_done(*told, call.name);
}

Result<std::vector<CameraPreset>> OnvifCamera::presets(const CameraUrl& moving,
                                                       const std::string& profile) {
  const auto told = ask(moving, get_presets(profile));
  if (!told) return told.error();
  return read_presets(*told);
}

Result<CameraReply> OnvifCamera::post(const CameraUrl& at, const OnvifCall& call, Proof proof) {
  if (now_s_() >= end_s_) {
    return fail(ErrorCode::kTimeout,
                fmt::format("the camera at {} is too slow: its answers took longer than {} s",
                            device_.host, kLongestS));
  }
  std::optional<OnvifLogin> login;
  if (proof == Proof::kToken) {
    login = OnvifLogin{.user = device_.user,
                       .password = device_.password,
                       .nonce = random_word().substr(0, 16),
                       .time_s = now_s_() + ahead_s_};
  }
  CameraUrl url = at;
  url.user = device_.user;
  url.password = device_.password;
  return post_({.url = std::move(url),
                .action = call.action(),
                .body = soap_message(call, login),
                .by_digest = proof == Proof::kDigest});
}

Result<std::string> OnvifCamera::ask(const CameraUrl& at, const OnvifCall& call) {
  auto reply = post(at, call, proof_);
  // Many cameras accept only HTTP digest.
  if (reply && reply->status == kUnauthorizedStatus && reply->offers_digest &&
      proof_ == Proof::kToken) {
    proof_ = Proof::kDigest;
    reply = post(at, call, proof_);
  }
  if (!reply) return reply.error();
  if (reply->status == kUnauthorizedStatus || reply->status == kForbiddenStatus) {
    return refused_user(device_.has_login());
  }
  const bool is_redirect = reply->status >= kFirstRedirect && reply->status < kFirstMistake;
  const bool is_mute = reply->status >= kFirstMistake && trimmed(reply->body).empty();
  if (is_redirect || is_mute || reply->status == kNoSuchPage) return odd_status(reply->status);
  return std::move(reply->body);
}

Result<CameraUrl> OnvifCamera::correct(const std::string& told, bool is_service) {
  const auto url = parse_camera_url(told);
  if (!url || url->scheme.starts_with("http") != is_service) {
    return fail(ErrorCode::kBadData,
                fmt::format("the camera's answer contains an address that cannot be used: '{}'",
                            make_plain_text(without_passwords(told.substr(0, 200)), 200)));
  }
  ToldUrl at = at_asked_host(*url, device_, from_);
  if (at.is_moved) {
    note(fmt::format("the camera's answers contain the host {}; Vitrail uses {} instead", url->host,
                     device_.host));
  }
  if (device_.has_login()) {
    at.url.user = device_.user;
    at.url.password = device_.password;
  }
  return std::move(at.url);
}

void OnvifCamera::note(std::string sentence) {
  const bool is_known = std::ranges::find(notes_, sentence) != notes_.end();
  if (!is_known && notes_.size() < kMostNotes) notes_.push_back(std::move(sentence));
}

}  // namespace sail
