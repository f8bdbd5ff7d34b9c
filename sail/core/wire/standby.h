// Messages between a manager and its standby, and to all peers about the standby: sail/PROTOCOL.md,
// "stand_by". Each manager of a wall has a term, a number greater than the terms of all managers
// before it. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sail/core/base/geometry.h"
#include "sail/core/text/json_fields.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"

namespace sail {

constexpr size_t kMaxAddressText = 128;  // bytes of "host:port"
constexpr size_t kMaxSavedFiles = 1000;  // saved files of one kind in a manager
constexpr size_t kMaxLostChanges = 10;   // in "stand_by"
constexpr size_t kMaxWitnessText = 512;  // bytes of "etcd://…"
// Exit code of a fenced manager: another manager took over. Restarted with its state folder, it
// becomes the standby of that manager. The programs that it started keep running.
constexpr int kExitOutrun = 4;
constexpr Whole kTerm{1, static_cast<int64_t>(kMaxCounter)};

// Fields about terms and failover in the result of every peer's "hello".
struct WelcomeTerm {
  static constexpr const char* kMethod = "hello";

  uint64_t term = 1;      // the manager's term
  std::string standby{};  // "host:port" of the standby; empty: none
};
void fields(auto& visit, Of<WelcomeTerm> auto& welcome) {
  visit("term", sparse(kTerm), welcome.term);
  visit("standby", sparse(Text{kMaxAddressText}), welcome.standby);
}

// Result of a starting manager's "hello" with "vote", if the listener does not rule and promises
// not to rule for 3 s.
struct WelcomeVote {
  static constexpr const char* kMethod = "hello";

  uint64_t voted = 0;  // the term; 0: no promise
};
void fields(auto& visit, Of<WelcomeVote> auto& welcome) {
  visit("voted", sparse(kCount), welcome.voted);
}

// "standby": notification to all peers that the standby has changed.
struct StandbyNews {
  static constexpr const char* kMethod = "standby";

  std::string address{};  // "host:port"; empty: no standby any more
  std::string page{};     // URL of the standby's page; empty: none or unknown
};
void fields(auto& visit, Of<StandbyNews> auto& news) {
  visit("address", Text{kMaxAddressText}, news.address);
  visit("page", sparse(Text{kMaxAddressText}), news.page);
}

inline Result<std::string> read_lost_change(const Json& value, const std::string& where) {
  const auto* text = value.get_ptr<const std::string*>();
  if (text != nullptr && !text->empty() && text->size() <= kMaxTitleLength && !name_mistake(*text))
    return *text;
  return fail(ErrorCode::kInvalidParams, where + ": must be a text of one line");
}

// "stand_by": request of an admin to become the manager's standby.
struct StandBy {
  static constexpr const char* kMethod = "stand_by";

  std::string listen;  // "host:port" where peers will find it
  std::string page{};  // "host:port" of its page for browsers; empty: none
  bool page_by_tls = false;
  std::vector<std::string> lost{};  // changes that only this manager knew when it was replaced
  std::string witness{};            // witness in this manager's wall file; empty: none
};
void fields(auto& visit, Of<StandBy> auto& asked) {
  visit("listen", FilledText{kMaxAddressText}, asked.listen);
  visit("page", sparse(Text{kMaxAddressText}), asked.page);
  visit("page_by_tls", sparse(Flag()), asked.page_by_tls);
  visit("lost", sparse(values<read_lost_change>(kMaxLostChanges)), asked.lost);
  visit("witness", sparse(Text{kMaxWitnessText}), asked.witness);
}

// Other state of a manager: one document each, in files of these names.
constexpr const char* kKeptPeople = "people";
constexpr const char* kKeptUrls = "urls";
constexpr const char* kKeptEvents = "events";  // event rules
constexpr const char* kKeptPower = "power";    // orders that displays have not obeyed

inline Result<std::string> read_saved_name(const Json& value, const std::string& where) {
  const auto* text = value.get_ptr<const std::string*>();
  if (text != nullptr && !text->empty() && text->size() <= kMaxNameLength && !name_mistake(*text)) {
    return *text;
  }
  return fail(ErrorCode::kInvalidParams, where + ": must be a name");
}
constexpr auto kSavedNames = values<read_saved_name>(kMaxSavedFiles);
constexpr auto kReceiverNames = values<read_saved_name>(kMaxTiles);

// Result of "stand_by": the names of all documents in the journal.
struct Journal {
  static constexpr const char* kMethod = "stand_by";

  std::string wall;
  Size wall_size;
  uint64_t term = 1;
  std::vector<std::string> receivers{};  // connected receivers
  std::vector<std::string> layouts{};
  std::vector<std::string> sessions{};  // "autosave" is the current wall
};
void fields(auto& visit, Of<Journal> auto& journal) {
  visit("wall", Text{kMaxTitleLength}, journal.wall);
  visit("wall_size", Sides{kMaxWallSide}, journal.wall_size);
  visit("term", kTerm, journal.term);
  visit("receivers", kReceiverNames, journal.receivers);
  visit("layouts", kSavedNames, journal.layouts);
  visit("sessions", kSavedNames, journal.sessions);
}

// "journal": notification to the standby with changes.
struct JournalNews {
  static constexpr const char* kMethod = "journal";

  std::vector<std::string> receivers{};  // connected receivers
  std::string layout{};                  // a layout that was saved or removed
  std::string session{};                 // a session that was saved or removed
  std::string kept{};                    // such as kKeptPeople, if changed
  bool ending = false;                   // the wall is shut down: do not take over
};
void fields(auto& visit, Of<JournalNews> auto& news) {
  visit("receivers", kReceiverNames, news.receivers);
  visit("layout", sparse(Text{kMaxNameLength}), news.layout);
  visit("session", sparse(Text{kMaxNameLength}), news.session);
  visit("kept", sparse(Text{kMaxNameLength}), news.kept);
  visit("ending", sparse(Flag()), news.ending);
}

// "journal_read": request of the standby for one document; not_found: it was removed.
struct JournalRead {
  static constexpr const char* kMethod = "journal_read";

  std::string layout{};  // exactly one of the three is set
  std::string session{};
  std::string kept{};
};
void fields(auto& visit, Of<JournalRead> auto& asked) {
  visit("layout", sparse(Text{kMaxNameLength}), asked.layout);
  visit("session", sparse(Text{kMaxNameLength}), asked.session);
  visit("kept", sparse(Text{kMaxNameLength}), asked.kept);
}
inline void check(JsonFields& in, const JournalRead& asked) {
  const int named = !asked.layout.empty() + !asked.session.empty() + !asked.kept.empty();
  if (named != 1) in.mistake("session", "or 'layout' or 'kept' is required: give exactly one");
}

}  // namespace sail
