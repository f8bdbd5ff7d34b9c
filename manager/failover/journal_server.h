// The standby of this manager: a manager on another host that follows this one's journal
// (standby.h). The journal contains all that this manager saves: layouts, sessions ("autosave" is
// the current wall), people with their password verifiers, and URLs. Runs on the loop thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "manager/sessions/saved_wall.h"
#include "manager/wall/history.h"
#include "sail/core/base/log.h"
#include "sail/core/base/result.h"
#include "sail/core/text/json.h"
#include "sail/core/wall/wall.h"
#include "sail/core/wire/standby.h"

namespace sail {
class ServicePeer;
}  // namespace sail

namespace manager {

class Peers;
class WallArchive;

class JournalServer {
 public:
  // Returns the current document under a name of standby.h; null: none.
  using Kept = std::function<sail::Json(const std::string& name)>;
  // All must outlive this object. The state folder keeps the standby's address for the next
  // manager.
  JournalServer(const sail::Wall& wall, Peers& peers, WallArchive& archive, Kept kept,
                std::filesystem::path state_folder, const sail::Log& log);

  // Makes the peer the standby. kConflict: there is another. kInvalidRequest: nothing is saved
  // here, or the peer has another witness. kUnavailable: the wall is shutting down; the peer gets
  // the order to end.
  sail::Result<sail::Json> take(sail::ServicePeer& peer, const sail::StandBy& asked);
  // Returns a document, shortened to fit a message. kInvalidRequest: the peer is not the standby.
  sail::Result<sail::Json> read(const sail::ServicePeer& peer, const sail::JournalRead& asked);

  // Calls `confirmed` if the standby confirms soon that it still follows this manager.
  void ask_standby(std::function<void()> confirmed);

  void receivers_changed() { notify_standby({}); }
  void kept_changed(const std::string& name) { notify_standby({.kept = name}); }
  // The wall is shut down: nobody may take over.
  void announce_shutdown();
  bool is_shutting_down() const { return shutting_down_; }
  void peer_left(uint64_t id);
  // The history was restored from an earlier manager.
  void history_restored(const History& history);
  // Another manager rules. Logs the changes of this history that the standby never got, and keeps
  // them in the state folder: this manager reports them when it stands by (StandBy::lost).
  void outrun(const History& history) const;
  // Tells the standby to end. It ends only if a manager started it.
  void end_standby();

 private:
  // What identifies a step of the history: its time, author and description.
  using Step = std::tuple<int64_t, std::string, std::string>;

  static Step step_of(const HistoryEntry& entry);
  void note_sent(const SavedWall& autosave);
  std::vector<std::string> unsent_changes(const History& history) const;
  void saved(SavedKind kind, const std::string& name);
  void remember(const std::string& standby) const;
  sail::Result<sail::Json> kept_document(const std::string& name) const;
  void notify_standby(sail::JournalNews news);
  std::vector<std::string> connected_receivers() const;

  const sail::Wall& wall_;
  Peers& peers_;
  const WallArchive& archive_;
  const Kept kept_;
  const std::filesystem::path state_folder_;
  sail::Log log_;
  uint64_t standby_ = 0;      // Peer id; 0: none.
  std::optional<Step> sent_;  // newest step known to the standby, or restored from an earlier
                              // manager
  bool shutting_down_ = false;
};

}  // namespace manager
