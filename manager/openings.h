// How an application's stream comes to the wall: in a window of its own, at the place that somebody
// wished for it or where there is room, or in a window that the application has. Thread: the
// loop's.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "manager/history.h"
#include "manager/joins.h"
#include "manager/placing.h"
#include "manager/play_request.h"
#include "manager/window_stack.h"
#include "sail/base/log.h"
#include "sail/net/rpc_peer.h"
#include "sail/wire/control_messages.h"

namespace sail {
class ServicePeer;
}  // namespace sail

namespace manager {

class Desk;
class Groups;
class Peers;
class Players;
class Revival;

class Openings {
 public:
  // All outlive this.
  Openings(Desk& desk, Peers& peers, Players& players, Revival& revival, Groups& groups,
           const sail::Log& log);

  void open_stream(const sail::ServicePeer& application, const sail::OpenStream& open,
                   const sail::RpcPeer::Reply& reply);
  void application_left(uint64_t application) { joins_.application_left(application); }
  // Time passes.
  void tick();

 private:
  // What becomes of it is told once.
  using Opened = std::function<void(const sail::Result<const Window*>&)>;
  // The first codec offered that all receivers know.
  sail::Result<std::string> agreed_codec(const sail::OpenStream& open) const;
  Window window_for(const sail::ServicePeer& application, const sail::OpenStream& open,
                    const std::string& codec) const;
  // player: the key's name by which it is known for whom the window is (Players::player_for).
  std::optional<PlayRequest> content_of(const sail::ServicePeer& application,
                                        const std::string& player, const sail::OpenStream& open,
                                        const Window* former) const;
  // And what makes room for it there.
  Placing first_place(const std::string& player, const sail::OpenStream& open);
  // former: the window whose place it takes; 0: none.
  void open_window(const sail::ServicePeer& application, const std::string& player,
                   const sail::OpenStream& open, Window window, uint32_t former,
                   const Opened& opened);
  void join(const sail::ServicePeer& application, const sail::OpenStream& open,
            const std::string& codec, const sail::RpcPeer::Reply& reply);
  void seat(JoiningRank rank);
  // One that was gone is there again. The others are there, and know nothing of it.
  sail::Result<void> rejoin(const Window& window, const JoiningRank& rank);
  // Those that have gone on since a former session, and the others beside them; or all anew.
  void open_ranks(std::vector<JoiningRank> ranks);
  // By rank. Of those that have gone on some may be missing.
  void open_parts(std::vector<JoiningRank> ranks);
  // The stream of that rank, under its number if that is free.
  WindowPart part_of(const JoiningRank& rank, const Window& window) const;
  // A stream that has gone on since a former session. False: it cannot be taken up, and is opened
  // as a new one.
  bool resume(const sail::ServicePeer& application, const sail::OpenStream& open,
              const sail::RpcPeer::Reply& reply);
  // The window has the numbers that the stream had, if they are free.
  void go_on(const sail::Resume& stream, Window& window) const;
  bool is_free(const sail::Resume& stream) const;
  void replace_stream(uint32_t number, Window window, const sail::RpcPeer::Reply& reply);
  // The application must know the stream's number when its routes come.
  void answer_opened(const Window& window, uint32_t stream,
                     const sail::RpcPeer::Reply& reply) const;

  Desk& desk_;
  Peers& peers_;
  Players& players_;
  Revival& revival_;
  Groups& groups_;
  sail::Log log_;
  Joins joins_;
};

}  // namespace manager
