// What may be opened for whom. Every start of a player asks, also those of undone steps, restored
// sessions and lost windows: a window's content keeps the name of the key that asked for it.
// Thread: the loop's.
#pragma once

#include <functional>

#include "manager/play_request.h"
#include "sail/base/result.h"

namespace sail {
class RpcService;
}  // namespace sail

namespace manager {

class FilmServers;
class SourceLibrary;

class MediaRights {
 public:
  // All outlive this.
  MediaRights(const sail::RpcService& service, SourceLibrary& library, const FilmServers& films);

  // kUnauthorized when the key of the request has no right 'admin' and the media are neither
  // sources of this wall, nor films of its film servers, nor drawn; and for programs, pages and
  // other machines' desktops. `judged` comes once, when the list of sources is up to date.
  using Judged = std::function<void(const sail::Result<void>&)>;
  void check(const PlayRequest& request, Judged judged);

 private:
  sail::Result<void> check_now(const PlayRequest& request) const;

  const sail::RpcService& service_;
  SourceLibrary& library_;
  const FilmServers& films_;
};

}  // namespace manager
