// Who takes this manager's place: one standby, a manager on another host that follows this one's
// journal (standby.h). The journal is what this manager saves by itself and for people: layouts and
// sessions, of which "autosave" is the wall as it is, people with their passwords, and URLs.
// Thread: the loop's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "manager/saved_wall.h"
#include "sail/base/log.h"
#include "sail/base/result.h"
#include "sail/wall/wall.h"
#include "sail/wire/json.h"
#include "sail/wire/standby.h"

namespace sail {
class ServicePeer;
}  // namespace sail

namespace manager {

class Peers;
class Revival;

class Successor {
 public:
  // What is kept under a name of standby.h, as it is now; null: nothing is kept under it.
  using Kept = std::function<sail::Json(const std::string& name)>;
  // All outlive this. Who stands by is kept in the state folder, for the next manager there.
  Successor(const sail::Wall& wall, Peers& peers, Revival& revival, Kept kept,
            std::filesystem::path state_folder, const sail::Log& log);

  // The peer follows from now on. kConflict when another one does, kInvalidRequest when nothing
  // is saved here.
  sail::Result<sail::Json> take(sail::ServicePeer& peer, const sail::StandBy& asked);
  // One document, as large as a message can be. kInvalidRequest unless the peer is the standby.
  sail::Result<sail::Json> read(const sail::ServicePeer& peer,
                                const sail::JournalRead& asked) const;

  void receivers_changed() { tell({}); }
  void kept_changed(const std::string& name) { tell({.kept = name}); }
  // The wall is taken down: nobody is to take over.
  void ending() { tell({.ending = true}); }
  void peer_left(uint64_t id);
  // It ends, if a manager started it.
  void end_standby();

 private:
  void saved(SavedKind kind, const std::string& name);
  void remember(const std::string& standby) const;
  sail::Result<sail::Json> kept_document(const std::string& name) const;
  void tell(sail::JournalNews news);
  std::vector<std::string> connected_receivers() const;

  const sail::Wall& wall_;
  Peers& peers_;
  const Revival& revival_;
  const Kept kept_;
  const std::filesystem::path state_folder_;
  sail::Log log_;
  uint64_t standby_ = 0;  // a peer; 0: nobody stands by
};

}  // namespace manager
