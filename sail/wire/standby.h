// What a manager and its standby tell each other, and what all peers hear of it: sail/PROTOCOL.md,
// "Standby". Managers of one wall follow one another; each has a term, a number greater than that
// of the one before. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sail/base/geometry.h"
#include "sail/wire/json_fields.h"
#include "sail/wire/limits.h"

namespace sail {

constexpr size_t kMaxAddressText = 128;  // bytes of "host:port"
constexpr size_t kMaxSavedFiles = 1000;  // of a kind, that a manager keeps
// Of a manager whose place another one took: started again with its state folder, it is that one's
// standby. What it had started goes on.
constexpr int kExitOutrun = 4;
constexpr Whole kTerm{1, static_cast<int64_t>(kMaxCounter)};

// What the result of every peer's "hello" tells of managers to come.
struct WelcomeTerm {
  static constexpr const char* kMethod = "hello";

  uint64_t term = 1;      // the manager's
  std::string standby{};  // "host:port" of who takes its place; empty: nobody
};
void fields(auto& visit, Of<WelcomeTerm> auto& welcome) {
  visit("term", sparse(kTerm), welcome.term);
  visit("standby", sparse(Text{kMaxAddressText}), welcome.standby);
}

// "standby", notification to all peers: that has changed.
struct StandbyNews {
  static constexpr const char* kMethod = "standby";

  std::string address{};  // empty: nobody stands by any more
  std::string page{};     // the URL of its page then; empty: it will have none that is known
};
void fields(auto& visit, Of<StandbyNews> auto& news) {
  visit("address", Text{kMaxAddressText}, news.address);
  visit("page", sparse(Text{kMaxAddressText}), news.page);
}

// "stand_by", request of an admin: to be the manager's standby from now on.
struct StandBy {
  static constexpr const char* kMethod = "stand_by";

  std::string listen;  // "host:port", where peers will find it
  std::string page{};  // likewise, browsers; empty: nowhere
  bool page_by_tls = false;
};
void fields(auto& visit, Of<StandBy> auto& asked) {
  visit("listen", FilledText{kMaxAddressText}, asked.listen);
  visit("page", sparse(Text{kMaxAddressText}), asked.page);
  visit("page_by_tls", sparse(Flag()), asked.page_by_tls);
}

// What a manager keeps beside layouts and sessions, a document each, in files of these names.
constexpr const char* kKeptPeople = "people";
constexpr const char* kKeptUrls = "urls";

Result<std::string> read_saved_name(const Json& value, const std::string& where);
constexpr auto kSavedNames = values<read_saved_name>(kMaxSavedFiles);
constexpr auto kReceiverNames = values<read_saved_name>(kMaxTiles);

// What it is answered with: the names of all that the journal has.
struct Journal {
  static constexpr const char* kMethod = "stand_by";

  std::string wall;
  Size wall_size;
  uint64_t term = 1;
  std::vector<std::string> receivers{};  // that are connected
  std::vector<std::string> layouts{};
  std::vector<std::string> sessions{};  // "autosave" is the wall as it is
};
void fields(auto& visit, Of<Journal> auto& journal) {
  visit("wall", Text{kMaxTitleLength}, journal.wall);
  visit("wall_size", Sides{kMaxWallSide}, journal.wall_size);
  visit("term", kTerm, journal.term);
  visit("receivers", kReceiverNames, journal.receivers);
  visit("layouts", kSavedNames, journal.layouts);
  visit("sessions", kSavedNames, journal.sessions);
}

// "journal", notification to the standby: what is new.
struct JournalNews {
  static constexpr const char* kMethod = "journal";

  std::vector<std::string> receivers{};  // that are connected
  std::string layout{};                  // was saved or removed
  std::string session{};                 // likewise
  std::string kept{};                    // kKeptPeople or kKeptUrls: has changed
  bool ending = false;                   // the wall is taken down: nobody is to take over
};
void fields(auto& visit, Of<JournalNews> auto& news) {
  visit("receivers", kReceiverNames, news.receivers);
  visit("layout", sparse(Text{kMaxNameLength}), news.layout);
  visit("session", sparse(Text{kMaxNameLength}), news.session);
  visit("kept", sparse(Text{kMaxNameLength}), news.kept);
  visit("ending", sparse(Flag()), news.ending);
}

// "journal_read", request of the standby: one document of it; not_found: it was removed.
struct JournalRead {
  static constexpr const char* kMethod = "journal_read";

  std::string layout{};  // one of the three
  std::string session{};
  std::string kept{};
};
void fields(auto& visit, Of<JournalRead> auto& asked) {
  visit("layout", sparse(Text{kMaxNameLength}), asked.layout);
  visit("session", sparse(Text{kMaxNameLength}), asked.session);
  visit("kept", sparse(Text{kMaxNameLength}), asked.kept);
}
void check(JsonFields& in, const JournalRead& asked);

}  // namespace sail
