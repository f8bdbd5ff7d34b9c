// Opens windows whose frames come from several senders, the ranks, and admits ranks that were gone.
// Runs on the loop thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "manager/opening/rank_rendezvous.h"
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
class WindowOpener;

class RankOpener {
 public:
  // All must outlive this object.
  RankOpener(Desk& desk, Peers& peers, Groups& groups, WindowOpener& windows, const sail::Log& log);

  void join(const sail::ServicePeer& application, const sail::OpenStream& open,
            const std::string& codec, const sail::RpcPeer::Reply& reply);
  void application_left(uint64_t application) { rendezvous_.application_left(application); }
  // Advances time.
  void tick();

 private:
  void admit(JoiningRank rank);
  // A rank that was gone has returned. The other ranks are not notified.
  sail::Result<void> rejoin(const Window& window, const JoiningRank& rank);
  // Opens the ranks that continue from an earlier session and joins the other ranks to them. If
  // none continues, opens all as new.
  void open_ranks(std::vector<JoiningRank> ranks);
  // ranks: ordered by rank. If they continue from an earlier session, some may be missing.
  void open_window(const std::vector<JoiningRank>& ranks);
  // Returns the part of that rank. It keeps its stream number if that is free.
  WindowPart part_of(const JoiningRank& rank, const Window& window) const;

  Desk& desk_;
  Peers& peers_;
  Groups& groups_;
  WindowOpener& windows_;
  sail::Log log_;
  RankRendezvous rendezvous_;
};

}  // namespace manager
