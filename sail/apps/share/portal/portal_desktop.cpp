#include "sail/apps/share/portal/portal_desktop.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <vector>

#include "sail/apps/desktop/wall_input.h"
#include "sail/core/base/environment.h"
#include "sail/core/base/private_file.h"

namespace sail {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kWaitTimeoutNs = 3 * kSecondNs;  // before a black picture is shown
constexpr int64_t kFirstRestartNs = kSecondNs;
constexpr int64_t kLongestRestartNs = 60 * kSecondNs;
constexpr int kSliceMs = 100;  // polling interval of stopped()
constexpr Size kUsualScreen{1280, 720};

// Returns an empty path if nothing can be stored.
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

// If the token cannot be stored, the portal asks again next time.
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
  // With input, old portals give no token. Keep the one obtained without input.
  const std::string& token = (*portal)->token();
  if (!options.control || !token.empty()) keep_token(token);
  auto connection = (*portal)->connect();
  if (!connection) return connection.error();
  auto pictures = PipewirePictures::open(*connection, (*portal)->node(), options.fps);
  if (!pictures) return pictures.error();
  std::unique_ptr<PortalDesktop> desktop(
      new PortalDesktop(std::move(*portal), std::move(*pictures), options.region));
  if (auto came = desktop->await_picture(stopped); !came) return came.error();
  return desktop;
}

// A screen on which nothing is drawn may send no picture for a while.
Result<void> PortalDesktop::await_picture(const std::function<bool()>& stopped) {
  while (!has_picture() && steady_now_ns() - begun_ns_ < kWaitTimeoutNs) {
    const auto there = hear(kSliceMs);
    if (!there) return there.error();
    if (!*there || stopped())
      return fail(ErrorCode::kUnavailable, "sharing was stopped before the first frame");
  }
  return {};
}

Result<bool> PortalDesktop::pump() {
  return hear(0);
}

// If the user ends sharing, the pictures end, too. This is not an error, so check the portal first.
Result<bool> PortalDesktop::hear(int timeout_ms) {
  const auto came = pictures_->pump(timeout_ms);
  if (!portal_->pump()) return false;
  if (!came) return came.error();
  newer_ |= *came;
  if (!came_ && *came) return take_first();
  const int64_t waited_ns = steady_now_ns() - begun_ns_;
  // Pictures that the node sent before this stream ran are lost, and none follow if nothing is
  // drawn. Restart the stream, with increasing intervals.
  if (!came_ && waited_ns > restart_after_ns_) {
    pictures_->restart();
    restart_after_ns_ = waited_ns + std::clamp(waited_ns, kFirstRestartNs, kLongestRestartNs);
  }
  return true;
}

Result<bool> PortalDesktop::take_first() {
  came_ = true;
  const Size whole = pictures_->newest().size;
  if (portal_->takes_input()) input_.emplace(*portal_, whole);
  if (!part().empty()) return true;
  return fail(ErrorCode::kInvalidParams,
              fmt::format("the region lies outside the shared area, which has {}x{} pixels",
                          whole.width, whole.height));
}

Size PortalDesktop::size() const {
  if (came_) return {part().width, part().height};
  if (region_) return {region_->width, region_->height};
  const Size area = portal_->pointer_area();
  return area.width > 0 ? area : kUsualScreen;
}

Rect PortalDesktop::part() const {
  const Size size = pictures_->newest().size;
  const Rect whole{0, 0, size.width, size.height};
  return region_ ? intersect(*region_, whole) : whole;
}

bool PortalDesktop::obey(const sail_input& input) {
  if (!input_) return true;
  const Rect shown = part();
  input_->aim_at(shown.x, shown.y);
  return bring_to(*input_, input, frame_size_);
}

sail_status PortalDesktop::submit_to(WallWindow& window) {
  if (!came_) return submit_dark(window);
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

sail_status PortalDesktop::submit_dark(WallWindow& window) const {
  const ptrdiff_t stride = ptrdiff_t{frame_size_.width} * 4;
  const std::vector<uint8_t> dark(static_cast<size_t>(stride * frame_size_.height));
  return window.submit(dark.data(), stride);
}

}  // namespace sail
