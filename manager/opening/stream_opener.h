// Opens application streams on the wall: in a new window, or in a window that the application has
// or had. Runs on the loop thread.
#pragma once

#include <cstdint>
#include <string>

#include "manager/opening/rank_opener.h"
#include "manager/opening/window_opener.h"
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
class ObjectRights;
class Peers;
class Players;
class SessionRestore;
class SourceLibrary;
class UndoSteps;

class StreamOpener {
 public:
  // All must outlive this object.
  StreamOpener(Desk& desk, Peers& peers, Players& players, SessionRestore& restore,
               UndoSteps& steps, Groups& groups, const ObjectRights& rights,
               const SourceLibrary& library, const sail::Log& log);

  void open_stream(const sail::ServicePeer& application, const sail::OpenStream& open,
                   const sail::RpcPeer::Reply& reply);
  void application_left(uint64_t application) { ranks_.application_left(application); }
  // Advances time.
  void tick() { ranks_.tick(); }

 private:
  // Resumes a stream of an earlier session. Returns true if the request is answered; false: the
  // stream must be opened as a new one.
  bool resume(const sail::ServicePeer& application, const sail::OpenStream& open,
              const sail::RpcPeer::Reply& reply);
  void refuse_replaced(const sail::ServicePeer& application, const sail::OpenStream& open,
                       const sail::RpcPeer::Reply& reply) const;
  // Returns the window whose stream the application wants to replace; null: none. kNotFound: there
  // is no such stream.
  sail::Result<const Window*> former_window(const sail::ServicePeer& application,
                                            const sail::OpenStream& open) const;
  void open_single(const sail::ServicePeer& application, const sail::OpenStream& open,
                   const std::string& codec, const Window* former,
                   const sail::RpcPeer::Reply& reply);
  // Returns the lost window to which the application of this new window returns; null: none. The
  // window has the same title, application name and opener, and the manager cannot restart it.
  const Window* lost_window(const Window& opening) const;
  // The new window has the opener and the group of the window that it replaces.
  void inherit(const Window& former, const sail::OpenStream& open, Window& window) const;
  void replace_stream(uint32_t number, Window window, const sail::RpcPeer::Reply& reply);

  Desk& desk_;
  Players& players_;
  SessionRestore& restore_;
  Groups& groups_;
  sail::Log log_;
  WindowOpener windows_;
  RankOpener ranks_;
};

}  // namespace manager
