#include "sail/core/wire/application_messages.h"

#include <fmt/core.h>

#include <algorithm>

#include "sail/core/wire/playback.h"

namespace sail {
namespace {

constexpr EventType kEventTypes[] = {{"close"},
                                     {"pause"},
                                     {"resume"},
                                     {"codec"},
                                     {"seek", 0, kMaxPlaybackValue},
                                     {"rate", 0, kMaxPlaybackValue},
                                     {"loop", 0, 1, true},
                                     {"volume", 0, 1},
                                     {"page", 1, kMaxPages, true},
                                     {"subtitles", kForcedSubtitleTrack, kMaxSubtitleTrack, true},
                                     {"sound_track", kAllSoundTracks, kMostSoundTracks, true}};

}  // namespace

void to_json(Json& json, const BlockRect& blocks) {
  json = Json::array({blocks.column, blocks.row, blocks.columns, blocks.rows});
}

Result<BlockRect> read_block_rect(const Json& value, const std::string& where) {
  if (value.is_array() && value.size() == 4) {
    const auto column = whole_number(value[0], 0, kMaxBlocksPerSide - 1);
    const auto row = whole_number(value[1], 0, kMaxBlocksPerSide - 1);
    const auto columns = whole_number(value[2], 1, kMaxBlocksPerSide - column.value_or(0));
    const auto rows = whole_number(value[3], 1, kMaxBlocksPerSide - row.value_or(0));
    if (column && row && columns && rows) {
      return BlockRect{static_cast<int>(*column), static_cast<int>(*row),
                       static_cast<int>(*columns), static_cast<int>(*rows)};
    }
  }
  return fail(ErrorCode::kInvalidParams,
              fmt::format("{}: must be [column, row, columns, rows] within {} blocks per side",
                          where, kMaxBlocksPerSide));
}

void check(JsonFields& in, const Routes& routes) {
  size_t rects = 0;
  for (const Route& route : routes.routes) rects += route.blocks.size();
  if (rects > kMaxRouteRects) {
    in.mistake("routes", fmt::format("must have at most {} block rectangles", kMaxRouteRects));
  }
}

const EventType* EventType::find(std::string_view name) {
  const auto* known = std::find_if(std::begin(kEventTypes), std::end(kEventTypes),
                                   [&](const EventType& type) { return name == type.name; });
  return known == std::end(kEventTypes) ? nullptr : known;
}

void EventName::read(JsonFields& in, const char* name, std::string& type) {
  type = in.string(name, kMaxWordLength);
  if (EventType::find(type) != nullptr) return;
  in.mistake(name, R"(must be "close", "pause", "resume", "seek", "rate", "codec", "loop", )"
                   R"("volume", "page", "subtitles" or "sound_track")");
}

}  // namespace sail
