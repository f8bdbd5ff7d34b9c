// An SQLite database file. Only sqlite.cpp includes sqlite3.h. One thread at a time.
//
// kBadData: the file is damaged or not a database. kConflict: another program has it open. kIo:
// everything else.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sail/core/base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace server {

struct CloseSqlite {
  void operator()(sqlite3* database) const;
  void operator()(sqlite3_stmt* statement) const;
};

// A prepared statement, which can be executed repeatedly. Its database must outlive it.
class Statement {
 public:
  // Resets the statement and binds its parameters, from the first.
  template <typename... Values>
  void bind(const Values&... values) {
    reset();
    [[maybe_unused]] int place = 0;
    (bind_at(++place, values), ...);
  }
  // Steps to the next row. False: no more rows.
  sail::Result<bool> next();
  // Executes a statement that returns no rows.
  template <typename... Values>
  sail::Result<void> run(const Values&... values) {
    bind(values...);
    auto done = next();
    if (!done) return std::move(done.error());
    return {};
  }

  // Values of the current row, columns from 0. NULL is returned as 0 or "".
  int64_t integer(int column) const;
  double real(int column) const;
  std::string text(int column) const;

 private:
  friend class Database;
  Statement(sqlite3& database, sqlite3_stmt* statement)
      : database_(&database), statement_(statement) {}
  void reset();
  void bind_at(int place, int64_t value);
  void bind_at(int place, double value);
  void bind_at(int place, std::string_view value);

  sqlite3* database_;
  std::unique_ptr<sqlite3_stmt, CloseSqlite> statement_;
};

class Database {
 public:
  // Created if missing. ":memory:" stays in memory.
  static sail::Result<Database> open(const std::string& file);

  // Executes one or more statements without parameters; ignores result rows.
  sail::Result<void> run(const char* sql);
  sail::Result<Statement> prepare(std::string_view sql);
  // Executes one statement that returns no rows.
  template <typename... Values>
  sail::Result<void> change(std::string_view sql, const Values&... values) {
    auto statement = prepare(sql);
    if (!statement) return std::move(statement.error());
    return statement->run(values...);
  }
  // Returns what read(statement) makes of each row.
  template <typename Read, typename... Values>
  auto rows(std::string_view sql, const Read& read, const Values&... values)
      -> sail::Result<std::vector<decltype(read(std::declval<const Statement&>()))>> {
    auto statement = prepare(sql);
    if (!statement) return std::move(statement.error());
    statement->bind(values...);
    std::vector<decltype(read(*statement))> found;
    for (;;) {
      auto row = statement->next();
      if (!row) return std::move(row.error());
      if (!*row) return found;
      found.push_back(read(std::as_const(*statement)));
    }
  }
  // Reads the first row; an empty optional: there is none.
  template <typename Read, typename... Values>
  auto first(std::string_view sql, const Read& read, const Values&... values)
      -> sail::Result<std::optional<decltype(read(std::declval<const Statement&>()))>> {
    auto found = rows(sql, read, values...);
    if (!found) return std::move(found.error());
    if (found->empty()) return std::optional<decltype(read(std::declval<const Statement&>()))>();
    return std::optional(std::move(found->front()));
  }

 private:
  explicit Database(sqlite3* database) : database_(database) {}

  std::unique_ptr<sqlite3, CloseSqlite> database_;
};

}  // namespace server
