#include "sail/apps/server/catalogue/catalogue.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

#include "sail/apps/server/catalogue/catalogue_sql.h"
#include "sail/core/text/text.h"

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
  constexpr double kMbPerSecond = 1e3;  // converts bytes per nanosecond
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
    return begin_anew(file, catalogue.error(), log);
  }
  if (catalogue) return std::move(*catalogue);
  log.warning("cannot use {} ({}): the catalogue is kept in memory only and lost at exit", file,
              catalogue.error().message);
  return open("").value();
}

Catalogue Catalogue::begin_anew(const std::string& file, const sail::Error& why,
                                const sail::Log& log) {
  log.warning("{} is damaged ({}): renamed to {}.damaged and recreated, without tags", file,
              why.message, file);
  set_aside(file);
  auto catalogue = open(file);
  return catalogue ? std::move(*catalogue) : open("").value();
}

Result<void> Catalogue::prepare() {
  if (auto set = database_.run(kCatalogueSettings); !set) return set;
  int64_t version = 0;
  std::string health;
  {
    auto asked = database_.prepare("PRAGMA user_version");
    if (!asked) return std::move(asked.error());
    if (auto row = asked->next(); !row) return std::move(row.error());
    version = asked->integer(0);
    auto checked = database_.prepare("PRAGMA quick_check(1)");
    if (!checked) return std::move(checked.error());
    if (auto row = checked->next(); !row) return std::move(row.error());
    health = checked->text(0);
  }
  if (health != "ok") return sail::fail(ErrorCode::kBadData, health);
  if (version == 0) return database_.run(kCatalogueTables);
  const std::array newer = {kCatalogueOfVersion1, kCatalogueOfVersion2, kCatalogueOfVersion3};
  for (; version >= 1 && version < kCatalogueVersion; ++version) {
    if (auto made = database_.run(newer.at(static_cast<size_t>(version - 1))); !made) return made;
  }
  if (version == kCatalogueVersion) return {};
  return sail::fail(ErrorCode::kBadData, fmt::format("unsupported version {}", version));
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

Result<std::vector<Catalogue::Known>> Catalogue::known() {
  auto rows = database_.prepare("SELECT title, bytes, changed FROM film");
  if (!rows) return std::move(rows.error());
  std::vector<Known> films;
  for (;;) {
    auto row = rows->next();
    if (!row) return std::move(row.error());
    if (!*row) return films;
    films.push_back({rows->text(0), {static_cast<uint64_t>(rows->integer(1)), rows->integer(2)}});
  }
}

Result<void> Catalogue::follow(const Library::Listing& listing) {
  const auto films = known();
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
  auto rows = database_.prepare(kNextUnread);
  if (!rows) return std::move(rows.error());
  rows->bind(static_cast<int64_t>(most));
  std::vector<std::string> titles;
  for (;;) {
    auto row = rows->next();
    if (!row) return std::move(row.error());
    if (!*row) return titles;
    titles.push_back(rows->text(0));
  }
}

Result<void> Catalogue::learn(const std::string& title, const std::optional<FilmFacts>& facts) {
  auto learnt = database_.prepare(
      "UPDATE film SET state = ?2, playable = ?3, width = ?4, height = ?5, codec = ?6, "
      "duration_ns = ?7, fps = ?8, placed_bytes = ?9, disks = ?10, unreadable = ?11 WHERE title = "
      "?1");
  if (!learnt) return std::move(learnt.error());
  const FilmFacts known = facts.value_or(FilmFacts());
  const State state = facts ? State::kFilm : State::kNoFilm;
  return learnt->run(title, static_cast<int64_t>(state), static_cast<int64_t>(known.playable),
                     static_cast<int64_t>(known.size.width),
                     static_cast<int64_t>(known.size.height), known.codec, known.duration_ns,
                     known.fps, static_cast<int64_t>(known.placed_bytes),
                     fmt::format("{}", fmt::join(known.disks, "\n")), known.unreadable);
}

Result<void> Catalogue::doubt(const std::string& title) {
  auto doubted = database_.prepare("UPDATE film SET state = 0, posted = 0 WHERE title = ?1");
  if (!doubted) return std::move(doubted.error());
  return doubted->run(title);
}

// --- queries -------------------------------------------------------------------------------------

Result<std::vector<CatalogueEntry>> Catalogue::entries(Statement& statement) {
  std::vector<CatalogueEntry> found;
  for (;;) {
    auto row = statement.next();
    if (!row) return std::move(row.error());
    if (!*row) return found;
    found.push_back(entry_of(statement));
  }
}

Result<std::vector<CatalogueEntry>> Catalogue::list(const TitlesRequest& request, size_t most) {
  const auto count = static_cast<int64_t>(most);
  const bool indexed = letters_of(request.search) >= kLettersOfIndex;
  const char* sql = request.search.empty() ? kListAll : indexed ? kListFound : kListShort;
  auto rows = database_.prepare(sql);
  if (!rows) return std::move(rows.error());
  if (request.search.empty()) {
    rows->bind(request.after, count);
  } else {
    rows->bind(request.after, count,
               indexed ? phrase(request.search) : sail::lower(request.search));
  }
  return entries(*rows);
}

Result<std::optional<CatalogueEntry>> Catalogue::find(const std::string& title) {
  auto rows = database_.prepare(kFind);
  if (!rows) return std::move(rows.error());
  rows->bind(title);
  auto found = entries(*rows);
  if (!found) return std::move(found.error());
  if (found->empty()) return std::optional<CatalogueEntry>();
  return std::optional(std::move(found->front()));
}

Result<std::vector<CatalogueEntry>> Catalogue::largest(size_t most) {
  auto rows = database_.prepare(kLargest);
  if (!rows) return std::move(rows.error());
  rows->bind(static_cast<int64_t>(most));
  return entries(*rows);
}

Result<std::string> Catalogue::next_unposted() {
  auto rows = database_.prepare(kNextUnposted);
  if (!rows) return std::move(rows.error());
  auto row = rows->next();
  if (!row) return std::move(row.error());
  return *row ? rows->text(0) : std::string();
}

Result<void> Catalogue::keep_poster(const std::string& title, const std::string& jpeg) {
  return together([&]() -> Result<void> {
    auto kept = database_.prepare("INSERT OR REPLACE INTO poster (title, jpeg) VALUES (?1, ?2)");
    if (!kept) return std::move(kept.error());
    if (!jpeg.empty()) {
      if (auto done = kept->run(title, jpeg); !done) return done;
    }
    auto posted = database_.prepare("UPDATE film SET posted = 1 WHERE title = ?1");
    if (!posted) return std::move(posted.error());
    return posted->run(title);
  });
}

Result<std::optional<std::string>> Catalogue::poster(const std::string& title) {
  auto rows = database_.prepare(
      "SELECT posted, jpeg FROM film LEFT JOIN poster ON poster.title = film.title "
      "WHERE film.title = ?1");
  if (!rows) return std::move(rows.error());
  rows->bind(title);
  auto row = rows->next();
  if (!row) return std::move(row.error());
  if (!*row || rows->integer(0) == 0) return std::optional<std::string>();
  return std::optional(rows->text(1));
}

Result<double> Catalogue::peak(const std::string& folder) {
  auto rows = database_.prepare("SELECT mb_per_s FROM peak WHERE folder = ?1");
  if (!rows) return std::move(rows.error());
  rows->bind(folder);
  auto row = rows->next();
  if (!row) return std::move(row.error());
  return *row ? rows->real(0) : 0.0;
}

Result<void> Catalogue::keep_peak(const std::string& folder, double mb_per_s) {
  auto kept = database_.prepare("INSERT OR REPLACE INTO peak (folder, mb_per_s) VALUES (?1, ?2)");
  if (!kept) return std::move(kept.error());
  return kept->run(folder, mb_per_s);
}

Result<void> Catalogue::set_tags(const std::string& title, const std::vector<std::string>& tags) {
  return together([&]() -> Result<void> {
    auto gone = database_.prepare("DELETE FROM tag WHERE title = ?1");
    if (!gone) return std::move(gone.error());
    if (auto done = gone->run(title); !done) return done;
    auto count = database_.prepare("SELECT count(*) FROM tag");
    if (!count) return std::move(count.error());
    if (auto row = count->next(); !row) return std::move(row.error());
    if (count->integer(0) + static_cast<int64_t>(tags.size()) > kMaxTagsKept) {
      return sail::fail(ErrorCode::kLimit, "the catalogue has too many tags: remove others first");
    }
    count->bind();  // finish the read statement before writing
    auto added = database_.prepare("INSERT OR IGNORE INTO tag (title, word) VALUES (?1, ?2)");
    if (!added) return std::move(added.error());
    for (const std::string& tag : tags) {
      if (auto done = added->run(title, tag); !done) return done;
    }
    auto words = database_.prepare(
        "UPDATE words SET tags = (SELECT group_concat(word, char(10)) FROM tag WHERE tag.title = "
        "?1) WHERE rowid = (SELECT number FROM film WHERE title = ?1)");
    if (!words) return std::move(words.error());
    return words->run(title);
  });
}

}  // namespace server
