#include "manager/play_request.h"

#include <fmt/core.h>

#include <utility>

namespace manager {
namespace {

constexpr size_t kMostMedia = 256;
constexpr size_t kLongestMedium = 4096;

bool is_medium(const sail::Json& value) {
  const auto* name = value.get_ptr<const std::string*>();
  return name != nullptr && !name->empty() && name->size() <= kLongestMedium &&
         name->find('\0') == std::string::npos;
}

}  // namespace

sail::Json to_json(const PlayRequest& request) {
  sail::Json json = {{"media", request.media}, {"loop", request.loop}};
  if (!request.program.empty()) json["program"] = request.program;
  if (request.fps) json["fps"] = *request.fps;
  if (request.start_s) json["start"] = *request.start_s;
  if (request.rate) json["rate"] = *request.rate;
  if (request.volume) json["volume"] = *request.volume;
  add_to(json, request.transport);
  return json;
}

sail::Result<PlayRequest> play_request_from_json(const sail::Json& value, std::string where) {
  sail::JsonFields fields(value, std::move(where));
  PlayRequest request;
  for (const sail::Json& item : fields.array("media", kMostMedia)) {
    if (!is_medium(item)) {
      fields.mistake("media", "must hold names of files, each of 1 to 4096 bytes");
      break;
    }
    request.media.push_back(item);
  }
  if (request.media.empty()) fields.mistake("media", "must name one file or more");
  request.program = fields.string_or("program", 64, "");
  if (!request.program.empty() && !is_player(request.program))
    fields.mistake("program", "must be bplay or vitrail-show");
  request.loop = fields.boolean_or("loop", false);
  if (fields.has("fps")) request.fps = fields.number("fps", 0.01, 1000);
  if (fields.has("start")) request.start_s = fields.number("start", 0, 1e7);
  if (fields.has("rate")) request.rate = fields.number("rate", kSlowest, kFastest);
  if (fields.has("volume")) request.volume = fields.number("volume", 0, 1);
  request.transport = sail::read_transport_options(fields);
  if (auto error = fields.finish_open()) return tl::make_unexpected(*error);
  return request;
}

bool is_player(std::string_view program) {
  return program == kBplay || program == kShow;
}

std::optional<PlayRequest> play_request_for(const sail::Content& content) {
  if (content.media.empty() || !is_player(content.program)) return std::nullopt;
  PlayRequest request;
  request.media = content.media;
  request.program = content.program;
  request.loop = content.loop;
  return request;
}

}  // namespace manager
