// Makes windows for the streams that applications open: their codec, content and place. Runs on the
// loop thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "manager/media/play_request.h"
#include "manager/media/player_purpose.h"
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
class ObjectRights;
class Peers;
class Players;
class SessionRestore;
class SourceLibrary;
class UndoSteps;
enum class Act : uint8_t;
struct Asker;

class WindowOpener {
 public:
  // All must outlive this object.
  WindowOpener(Desk& desk, const Peers& peers, Players& players, SessionRestore& restore,
               UndoSteps& steps, const ObjectRights& rights, const SourceLibrary& library,
               const sail::Log& log);

  // Returns the first offered codec that all receivers decode.
  sail::Result<std::string> agreed_codec(const sail::OpenStream& open) const;
  // Returns the key name of the player that the application's window is for
  // (Players::player_for()).
  std::string player_of(const sail::ServicePeer& application, const sail::OpenStream& open) const;
  // Returns a window without numbers, place and content.
  Window window_for(const sail::ServicePeer& application, const sail::OpenStream& open,
                    const std::string& codec) const;
  // Returns the request that can restart the application's content. former: the window that the new
  // window replaces, or null.
  std::optional<PlayRequest> content_of(const sail::ServicePeer& application,
                                        const std::string& player, const sail::OpenStream& open,
                                        const Window* former) const;
  // Whether the application may show the window's sources. kUnauthorized: a rule refuses that.
  sail::Result<void> may_show(const sail::ServicePeer& application, const std::string& player,
                              const Window& window) const;
  // Gives the window the stream's former numbers, if they are free.
  void keep_numbers(const sail::Resume& stream, Window& window) const;
  bool is_free(const sail::Resume& stream) const;
  // Adds the window to the wall. former: the window to replace; 0: none. Calls opened once, with
  // the result.
  using Opened = std::function<void(const sail::Result<const Window*>&)>;
  void add_window(const sail::ServicePeer& application, const std::string& player,
                  const sail::OpenStream& open, Window window, uint32_t former,
                  const Opened& opened);
  // Answers open_stream. Must come before the stream's routes, which contain its number.
  void answer_opened(const Window& window, uint32_t stream,
                     const sail::RpcPeer::Reply& reply) const;

 private:
  // The opposite of keep_numbers().
  void forget_numbers(Window& window) const;
  // What an earlier manager started the player for; no purpose if this manager started it.
  PlayerPurpose former_purpose(const sail::ServicePeer& application, const std::string& player,
                               const sail::OpenStream& open) const;
  // kNotFound: the window was opened before its turn, and the autosave does not have it:
  // whatever prepared it opens it again.
  sail::Result<void> may_return(const sail::ServicePeer& application, const PlayerPurpose& purpose,
                                const sail::OpenStream& open) const;
  bool is_of_own_player(uint32_t window) const;
  // A place has room for one decoration: closes those that are older than the newest one there.
  // Decorations of this manager's players are newer than those of earlier managers.
  void keep_newest(uint32_t number);
  // Whose rights decide where the window may be: those of the person who requested it, or of the
  // application's key. Empty: it is part of another step, whose request was checked.
  std::optional<Asker> asker_for(const sail::ServicePeer& application,
                                 const std::string& player) const;
  sail::Result<void> check_sources(const Asker& asker, Act act, const Window& window) const;
  bool may_arrange(const Asker& asker, const LayoutChange& others) const;
  // Returns the initial place, and the moves that make room for it.
  Placing first_place(const std::string& player, const sail::OpenStream& open,
                      const std::optional<Asker>& asker);

  Desk& desk_;
  const Peers& peers_;
  Players& players_;
  SessionRestore& restore_;
  UndoSteps& steps_;
  const ObjectRights& rights_;
  const SourceLibrary& library_;
  sail::Log log_;
};

}  // namespace manager
