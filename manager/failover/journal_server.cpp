#include "manager/failover/journal_server.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "manager/failover/other_manager.h"
#include "manager/peers/peers.h"
#include "manager/sessions/autosave.h"
#include "manager/sessions/wall_archive.h"
#include "sail/core/rpc/rpc_service.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"

namespace manager {
namespace {

// Space for the rest of the message.
constexpr size_t kRoomBytes = 1024;

std::vector<std::string> names_of(const SavedWalls& walls) {
  std::vector<std::string> names;
  for (const auto& [name, summary] : walls.all()) names.push_back(name);
  return names;
}

// Returns the address `at`. If `at` means all addresses, the peer's own host replaces its host.
sail::Result<sail::Address> reached(const std::string& at, sail::ServicePeer& peer) {
  auto address = sail::parse_address(at, {});
  if (!address) return address;
  if (address->host.empty() || sail::address_for_this_host(*address).host != address->host) {
    address->host = peer.rpc().peer_address().host;
  }
  return address;
}

// Returns the URL of the standby's page; empty: browsers cannot reach a page from the manager's
// host.
std::string page_url(const sail::StandBy& asked, sail::ServicePeer& peer) {
  const auto at = reached(asked.page, peer);
  if (!at || at->port == 0) return "";
  const bool near = sail::is_loopback(peer.rpc().peer_address().host);
  if (sail::is_loopback(at->host) && !near) return "";
  return fmt::format("{}://{}/", asked.page_by_tls ? "https" : "http", sail::address_text(*at));
}

bool fits_a_line(const sail::Json& document) {
  const size_t bytes = document.dump(-1, ' ', false, sail::Json::error_handler_t::replace).size();
  return bytes + kRoomBytes <= sail::kMaxControlLine;
}

// Leaves out thumbnails, which can be made again, then the undo history, which may be too large.
sail::Result<sail::Json> cut_to_a_line(sail::Json document, const std::string& name) {
  if (fits_a_line(document)) return document;
  for (sail::Json& window : document["windows"]) window.erase("thumbnail");
  if (fits_a_line(document)) return document;
  document.erase("history");
  if (fits_a_line(document)) return document;
  return sail::fail(sail::ErrorCode::kLimit,
                    fmt::format("'{}' is too large to send in one message", name));
}

}  // namespace

JournalServer::JournalServer(const sail::Wall& wall, Peers& peers, WallArchive& archive, Kept kept,
                             std::filesystem::path state_folder, const sail::Log& log)
    : wall_(wall),
      peers_(peers),
      archive_(archive),
      kept_(std::move(kept)),
      state_folder_(std::move(state_folder)),
      log_(log) {
  archive.watch_saved([this](SavedKind kind, const std::string& name) { saved(kind, name); });
}

sail::Result<sail::Json> JournalServer::take(sail::ServicePeer& peer, const sail::StandBy& asked) {
  if (shutting_down_) {
    peers_.notify(peer.id(), "end", sail::Json::object());
    return sail::fail(sail::ErrorCode::kUnavailable, "the wall is shutting down");
  }
  const auto address = reached(asked.listen, peer);
  if (!address) return address.error();
  const std::string text = sail::address_text(*address);
  if (peers_.find(standby_) != nullptr && peers_.standby() != text) {
    return sail::fail(sail::ErrorCode::kConflict,
                      fmt::format("this manager already has a standby, {}", peers_.standby()));
  }
  if (!archive_.saved(SavedKind::kSession).can_save()) {
    return sail::fail(
        sail::ErrorCode::kInvalidRequest,
        "this manager has no state folder for a standby to follow: start it with --state DIR");
  }
  // A standby with another rule of takeover would not keep its promise (quorum.h).
  if (asked.witness != sail::witness_text(wall_)) {
    return sail::fail(sail::ErrorCode::kInvalidRequest,
                      "the wall files of manager and standby name different witnesses: give both "
                      "managers the same wall file");
  }
  standby_ = peer.id();
  peer.rpc().keep_alive();
  peers_.name_standby(text, page_url(asked, peer), sail::is_loopback(ends_of(peer).there));
  remember(text);
  log_.info("{} stands by for this manager", text);
  return to_json(sail::Journal{.wall = wall_.name,
                               .wall_size = wall_.size,
                               .term = peers_.term(),
                               .receivers = connected_receivers(),
                               .layouts = names_of(archive_.saved(SavedKind::kLayout)),
                               .sessions = names_of(archive_.saved(SavedKind::kSession))});
}

void JournalServer::ask_standby(std::function<void()> confirmed) {
  sail::ServicePeer* peer = peers_.find(standby_);
  if (peer == nullptr) return;
  peer->rpc().call("ping", sail::Json::object(),
                   [confirmed = std::move(confirmed)](const sail::Result<sail::Json>& answer) {
                     if (answer) confirmed();
                   });
}

// A manager that starts with this state folder asks the standby, at this address, which manager is
// active (main.cpp).
void JournalServer::remember(const std::string& standby) const {
  const SavedTerm now{.term = peers_.term(), .other = standby};
  const auto saved = load_term(state_folder_).and_then([&](const SavedTerm& before) {
    return before == now ? sail::Result<void>() : save_term(state_folder_, now);
  });
  if (!saved) log_.warning("cannot save the standby's address: {}", saved.error().message);
}

sail::Result<sail::Json> JournalServer::read(const sail::ServicePeer& peer,
                                             const sail::JournalRead& asked) {
  if (peer.id() != standby_) {
    return sail::fail(sail::ErrorCode::kInvalidRequest,
                      "only the standby may read the journal: send 'stand_by' first");
  }
  if (!asked.kept.empty()) return kept_document(asked.kept);
  const SavedKind kind = asked.layout.empty() ? SavedKind::kSession : SavedKind::kLayout;
  const std::string& name = asked.layout.empty() ? asked.session : asked.layout;
  return archive_.saved(kind)
      .load(name)
      .and_then([&](const SavedWall& wall) {
        if (kind == SavedKind::kSession && name == Autosave::kName) note_sent(wall);
        return cut_to_a_line(to_json(wall, kind), name);
      })
      .map([](sail::Json document) {
        return sail::Json{{"document", std::move(document)}};
      });
}

sail::Result<sail::Json> JournalServer::kept_document(const std::string& name) const {
  sail::Json document = kept_(name);
  if (document.is_null()) {
    return sail::fail(sail::ErrorCode::kNotFound, fmt::format("there is no document '{}'", name));
  }
  if (fits_a_line(document)) return sail::Json{{"document", std::move(document)}};
  return sail::fail(sail::ErrorCode::kLimit,
                    fmt::format("'{}' is too large to send in one message", name));
}

void JournalServer::peer_left(uint64_t id) {
  if (id != standby_) return;
  standby_ = 0;
  log_.warning("the standby {} has disconnected", peers_.standby());
  peers_.name_standby("", "");
}

JournalServer::Step JournalServer::step_of(const HistoryEntry& entry) {
  return {entry.at_s, entry.author.name, entry.what};
}

void JournalServer::note_sent(const SavedWall& autosave) {
  const auto history = saved_history_from_json(autosave.history);
  if (history && !history->entries.empty()) sent_ = step_of(history->entries.back());
}

void JournalServer::history_restored(const History& history) {
  if (!history.entries().empty()) sent_ = step_of(history.entries().back());
}

std::vector<std::string> JournalServer::unsent_changes(const History& history) const {
  const auto& entries = history.entries();
  const auto sent =
      std::find_if(entries.rbegin(), entries.rend(),
                   [this](const HistoryEntry& entry) { return sent_ && step_of(entry) == *sent_; });
  std::vector<std::string> changes;
  const auto done = entries.begin() + static_cast<ptrdiff_t>(history.done());
  for (auto entry = sent.base(); entry < done; ++entry) {
    const std::string& who = entry->author.name;
    if (entry->note) continue;
    changes.push_back(
        sail::make_plain_text(who.empty() ? entry->what : fmt::format("{}: {}", who, entry->what),
                              sail::kMaxTitleLength));
  }
  return changes;
}

void JournalServer::outrun(const History& history) const {
  std::vector<std::string> lost = unsent_changes(history);
  if (lost.empty()) return;
  log_.error("{} changes are lost, because the standby never got them: {}", lost.size(),
             fmt::join(lost, ", "));
  if (const size_t most = sail::kMaxLostChanges; lost.size() > most) {
    const size_t earlier = lost.size() - most + 1;
    lost.erase(lost.begin(), lost.begin() + static_cast<ptrdiff_t>(earlier));
    lost.insert(lost.begin(), fmt::format("{} earlier changes", earlier));
  }
  const auto kept = load_term(state_folder_).and_then([&](SavedTerm saved) {
    saved.lost = lost;
    return save_term(state_folder_, saved);
  });
  if (!kept) log_.warning("cannot keep the lost changes: {}", kept.error().message);
}

void JournalServer::announce_shutdown() {
  shutting_down_ = true;
  notify_standby({.ending = true});
}

void JournalServer::end_standby() {
  peers_.notify(standby_, "end", sail::Json::object());
}

void JournalServer::saved(SavedKind kind, const std::string& name) {
  if (kind == SavedKind::kLayout) {
    notify_standby({.layout = name});
  } else {
    notify_standby({.session = name});
  }
}

void JournalServer::notify_standby(sail::JournalNews news) {
  if (standby_ == 0) return;
  news.receivers = connected_receivers();
  peers_.notify(standby_, sail::JournalNews::kMethod, to_json(news));
}

std::vector<std::string> JournalServer::connected_receivers() const {
  std::vector<std::string> names;
  for (const ReceiverEntry& receiver : peers_.receivers().all()) {
    if (receiver.connected()) names.push_back(receiver.name);
  }
  return names;
}

}  // namespace manager
