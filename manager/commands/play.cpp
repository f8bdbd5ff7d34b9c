#include "manager/commands/verbs.h"
#include "manager/fs_manager.h"
#include "sail/wire/limits.h"

namespace manager::verbs {

namespace {

constexpr size_t kMostMedia = 256;
constexpr size_t kLongestName = 4096;
constexpr double kLatestStart = 1e7;  // seconds

sail::Result<PlayRequest> read_request(const sail::Json& params) {
  sail::JsonFields fields(params, "play");
  PlayRequest request;
  const sail::Json& media = fields.array("media", kMostMedia);
  for (const sail::Json& item : media) {
    const std::string* name = item.get_ptr<const std::string*>();
    if (name == nullptr || name->empty() || name->size() > kLongestName ||
        name->find('\0') != std::string::npos) {
      fields.mistake("media", "must hold names of files, each of 1 to 4096 bytes");
      break;
    }
    request.media.push_back(*name);
  }
  if (media.empty()) fields.mistake("media", "must name one file or more");
  if (fields.has("place")) {
    request.place = fields.rect("place", sail::kMaxWindowOffset, sail::kMaxWindowSide);
  }
  request.loop = fields.boolean_or("loop", false);
  if (fields.has("fps")) request.fps = fields.number("fps", 0.01, 1000);
  if (fields.has("start")) request.start_s = fields.number("start", 0, kLatestStart);
  request.transport = sail::read_transport_options(fields);
  if (auto error = fields.finish()) return tl::make_unexpected(*error);
  return request;
}

}  // namespace

void play(const Caller& caller, const sail::Json& params, const Reply& reply) {
  const auto request = read_request(params);
  if (!request) {
    reply(tl::make_unexpected(request.error()));
    return;
  }
  caller.manager.play(*request, caller.session, [reply](sail::Result<uint32_t> window) {
    if (window) {
      reply(sail::Json{{"window", *window}});
    } else {
      reply(tl::make_unexpected(window.error()));
    }
  });
}

}  // namespace manager::verbs
