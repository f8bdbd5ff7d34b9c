#include "sail/apps/server/catalogue/catalogue.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "sail/apps/server/catalogue/catalogue_sql.h"
#include "sail/core/text/text.h"
#include "sail/media/film/stored_facts.h"

namespace server {
namespace {

namespace fs = std::filesystem;
using sail::ErrorCode;
using sail::Result;

constexpr size_t kLettersOfIndex = 3;  // shorter searches scan all titles
enum class State : int64_t { kUnread = 0, kFilm = 1, kNoFilm = 2 };

size_t letters_of(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(
      text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }));
}

// Quotes text for FTS5, so that nothing in it acts as an operator.
std::string phrase(std::string_view text) {
  std::string quoted = "\"";
  for (const char letter : text) quoted += letter == '"' ? "\"\"" : std::string(1, letter);
  return quoted + '"';
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  std::ranges::sort(lines);
  return lines;
}

int64_t integer_of(const Statement& row) {
  return row.integer(0);
}

std::string text_of(const Statement& row) {
  return row.text(0);
}

// Empty if somebody else has written the text.
sail::FilmDescription description_of(const std::string& text) {
  const auto json = sail::parse_json(text, sail::kMaxStoredFacts);
  if (!json) return {};
  return sail::message_from_json<sail::FilmDescription>(*json, "description")
      .value_or(sail::FilmDescription());
}

// Converts a row of the view `entry`.
CatalogueEntry entry_of(const Statement& row) {
  CatalogueEntry entry{.title = row.text(1),
                       .stamp = {static_cast<uint64_t>(row.integer(2)), row.integer(3)},
                       .facts = {},
                       .tags = lines_of(row.text(11))};
  if (static_cast<State>(row.integer(4)) != State::kFilm) return entry;
  entry.facts =
      FilmFacts{.size = {static_cast<int>(row.integer(6)), static_cast<int>(row.integer(7))},
                .codec = row.text(8),
                .duration_ns = row.integer(9),
                .fps = row.real(10),
                .playable = row.integer(5) != 0,
                .description = description_of(row.text(15)),
                .unreadable = row.text(14),
                .placed_bytes = static_cast<uint64_t>(row.integer(12)),
                .disks = lines_of(row.text(13))};
  return entry;
}

// Also removes the files that SQLite keeps beside the database.
void set_aside(const std::string& file) {
  std::error_code ignored;
  fs::rename(file, file + ".damaged", ignored);
  if (ignored) fs::remove(file, ignored);
  for (const char* beside : {"-wal", "-shm", "-journal"}) fs::remove(file + beside, ignored);
}

}  // namespace

double needed_mb_per_s(const Library::Stamp& stamp, int64_t duration_ns) {
  constexpr double kMbPerSecond = 1e3;  // MB/s of one byte per nanosecond
  if (duration_ns <= 0) return 0;
  return static_cast<double>(stamp.bytes) / static_cast<double>(duration_ns) * kMbPerSecond;
}

// --- database file -------------------------------------------------------------------------------

Result<Catalogue> Catalogue::open(const std::string& file) {
  auto database = Database::open(file.empty() ? ":memory:" : file);
  if (!database) return std::move(database.error());
  Catalogue catalogue(std::move(*database));
  if (auto prepared = catalogue.prepare(); !prepared) return std::move(prepared.error());
  return catalogue;
}

Catalogue Catalogue::open_or_begin(const std::string& file, const sail::Log& log) {
  auto catalogue = open(file);
  if (!catalogue && catalogue.error().code == ErrorCode::kBadData) {
    return recreate(file, catalogue.error(), log);
  }
  if (catalogue) return std::move(*catalogue);
  log.warning("cannot use {} ({}): the catalogue is kept in memory only and lost at exit", file,
              catalogue.error().message);
  return open("").value();
}

Catalogue Catalogue::recreate(const std::string& file, const sail::Error& why,
                              const sail::Log& log) {
  log.warning("{} is damaged ({}): renamed to {}.damaged and recreated, without tags", file,
              why.message, file);
  set_aside(file);
  auto catalogue = open(file);
  return catalogue ? std::move(*catalogue) : open("").value();
}

