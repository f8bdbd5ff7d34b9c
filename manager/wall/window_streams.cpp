#include "manager/wall/window_streams.h"

#include "sail/core/wall/picture_map.h"

namespace manager {
namespace {

void add_streams(const Window& window, std::vector<WindowStream>& streams) {
  if (window.parts.empty()) {
    streams.push_back({.window = &window,
                       .stream = window.stream,
                       .owner = window.owner,
                       .secret = window.secret,
                       .frame_size = window.frame_size,
                       .wall_rect = window.wall_rect});
  }
  for (const WindowPart& part : window.parts) {
    streams.push_back({.window = &window,
                       .stream = part.stream,
                       .owner = part.owner,
                       .secret = part.secret,
                       .frame_size = {part.region.width, part.region.height},
                       .wall_rect = sail::part_rect(window.wall_rect, window.look,
                                                    window.frame_size, part.region),
                       .part = sail::FramePart{window.wall_rect, part.region, window.frame_size},
                       .dark = part.absent() && window.absent == sail::AbsentPart::kDark});
  }
}

}  // namespace

std::vector<WindowStream> streams_of(const Window& window) {
  std::vector<WindowStream> streams;
  add_streams(window, streams);
  return streams;
}

std::vector<WindowStream> streams_of(const std::vector<Window>& windows) {
  std::vector<WindowStream> streams;
  streams.reserve(windows.size());
  for (const Window& window : windows) add_streams(window, streams);
  return streams;
}

}  // namespace manager
