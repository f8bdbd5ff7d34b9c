#include "manager/programs/player_arguments.h"

#include <fmt/core.h>

#include <optional>
#include <utility>

#include "sail/core/wire/content.h"

namespace manager {

std::vector<std::string> player_arguments(const std::string& program, const PlayRequest& request) {
  std::vector<std::string> arguments{program};
  if (request.program == kWeb || request.program == kVnc) {
    if (const auto& size = request.page_size; size && request.program == kWeb) {
      arguments.push_back(fmt::format("--size={}x{}", size->width, size->height));
    }
    const auto scheme = request.program == kWeb ? sail::kWebScheme : sail::kVncScheme;
    arguments.insert(arguments.end(), {"--", request.media.front().substr(scheme.size())});
    return arguments;
  }
  if (request.at_end == AtEnd::kLoop) arguments.emplace_back("--loop");
  if (request.program == kShow) {
    // vitrail-show then draws for that size at once, instead of opening its window again.
    if (const auto& place = request.place) {
      arguments.push_back(
          fmt::format("--place={},{},{}x{}", place->x, place->y, place->width, place->height));
    }
    arguments.emplace_back("--");
    arguments.insert(arguments.end(), request.media.begin(), request.media.end());
    return arguments;
  }
  // With kLoop as well, so that the film is held if a person ends the loop.
  if (request.at_end && request.at_end != AtEnd::kClose) arguments.emplace_back("--hold");
  const std::pair<const char*, std::optional<double>> numbers[] = {{"--fps", request.fps},
                                                                   {"--start", request.start_s},
                                                                   {"--rate", request.rate},
                                                                   {"--volume", request.volume}};
  for (const auto& [option, value] : numbers) {
    if (!value) continue;
    arguments.emplace_back(option);
    arguments.push_back(fmt::format("{}", *value));
  }
  if (!request.deinterlace.empty()) arguments.push_back("--deinterlace=" + request.deinterlace);
  if (!request.sound_track.empty()) arguments.push_back("--sound-track=" + request.sound_track);
  if (request.best_effort) arguments.emplace_back("--best-effort");
  if (!request.fallback.empty()) arguments.push_back("--fallback=" + request.fallback);
  if (!request.subtitles.empty()) arguments.push_back("--subtitles=" + request.subtitles);
  if (!request.group.empty()) arguments.push_back("--group=" + request.group);
  if (request.start_at_s) {
    arguments.push_back(fmt::format("--start-at=@{}", *request.start_at_s));
  }
  if (request.transport.transport) {
    arguments.emplace_back("--transport");
    arguments.emplace_back(sail::transport_name(*request.transport.transport));
  }
  if (request.transport.delay_ms) {
    arguments.emplace_back("--delay-ms");
    arguments.push_back(fmt::format("{}", *request.transport.delay_ms));
  }
  if (request.transport.mtu) {
    arguments.emplace_back("--mtu");
    arguments.push_back(fmt::format("{}", *request.transport.mtu));
  }
  arguments.emplace_back("--");
  arguments.insert(arguments.end(), request.media.begin(), request.media.end());
  return arguments;
}

}  // namespace manager
