// A database file of SQLite: the only includer of sqlite3.h is sqlite.cpp. One thread.
//
// kBadData: the file is damaged, or no database. kConflict: another program has it. kIo: all else.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "sail/base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace server {

struct CloseSqlite {
  void operator()(sqlite3* database) const;
  void operator()(sqlite3_stmt* statement) const;
};

// A statement of SQL that may be carried out again and again. Its database outlives it.
class Statement {
 public:
  // The values of its parameters, from the first; from now on it begins anew.
  template <typename... Values>
  void bind(const Values&... values) {
    reset();
    [[maybe_unused]] int place = 0;
    (bind_at(++place, values), ...);
  }
  // False: there is no row any more.
  sail::Result<bool> next();
  // For what gives no rows.
  template <typename... Values>
  sail::Result<void> run(const Values&... values) {
    bind(values...);
    auto done = next();
    if (!done) return std::move(done.error());
    return {};
  }

  // Of the row, columns from 0. What is NULL is 0 and "".
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
  // Made when it is not there; ":memory:" is kept nowhere.
  static sail::Result<Database> open(const std::string& file);

  // One or more statements without parameters, and without rows that anybody wants.
  sail::Result<void> run(const char* sql);
  sail::Result<Statement> prepare(std::string_view sql);

 private:
  explicit Database(sqlite3* database) : database_(database) {}

  std::unique_ptr<sqlite3, CloseSqlite> database_;
};

}  // namespace server