Result<void> Catalogue::prepare() {
  if (auto set = database_.run(kCatalogueSettings); !set) return set;
  const auto version = database_.first("PRAGMA user_version", integer_of);
  if (!version) return version.error();
  const auto health = database_.first("PRAGMA quick_check(1)", text_of);
  if (!health) return health.error();
  if (*health != "ok") return sail::fail(ErrorCode::kBadData, health->value_or("no answer"));
  if (*version == kCatalogueVersion) return {};
  if (*version != 0 && *version != kCatalogueVersion - 1) {
    return sail::fail(ErrorCode::kBadData, fmt::format("unsupported version {}", **version));
  }
  return together([&]() -> Result<void> {
    auto made = database_.run(*version == 0 ? kCatalogueTables : kCatalogueUpgrade);
    return made ? database_.run(kCatalogueView) : made;
  });
}

template <typename Work>
Result<void> Catalogue::together(const Work& work) {
  if (auto begun = database_.run("BEGIN IMMEDIATE"); !begun) return begun;
  Result<void> done = work();
  if (done) done = database_.run("COMMIT");
  if (!done) (void)database_.run("ROLLBACK");
  return done;
}

// --- films of the folder -------------------------------------------------------------------------

Result<void> Catalogue::follow(const Library::Listing& listing) {
  const auto films =
      database_.rows("SELECT title, bytes, changed FROM film", [](const Statement& row) {
        return Known{row.text(0), {static_cast<uint64_t>(row.integer(1)), row.integer(2)}};
      });
  if (!films) return films.error();
  std::map<std::string, Library::Stamp> fresh = listing.films;
  std::vector<std::string> old;
  for (const Known& film : *films) {
    const auto now = fresh.find(film.title);
    if (now != fresh.end() && now->second == film.stamp) {
      fresh.erase(now);
    } else {
      old.push_back(film.title);
    }
  }
  if (fresh.empty() && old.empty()) return {};
  return together([&]() -> Result<void> {
    if (auto removed = remove(old); !removed) return removed;
    std::vector<Known> changed;
    for (auto& [title, stamp] : fresh) changed.push_back({title, stamp});
    return add(changed);
  });
}

Result<void> Catalogue::remove(const std::vector<std::string>& titles) {
  auto words = database_.prepare(
      "DELETE FROM words WHERE rowid = (SELECT number FROM film WHERE title = ?1)");
  if (!words) return std::move(words.error());
  auto poster = database_.prepare("DELETE FROM poster WHERE title = ?1");
  if (!poster) return std::move(poster.error());
  auto film = database_.prepare("DELETE FROM film WHERE title = ?1");
  if (!film) return std::move(film.error());
  for (const std::string& title : titles) {
    if (auto gone = words->run(title); !gone) return gone;
    if (auto gone = poster->run(title); !gone) return gone;
    if (auto gone = film->run(title); !gone) return gone;
  }
  return {};
}

Result<void> Catalogue::add(const std::vector<Known>& films) {
  auto film =
      database_.prepare("INSERT INTO film (title, bytes, changed, state) VALUES (?1, ?2, ?3, 0)");
  if (!film) return std::move(film.error());
  auto words = database_.prepare(
      "INSERT INTO words (rowid, title, tags) SELECT number, title, (SELECT group_concat(word, "
      "char(10)) FROM tag WHERE tag.title = ?1) FROM film WHERE title = ?1");
  if (!words) return std::move(words.error());
  for (const auto& [title, stamp] : films) {
    auto added = film->run(title, static_cast<int64_t>(stamp.bytes), stamp.changed);
    if (added) added = words->run(title);
    if (!added) return added;
  }
  return {};
}

Result<std::vector<std::string>> Catalogue::next_unread(size_t most) {
  return database_.rows(kNextUnread, text_of, static_cast<int64_t>(most));
}

Result<void> Catalogue::learn(const std::string& title, const Result<FilmFacts>& facts) {
  FilmFacts known = facts.value_or(FilmFacts());
  if (!facts) known.unreadable = facts.error().message;
  const State state = facts ? State::kFilm : State::kNoFilm;
  return database_.change(
      "UPDATE film SET state = ?2, playable = ?3, width = ?4, height = ?5, codec = ?6, "
      "duration_ns = ?7, fps = ?8, placed_bytes = ?9, disks = ?10, unreadable = ?11, "
      "description = ?12 WHERE title = ?1",
      title, static_cast<int64_t>(state), static_cast<int64_t>(known.playable),
      static_cast<int64_t>(known.size.width), static_cast<int64_t>(known.size.height), known.codec,
      known.duration_ns, known.fps, static_cast<int64_t>(known.placed_bytes),
      fmt::format("{}", fmt::join(known.disks, "\n")), known.unreadable,
      sail::to_json(known.description).dump());
}

