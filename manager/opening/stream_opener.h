// Opens application streams on the wall: in a new window, at the requested place or in free space,
// or in a window that the application has already. Runs on the loop thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "manager/media/play_request.h"
#include "manager/opening/rank_rendezvous.h"
#include "manager/wall/history.h"
#include "manager/wall/placing.h"
#include "manager/wall/window_stack.h"
#include "sail/core/base/log.h"
#include "sail/core/rpc/rpc_peer.h"
#include "sail/core/wire/application_messages.h"

namespace sail {
class ServicePeer;
}  // namespace sail

namespace manager {

class Desk;
class Groups;
class Peers;
class Players;
class Revival;

class StreamOpener {
 public:
  // All must outlive this object.
  StreamOpener(Desk& desk, Peers& peers, Players& players, Revival& revival, Groups& groups,
               const sail::Log& log);

  void open_stream(const sail::ServicePeer& application, const sail::OpenStream& open,
                   const sail::RpcPeer::Reply& reply);
  void application_left(uint64_t application) { rank_rendezvous_.application_left(application); }
  // Advances time.
  void tick();

 private:
  // Called once, with the result.
  using Opened = std::function<void(const sail::Result<const Window*>&)>;
  // Returns the first offered codec that all receivers decode.
  sail::Result<std::string> agreed_codec(const sail::OpenStream& open) const;
  Window window_for(const sail::ServicePeer& application, const sail::OpenStream& open,
                    const std::string& codec) const;
  // player: key name of the player that the window is for (Players::player_for()).
  std::optional<PlayRequest> content_of(const sail::ServicePeer& application,
                                        const std::string& player, const sail::OpenStream& open,
                                        const Window* former) const;
  // Returns the initial place, and the moves that make room for it.
  Placing first_place(const std::string& player, const sail::OpenStream& open);
  // former: the window to replace; 0: none.
  void open_window(const sail::ServicePeer& application, const std::string& player,
                   const sail::OpenStream& open, Window window, uint32_t former,
                   const Opened& opened);
  void join(const sail::ServicePeer& application, const sail::OpenStream& open,
            const std::string& codec, const sail::RpcPeer::Reply& reply);
  void admit_rank(JoiningRank rank);
  // A rank that was gone has returned. The other ranks are not notified.
  sail::Result<void> rejoin(const Window& window, const JoiningRank& rank);
  // Opens the ranks that continue from an earlier session and joins the other ranks to them. If
  // none continues, opens all as new.
  void open_ranks(std::vector<JoiningRank> ranks);
  // ranks: ordered by rank. If they continue from an earlier session, some may be missing.
  void open_parts(std::vector<JoiningRank> ranks);
  // Returns the part of that rank. It keeps its stream number if that is free.
  WindowPart part_of(const JoiningRank& rank, const Window& window) const;
  // Resumes a stream of an earlier session. Returns false if the stream must be opened as a new
  // one.
  bool resume(const sail::ServicePeer& application, const sail::OpenStream& open,
              const sail::RpcPeer::Reply& reply);
  // Gives the window the stream's former numbers, if they are free.
  void go_on(const sail::Resume& stream, Window& window) const;
  bool is_free(const sail::Resume& stream) const;
  void replace_stream(uint32_t number, Window window, const sail::RpcPeer::Reply& reply);
  // Answers open_stream. Must come before the stream's routes, which contain its number.
  void answer_opened(const Window& window, uint32_t stream,
                     const sail::RpcPeer::Reply& reply) const;

  Desk& desk_;
  Peers& peers_;
  Players& players_;
  Revival& revival_;
  Groups& groups_;
  sail::Log log_;
  RankRendezvous rank_rendezvous_;
};

}  // namespace manager
