#include "manager/media/media_rights.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "manager/media/film_servers.h"
#include "manager/media/play_request.h"
#include "manager/media/source_library.h"
#include "manager/media/source_objects.h"
#include "manager/rights/object_rights.h"
#include "sail/core/rpc/rpc_service.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/wire/content.h"
#include "sail/core/wire/ticker_medium.h"

namespace manager {

MediaRights::MediaRights(const sail::RpcService& service, SourceLibrary& library,
                         const FilmServers& films, const ObjectRights& objects)
    : service_(service), library_(library), films_(films), objects_(objects) {}

void MediaRights::check(const PlayRequest& request, Checked checked) {
  if (service_.right_behind(request.opener) == sail::Right::kAdmin) return checked({});
  // The file may be newer than the list.
  library_.refresh([this, request, checked = std::move(checked)] { checked(check_now(request)); });
}

sail::Result<void> MediaRights::check_now(const PlayRequest& request) const {
  // A person could use the web page to reach everything in this machine's network.
  if (!request.command.empty() || std::ranges::any_of(request.media, is_elsewhere)) {
    return sail::fail(
        sail::ErrorCode::kUnauthorized,
        "opening programs, web pages or other machines' desktops needs the right 'admin'");
  }
  std::vector<std::string> media = request.media;
  if (!request.fallback.empty() && request.fallback != kFallbackCard) {
    media.push_back(request.fallback);
  }
  if (names_subtitle_file(request.subtitles)) media.push_back(request.subtitles);
  for (const std::string& medium : media) {
    const std::string read = sail::ticker_source(medium);
    if (sail::is_drawn(medium) || library_.has(read.empty() ? medium : read)) continue;
    if (films_.has(medium)) continue;
    return sail::fail(
        sail::ErrorCode::kUnauthorized,
        fmt::format("'{}' is not a source or film of this wall: opening anything "
                    "else needs the right 'admin'",
                    sail::make_plain_text(sail::without_passwords(medium), sail::kMaxTitleLength)));
  }
  if (!objects_.concern_sources()) return {};
  for (const WallObject& source : source_objects(library_, request)) {
    auto may = objects_.check({.key = request.opener}, Act::kDisplay, source);
    if (!may) return may;
  }
  return {};
}

}  // namespace manager
