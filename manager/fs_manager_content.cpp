// What passes between the people at the wall and the applications behind its windows: input,
// playback, thumbnails.
#include <fmt/core.h>

#include "manager/fs_manager.h"
#include "sail/base/clock.h"
#include "sail/wire/rpc.h"

namespace manager {
namespace {

// Another one follows soon: not worth waiting in a queue for an application that stands still.
bool is_motion(sail::InputType type) {
  return type == sail::InputType::kMove || type == sail::InputType::kTouchMove ||
         type == sail::InputType::kWheel || type == sail::InputType::kPinch;
}

}  // namespace

void FsManager::send_input(const Window& window, const Session& ui, sail::Input input) {
  Session* owner = find_session(window.owner);
  if (owner == nullptr) return;
  const sail::Rect& rect = window.wall_rect;
  if (input.at) {
    input.at->x = (input.at->x - rect.x) * window.frame_size.width / rect.width;
    input.at->y = (input.at->y - rect.y) * window.frame_size.height / rect.height;
  }
  const std::string line = sail::notification_line(
      "input",
      to_json(sail::StreamInput{
          .stream = window.stream, .client = static_cast<uint32_t>(ui.id()), .input = input}));
  if (is_motion(input.type)) {
    owner->peer().offer_line(line);
  } else {
    owner->peer().send_line(line);
  }
}

void FsManager::record_playback(uint32_t window, const sail::Playback& playback) {
  Window& known = *arrangement_.find(window);
  const bool ends = known.playback && !known.playback->ended && playback.ended;
  known.playback = playback;
  window_changed(window);
  if (!ends) return;
  arrangement_.history().note({}, fmt::format("'{}' has ended", known.title));
  part_changed(StatePart::kHistory);
}

void FsManager::watch_thumbnails(const Session& ui, Thumbnails::Watch watch) {
  thumbnails_.watch(ui.id(), std::move(watch));
  ask_for_thumbnails();
  deliver_thumbnails();
}

void FsManager::record_thumbnail(uint32_t window, const sail::Thumbnail& thumbnail) {
  thumbnails_.arrived(window, thumbnail);
  deliver_thumbnails();
}

void FsManager::ask_for_thumbnails() {
  for (const Thumbnails::Request& request : thumbnails_.take_requests()) {
    const Window* window = windows().find(request.window);
    Session* owner = window == nullptr ? nullptr : find_session(window->owner);
    if (owner == nullptr) continue;
    owner->peer().notify(
        "thumbnails",
        to_json(sail::ThumbnailRequest{
            .stream = window->stream, .width = request.width, .per_second = request.per_second}));
  }
}

void FsManager::deliver_thumbnails() {
  const int64_t now_ns = sail::steady_now_ns();
  for (const Thumbnails::Delivery& delivery : thumbnails_.due(now_ns)) {
    Session* client = find_session(delivery.client);
    if (client != nullptr && client->peer().offer_line(thumbnails_.line(delivery.window))) {
      thumbnails_.sent(delivery, now_ns);
    }
  }
}

}  // namespace manager
