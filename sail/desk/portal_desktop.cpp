#include "sail/desk/portal_desktop.h"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <system_error>

#include "sail/base/clock.h"
#include "sail/base/environment.h"
#include "sail/base/private_file.h"
#include "sail/desk/wall_input.h"

namespace sail {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kPatienceNs = 10 * kSecondNs;  // for the first picture
constexpr int64_t kFirstRestartNs = kSecondNs;
constexpr int kSliceMs = 100;  // till stopped() is asked

// Empty: nothing can be kept.
fs::path token_file() {
  const fs::path folder = user_state_folder();
  return folder.empty() ? fs::path() : folder / "share-token";
}

std::string kept_token() {
  std::ifstream file(token_file());
  std::string token;
  std::getline(file, token);
  return token;
}

// Who cannot keep it is asked again.
void keep_token(const std::string& token) {
  const fs::path file = token_file();
  if (file.empty()) return;
  if (token.empty()) {
    std::error_code ignored;
    fs::remove(file, ignored);
  } else if (make_private_folder(file.parent_path())) {
    static_cast<void>(write_private_file(file, token + '\n'));
  }
}

}  // namespace

Result<std::unique_ptr<Desktop>> PortalDesktop::open(const ShareOptions& options,
                                                     const std::function<bool()>& stopped) {
  auto portal = SharePortal::ask({.cursor = options.cursor,
                                  .input = options.control,
                                  .token = options.choose ? std::string() : kept_token()},
                                 stopped);
  if (!portal) return portal.error();
  // With input, old portals ask each time: what they gave without it stays.
  const std::string& token = (*portal)->token();
  if (!options.control || !token.empty()) keep_token(token);
  auto connection = (*portal)->connect();
  if (!connection) return connection.error();
  auto pictures = PipewirePictures::open(*connection, (*portal)->node(), options.fps);
  if (!pictures) return pictures.error();
  std::unique_ptr<PortalDesktop> desktop(
      new PortalDesktop(std::move(*portal), std::move(*pictures), options.region));
  if (auto came = desktop->await_picture(stopped); !came) return came.error();
  SharePortal& given = *desktop->portal_;
  if (given.takes_input()) desktop->input_.emplace(given, desktop->pictures_->newest().size);
  return desktop;
}

Result<void> PortalDesktop::await_picture(const std::function<bool()>& stopped) {
  const int64_t begun_ns = steady_now_ns();
  int64_t restart_ns = begun_ns + kFirstRestartNs;
  while (!newer_) {
    const auto there = hear(kSliceMs);
    if (!there) return there.error();
    if (!*there || stopped()) return fail(ErrorCode::kUnavailable, "nothing is shared any more");
    const int64_t now_ns = steady_now_ns();
    if (now_ns - begun_ns > kPatienceNs) {
      return fail(ErrorCode::kUnavailable, "no picture comes of what is shared");
    }
    // What its node sent before this end ran is lost, and where nothing is drawn nothing follows.
    // Ever more seldom, for one that takes long.
    if (now_ns < restart_ns) continue;
    pictures_->restart();
    restart_ns = now_ns + (now_ns - begun_ns);
  }
  const Size whole = pictures_->newest().size;
  if (!part().empty()) return {};
  return fail(ErrorCode::kInvalidParams,
              fmt::format("the region lies off what is shared, which has {}x{} pixels", whole.width,
                          whole.height));
}

Result<bool> PortalDesktop::look() {
  return hear(0);
}

// What the person ends takes the pictures away, too: that is no failure of theirs.
Result<bool> PortalDesktop::hear(int timeout_ms) {
  const auto came = pictures_->look(timeout_ms);
  if (!portal_->look()) return false;
  if (!came) return came.error();
  newer_ |= *came;
  return true;
}

Rect PortalDesktop::part() const {
  const Size size = pictures_->newest().size;
  const Rect whole{0, 0, size.width, size.height};
  return region_ ? intersect(*region_, whole) : whole;
}

bool PortalDesktop::obey(const sail_input& input) {
  const Rect shown = part();
  input_->aim_at(shown.x, shown.y);
  return bring_to(*input_, input, frame_size_);
}

sail_status PortalDesktop::submit_to(WallWindow& window) {
  const PipewirePictures::Frame& newest = pictures_->newest();
  const Rect shown = part();
  if (shown.empty() || size() != frame_size_) return SAIL_DROPPED;
  Picture picture;
  picture.size = frame_size_;
  picture.display_size = frame_size_;
  picture.pixels.format = newest.format;
  picture.pixels.planes[0] = newest.pixels + shown.y * newest.stride + ptrdiff_t{shown.x} * 4;
  picture.pixels.strides[0] = newest.stride;
  return window.submit(picture);
}

}  // namespace sail