Result<void> Catalogue::doubt(const std::string& title) {
  return database_.change("UPDATE film SET state = 0, posted = 0 WHERE title = ?1", title);
}

// --- queries -------------------------------------------------------------------------------------

Result<std::vector<CatalogueEntry>> Catalogue::list(const TitlesRequest& request, size_t most) {
  const auto count = static_cast<int64_t>(most);
  if (request.search.empty()) return database_.rows(kListAll, entry_of, request.after, count);
  if (letters_of(request.search) >= kLettersOfIndex) {
    return database_.rows(kListFound, entry_of, request.after, count, phrase(request.search));
  }
  return database_.rows(kListShort, entry_of, request.after, count, sail::lower(request.search));
}

Result<std::optional<CatalogueEntry>> Catalogue::find(const std::string& title) {
  return database_.first(kFind, entry_of, title);
}

Result<LeftOut> Catalogue::left_out(size_t most) {
  const auto pair_of = [](const Statement& row) { return std::pair(row.text(0), row.text(1)); };
  return database_.rows(kLeftOut, pair_of, static_cast<int64_t>(most)).map([](const auto& rows) {
    return LeftOut(rows.begin(), rows.end());
  });
}

Result<std::vector<CatalogueEntry>> Catalogue::largest(size_t most) {
  return database_.rows(kLargest, entry_of, static_cast<int64_t>(most));
}

Result<std::string> Catalogue::next_unposted() {
  return database_.first(kNextUnposted, text_of).map([](const std::optional<std::string>& title) {
    return title.value_or("");
  });
}

Result<void> Catalogue::keep_poster(const std::string& title, const std::string& jpeg) {
  return together([&]() -> Result<void> {
    if (!jpeg.empty()) {
      auto kept = database_.change("INSERT OR REPLACE INTO poster (title, jpeg) VALUES (?1, ?2)",
                                   title, jpeg);
      if (!kept) return kept;
    }
    return database_.change("UPDATE film SET posted = 1 WHERE title = ?1", title);
  });
}

Result<std::optional<std::string>> Catalogue::poster(const std::string& title) {
  return database_.first(
      "SELECT jpeg FROM film LEFT JOIN poster ON poster.title = film.title "
      "WHERE film.title = ?1 AND posted != 0",
      text_of, title);
}

Result<double> Catalogue::peak(const std::string& folder) {
  const auto real_of = [](const Statement& row) { return row.real(0); };
  return database_.first("SELECT mb_per_s FROM peak WHERE folder = ?1", real_of, folder)
      .map([](std::optional<double> known) { return known.value_or(0.0); });
}

Result<void> Catalogue::keep_peak(const std::string& folder, double mb_per_s) {
  return database_.change("INSERT OR REPLACE INTO peak (folder, mb_per_s) VALUES (?1, ?2)", folder,
                          mb_per_s);
}

Result<void> Catalogue::set_tags(const std::string& title, const std::vector<std::string>& tags) {
  return together([&]() -> Result<void> {
    auto gone = database_.change("DELETE FROM tag WHERE title = ?1", title);
    if (!gone) return gone;
    const auto count = database_.first("SELECT count(*) FROM tag", integer_of);
    if (!count) return count.error();
    if (count->value_or(0) + static_cast<int64_t>(tags.size()) > kMaxTagsKept) {
      return sail::fail(ErrorCode::kLimit, "the catalogue has too many tags: remove others first");
    }
    auto added = database_.prepare("INSERT OR IGNORE INTO tag (title, word) VALUES (?1, ?2)");
    if (!added) return std::move(added.error());
    for (const std::string& tag : tags) {
      if (auto done = added->run(title, tag); !done) return done;
    }
    return database_.change(
        "UPDATE words SET tags = (SELECT group_concat(word, char(10)) FROM tag WHERE tag.title = "
        "?1) WHERE rowid = (SELECT number FROM film WHERE title = ?1)",
        title);
  });
}

}  // namespace server
