// The catalogue's SQL. The rowid of `words` is the film's number; its trigram index finds any three
// or more characters within a word.
#pragma once

namespace server {

// Version of the tables. The previous version is upgraded, all others are set aside.
constexpr int kCatalogueVersion = 5;

constexpr const char* kCatalogueSettings = R"(
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
)";

constexpr const char* kCatalogueTables = R"(
CREATE TABLE film (
  number INTEGER PRIMARY KEY,
  title TEXT NOT NULL UNIQUE,
  bytes INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  state INTEGER NOT NULL,  -- 0: not probed, 1: a film, 2: not a film, and `unreadable` says why
  playable INTEGER NOT NULL DEFAULT 0,
  width INTEGER NOT NULL DEFAULT 0,
  height INTEGER NOT NULL DEFAULT 0,
  codec TEXT NOT NULL DEFAULT '',
  duration_ns INTEGER NOT NULL DEFAULT 0,
  fps REAL NOT NULL DEFAULT 0,
  placed_bytes INTEGER NOT NULL DEFAULT 0,
  disks TEXT NOT NULL DEFAULT '',
  posted INTEGER NOT NULL DEFAULT 0,  -- somebody has tried to make its poster
  unreadable TEXT NOT NULL DEFAULT '',
  description TEXT NOT NULL DEFAULT '{}');
CREATE INDEX largest ON film (bytes);
CREATE INDEX unread ON film (number) WHERE state = 0;
CREATE INDEX unposted ON film (number) WHERE state = 1 AND posted = 0;
CREATE INDEX left_out ON film (number) WHERE state = 2;
CREATE TABLE poster (title TEXT PRIMARY KEY, jpeg BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE tag (title TEXT NOT NULL, word TEXT NOT NULL, PRIMARY KEY (title, word)) WITHOUT ROWID;
CREATE VIRTUAL TABLE words USING fts5 (title, tags, tokenize = 'trigram');
CREATE TABLE peak (folder TEXT PRIMARY KEY, mb_per_s REAL NOT NULL);
)";

// Version 4 lacks the description: all films are probed again. Tags and posters stay.
constexpr const char* kCatalogueUpgrade = R"(
DROP VIEW entry;
ALTER TABLE film ADD COLUMN description TEXT NOT NULL DEFAULT '{}';
CREATE INDEX left_out ON film (number) WHERE state = 2;
UPDATE film SET state = 0;
)";

// After one of the above.
constexpr const char* kCatalogueView = R"(
-- Tags may hold anything but a line's end.
CREATE VIEW entry AS
  SELECT number, title, bytes, changed, state, playable, width, height, codec, duration_ns, fps,
         (SELECT group_concat(word, char(10)) FROM tag WHERE tag.title = film.title) AS tags,
         placed_bytes, disks, unreadable, description
  FROM film;
PRAGMA user_version = 5;
)";

// Parameters: title to start after, row limit.
constexpr const char* kListAll =
    "SELECT * FROM entry WHERE title > ?1 AND state < 2 ORDER BY title LIMIT ?2";
// Parameters: title to start after, row limit, FTS5 phrase.
constexpr const char* kListFound =
    "SELECT entry.* FROM words JOIN entry ON entry.number = words.rowid "
    "WHERE words MATCH ?3 AND entry.title > ?1 AND state < 2 ORDER BY entry.title LIMIT ?2";
// Parameters: title to start after, row limit, one or two letters in lower case (too few for the
// index).
constexpr const char* kListShort =
    "SELECT * FROM entry WHERE title > ?1 AND state < 2 AND "
    "(instr(lower(title), ?3) OR instr(lower(tags), ?3)) ORDER BY title LIMIT ?2";
constexpr const char* kFind = "SELECT * FROM entry WHERE title = ?1";
constexpr const char* kLargest = "SELECT * FROM entry ORDER BY bytes DESC LIMIT ?1";
constexpr const char* kLeftOut = "SELECT title, unreadable FROM film WHERE state = 2 LIMIT ?1";
constexpr const char* kNextUnread = "SELECT title FROM film WHERE state = 0 LIMIT ?1";
constexpr const char* kNextUnposted =
    "SELECT title FROM film WHERE state = 1 AND posted = 0 LIMIT 1";

}  // namespace server
