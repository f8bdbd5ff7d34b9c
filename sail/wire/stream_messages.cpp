// The control messages between the manager and applications, but for stream_stats.
#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "sail/wire/control_fields.h"
#include "sail/wire/control_messages.h"
#include "sail/wire/text.h"

namespace sail {
namespace {

using namespace control_fields;

constexpr size_t kMaxHostLength = 64;

// The events and what their value may be; those without a range have none.
struct EventType {
  const char* name;
  double min = 0;
  double max = -1;
  bool whole = false;

  bool has_value() const { return max >= min; }
};
constexpr EventType kEventTypes[] = {{"close"},
                                     {"pause"},
                                     {"resume"},
                                     {"codec"},
                                     {"seek", 0, kMaxPlaybackValue},
                                     {"rate", 0, kMaxPlaybackValue},
                                     {"loop", 0, 1, true},
                                     {"volume", 0, 1},
                                     {"page", 1, kMaxPages, true}};

const EventType* event_type(const std::string& name) {
  const auto* known = std::find_if(std::begin(kEventTypes), std::end(kEventTypes),
                                   [&](const EventType& type) { return name == type.name; });
  return known == std::end(kEventTypes) ? nullptr : known;
}

Json block_rect_json(const BlockRect& blocks) {
  return Json::array({blocks.column, blocks.row, blocks.columns, blocks.rows});
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
              fmt::format("{}: must be [column, row, columns, rows] within {} blocks a side", where,
                          kMaxBlocksPerSide));
}

Json route_json(const Route& route) {
  return {{"receiver", route.receiver},
          {"host", route.host},
          {"port", route.port},
          {"reduction", route.reduction},
          {"blocks", list_json(route.blocks, block_rect_json)}};
}

Result<Route> read_route(const Json& value, const std::string& where) {
  JsonFields fields(value, where);
  Route route;
  route.receiver = name(fields, "receiver", kMaxNameLength);
  route.host = name(fields, "host", kMaxHostLength);
  route.port = static_cast<uint16_t>(fields.integer("port", 1, 65535));
  route.reduction = reduction(fields, "reduction");
  route.blocks = list(fields, "blocks", kMaxRouteRects, where.c_str(), read_block_rect);
  if (route.blocks.empty()) fields.mistake("blocks", "must not be empty");
  return checked(fields, std::move(route));
}

}  // namespace

Json to_json(const OpenStream& open) {
  Json json{{"title", open.title},
            {"frame_size", size_json(open.frame_size)},
            {"block_size", size_json(open.block_size)},
            {"codecs", open.codecs},
            {"max_reduction", open.max_reduction}};
  if (open.has_place) json["place"] = rect_json(open.place);
  if (open.replaces != 0) json["replaces"] = open.replaces;
  if (open.transport) json["transport"] = transport_name(*open.transport);
  if (open.content) json["content"] = to_json(*open.content);
  if (open.takes_input) json["takes_input"] = true;
  return json;
}

Result<OpenStream> open_stream_from_json(const Json& params) {
  JsonFields fields(params, "open_stream");
  OpenStream open;
  open.title = fields.string("title", kMaxTitleLength);
  open.frame_size = size(fields, "frame_size", kMaxFrameSide);
  open.block_size = block_size(fields);
  open.codecs = list(fields, "codecs", kMaxCodecNames, "open_stream", read_codec);
  if (open.codecs.empty()) fields.mistake("codecs", "must not be empty");
  open.has_place = fields.has("place");
  if (open.has_place) open.place = window_rect(fields, "place");
  open.max_reduction = reduction(fields, "max_reduction");
  if (fields.has("replaces")) open.replaces = stream_number(fields, "replaces");
  if (fields.has("transport")) open.transport = read_transport(fields, "transport");
  if (fields.has("content")) {
    auto content = content_from_json(fields.object("content"), "open_stream: content");
    if (content) {
      open.content = *std::move(content);
    } else {
      fields.mistake(std::move(content).error());
    }
  }
  open.takes_input = fields.boolean_or("takes_input", false);
  return checked(fields, std::move(open));
}

Json to_json(const StreamOpened& opened) {
  return {{"stream", opened.stream},
          {"window", opened.window},
          {"secret", hex64_text(opened.secret)},
          {"codec", opened.codec},
          {"transport", transport_name(opened.transport)},
          {"mtu", opened.mtu}};
}

Result<StreamOpened> stream_opened_from_json(const Json& result) {
  JsonFields fields(result, "open_stream");
  StreamOpened opened;
  opened.stream = stream_number(fields, "stream");
  opened.window = stream_number(fields, "window");
  opened.secret = fields.hex64("secret");
  opened.codec = name(fields, "codec", kMaxNameLength);
  if (fields.has("transport")) opened.transport = read_transport(fields, "transport");
  opened.mtu = static_cast<int>(fields.integer_or("mtu", kMinMtu, kMaxMtu, kDefaultMtu));
  return checked(fields, std::move(opened));
}

Json to_json(const Routes& routes) {
  return {{"stream", routes.stream},
          {"epoch", routes.epoch},
          {"wall_rect", rect_json(routes.wall_rect)},
          {"routes", list_json(routes.routes, route_json)}};
}

Result<Routes> routes_from_json(const Json& params) {
  JsonFields fields(params, "routes");
  Routes routes;
  routes.stream = stream_number(fields, "stream");
  routes.epoch = counter(fields, "epoch");
  routes.wall_rect = window_rect(fields, "wall_rect");
  routes.routes = list(fields, "routes", kMaxTiles, "routes", read_route);
  check_distinct(fields, "routes", routes.routes,
                 [](const Route& route) { return route.receiver; });
  size_t rects = 0;
  for (const Route& route : routes.routes) rects += route.blocks.size();
  if (rects > kMaxRouteRects) {
    fields.mistake("routes", fmt::format("have more than {} block rectangles", kMaxRouteRects));
  }
  return checked(fields, std::move(routes));
}

Json to_json(const AppEvent& event) {
  Json json{{"stream", event.stream}, {"type", event.type}};
  const EventType* type = event_type(event.type);
  if (type != nullptr && type->whole) {
    json["value"] = static_cast<int64_t>(event.value);
  } else if (type != nullptr && type->has_value()) {
    json["value"] = event.value;
  }
  if (event.type == "codec") json["codec"] = event.codec;
  return json;
}

Result<AppEvent> app_event_from_json(const Json& params) {
  JsonFields fields(params, "event");
  AppEvent event;
  event.stream = stream_number(fields, "stream");
  event.type = fields.string("type", kMaxTypeLength);
  const EventType* type = event_type(event.type);
  if (type == nullptr) {
    fields.mistake("type",
                   R"(must be "close", "pause", "resume", "seek", "rate", "codec", "loop", )"
                   R"("volume" or "page")");
  } else if (type->whole) {
    event.value = static_cast<double>(
        fields.integer("value", static_cast<int64_t>(type->min), static_cast<int64_t>(type->max)));
  } else if (type->has_value()) {
    event.value = fields.number("value", type->min, type->max);
  }
  if (event.type == "codec") event.codec = name(fields, "codec", kMaxNameLength);
  return checked(fields, std::move(event));
}

}  // namespace sail
