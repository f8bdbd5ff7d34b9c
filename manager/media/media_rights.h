// Decides which media a key may open. Asked at every start of a player, also for undone steps,
// restored sessions and lost windows: a window's content stores the name of the key that requested
// it. Runs on the loop thread.
#pragma once

#include <functional>

#include "manager/media/play_request.h"
#include "sail/core/base/result.h"

namespace sail {
class RpcService;
}  // namespace sail

namespace manager {

class FilmServers;
class ObjectRights;
class SourceLibrary;

class MediaRights {
 public:
  // All must outlive this object.
  MediaRights(const sail::RpcService& service, SourceLibrary& library, const FilmServers& films,
              const ObjectRights& objects);

  // Calls `checked` once, after the list of sources was refreshed. kUnauthorized: the request's key
  // lacks the right 'admin', and a medium is neither a source of this wall, nor a film of its film
  // servers, nor drawn; or a rule reserves a source for others. Commands, web pages and remote
  // desktops always need 'admin'.
  using Checked = std::function<void(const sail::Result<void>&)>;
  void check(const PlayRequest& request, Checked checked);

 private:
  sail::Result<void> check_now(const PlayRequest& request) const;

  const sail::RpcService& service_;
  SourceLibrary& library_;
  const FilmServers& films_;
  const ObjectRights& objects_;
};

}  // namespace manager
