#include "manager/opening/stream_opener.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "manager/desk/desk.h"
#include "manager/desk/groups.h"
#include "manager/peers/peers.h"
#include "manager/programs/players.h"
#include "manager/sessions/session_restore.h"

namespace manager {

StreamOpener::StreamOpener(Desk& desk, Peers& peers, Players& players, SessionRestore& restore,
                           UndoSteps& steps, Groups& groups, const ObjectRights& rights,
                           const SourceLibrary& library, const sail::Log& log)
    : desk_(desk),
      players_(players),
      restore_(restore),
      groups_(groups),
      log_(log),
      windows_(desk, peers, players, restore, steps, rights, library, log),
      ranks_(desk, peers, groups, windows_, log) {}

void StreamOpener::open_stream(const sail::ServicePeer& application, const sail::OpenStream& open,
                               const sail::RpcPeer::Reply& reply) {
  const auto codec = windows_.agreed_codec(open);
  if (!codec) return reply(codec.error());
  if (open.resume && resume(application, open, reply)) return;
  const bool comes = desk_.windows().owned_by(application.id()).empty();
  if (comes && restore_.is_replaced(application, open)) {
    return refuse_replaced(application, open, reply);
  }
  if (open.part) return ranks_.join(application, open, *codec, reply);
  if (auto admitted = groups_.admit(open); !admitted) return reply(admitted.error());
  const auto former = former_window(application, open);
  if (!former) return reply(former.error());
  open_single(application, open, *codec, *former, reply);
}

bool StreamOpener::resume(const sail::ServicePeer& application, const sail::OpenStream& open,
                          const sail::RpcPeer::Reply& reply) {
  if (desk_.is_refused(*open.resume)) {
    reply(sail::fail(sail::ErrorCode::kNotFound,
                     fmt::format("open_stream: cannot resume window {}: it was closed while its "
                                 "application did not answer",
                                 open.resume->window)));
    return true;
  }
  const Window* window = desk_.resume(*open.resume, application.id());
  if (window == nullptr) return false;
  players_.window_opened(windows_.player_of(application, open), window->number);
  log_.info("window {} '{}' resumed", window->number, window->title);
  windows_.answer_opened(*window, open.resume->routes.stream, reply);
  groups_.stream_resumed(*window, open.resume->routes.stream, open.group);
  desk_.resumed(open.resume->routes);
  desk_.update_layout();
  return true;
}

void StreamOpener::refuse_replaced(const sail::ServicePeer& application,
                                   const sail::OpenStream& open,
                                   const sail::RpcPeer::Reply& reply) const {
  log_.info("{} comes too late: another program shows '{}' now", application.text(), open.title);
  reply(sail::fail(
      sail::ErrorCode::kConflict,
      fmt::format("another program shows '{}' now, because this program was considered lost",
                  open.title)));
}

sail::Result<const Window*> StreamOpener::former_window(const sail::ServicePeer& application,
                                                        const sail::OpenStream& open) const {
  const Window* former = desk_.windows().find_stream(open.replaces);
  if (former != nullptr && former->owner == application.id()) return former;
  if (open.replaces == 0) return nullptr;
  return sail::fail(
      sail::ErrorCode::kNotFound,
      fmt::format("open_stream: this application has no stream {} to replace", open.replaces));
}

void StreamOpener::open_single(const sail::ServicePeer& application, const sail::OpenStream& open,
                               const std::string& codec, const Window* former,
                               const sail::RpcPeer::Reply& reply) {
  Window window = windows_.window_for(application, open, codec);
  const std::string player = windows_.player_of(application, open);
  const Window* const of_player = desk_.windows().find(players_.take_former(player));
  const Window* lost = of_player != nullptr && of_player->lost ? of_player : nullptr;
  if (lost == nullptr && former == nullptr) lost = lost_window(window);
  if (lost != nullptr) {
    window.content = windows_.content_of(application, player, open, nullptr);
    if (auto may = windows_.may_show(application, player, window); !may) return reply(may.error());
    inherit(*lost, open, window);
    const uint32_t number = lost->number;
    replace_stream(number, std::move(window), reply);
    players_.window_opened(player, number);
    return;
  }
  window.content = windows_.content_of(application, player, open, former);
  if (open.resume) windows_.keep_numbers(*open.resume, window);
  if (former != nullptr) {
    if (auto may = windows_.may_show(application, player, window); !may) return reply(may.error());
    inherit(*former, open, window);
    if (open.place) window.shape = {open.place->width, open.place->height};
    return replace_stream(former->number, std::move(window), reply);
  }
  windows_.add_window(application, player, open, std::move(window),
                      of_player == nullptr ? 0 : of_player->number,
                      [this, reply](const sail::Result<const Window*>& opened) {
                        if (!opened) return reply(opened.error());
                        windows_.answer_opened(**opened, (*opened)->stream, reply);
                      });
}

const Window* StreamOpener::lost_window(const Window& opening) const {
  const auto& windows = desk_.windows().bottom_to_top();
  const auto found = std::ranges::find_if(windows, [&opening](const Window& window) {
    return window.lost && !window.content && window.title == opening.title &&
           window.owner_name == opening.owner_name && window.opener == opening.opener;
  });
  return found == windows.end() ? nullptr : &*found;
}

void StreamOpener::inherit(const Window& former, const sail::OpenStream& open,
                           Window& window) const {
  window.opener = former.opener;
  if (open.group.empty() && groups_.keeps(former, open.fps)) window.group = former.group;
}

// Replaces the stream in one transaction, so that the tiles switch in one swap.
void StreamOpener::replace_stream(uint32_t number, Window window,
                                  const sail::RpcPeer::Reply& reply) {
  desk_.change([&](Arrangement& arrangement) {
    const Window& now = arrangement.replace(number, std::move(window));
    log_.info("window {} '{}' now shows stream {}", number, now.title, now.stream);
    windows_.answer_opened(now, now.stream, reply);
  });
  // The application may not have received the earlier close request.
  if (desk_.closes(number)) desk_.notify_application(*desk_.windows().find(number), "close");
}

}  // namespace manager
