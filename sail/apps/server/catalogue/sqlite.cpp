#include "sail/apps/server/catalogue/sqlite.h"

#include <fmt/core.h>
#include <sqlite3.h>

#include <utility>

namespace server {
namespace {

sail::Error error_of(sqlite3* database, int status) {
  const std::string words = fmt::format("the catalogue: {}", sqlite3_errmsg(database));
  switch (status & 0xff) {  // the low byte is the primary code
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_FORMAT:
      return sail::fail(sail::ErrorCode::kBadData, words);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return sail::fail(sail::ErrorCode::kConflict, words);
    default:
      return sail::fail(sail::ErrorCode::kIo, words);
  }
}

}  // namespace

void CloseSqlite::operator()(sqlite3* database) const {
  sqlite3_close_v2(database);
}

void CloseSqlite::operator()(sqlite3_stmt* statement) const {
  sqlite3_finalize(statement);
}

// --- statements ----------------------------------------------------------------------------------

sail::Result<bool> Statement::next() {
  const int status = sqlite3_step(statement_.get());
  if (status == SQLITE_ROW) return true;
  if (status == SQLITE_DONE) return false;
  return error_of(database_, status);
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
}

void Statement::bind_at(int place, int64_t value) {
  sqlite3_bind_int64(statement_.get(), place, value);
}

void Statement::bind_at(int place, double value) {
  sqlite3_bind_double(statement_.get(), place, value);
}

void Statement::bind_at(int place, std::string_view value) {
  sqlite3_bind_text64(statement_.get(), place, value.data(), value.size(), SQLITE_TRANSIENT,
                      SQLITE_UTF8);
}

int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

double Statement::real(int column) const {
  return sqlite3_column_double(statement_.get(), column);
}

std::string Statement::text(int column) const {
  const auto* bytes =
      static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));  // UTF-8, as stored
  const int count = sqlite3_column_bytes(statement_.get(), column);
  return bytes == nullptr ? std::string() : std::string(bytes, static_cast<size_t>(count));
}

// --- database file -------------------------------------------------------------------------------

sail::Result<Database> Database::open(const std::string& file) {
  sqlite3* handle = nullptr;
  const int status =
      sqlite3_open_v2(file.c_str(), &handle,
                      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database(handle);  // SQLite returns a handle to close even on failure
  if (status != SQLITE_OK) return error_of(handle, status);
  return database;
}

sail::Result<void> Database::run(const char* sql) {
  const int status = sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr);
  if (status != SQLITE_OK) return error_of(database_.get(), status);
  return {};
}

sail::Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int status = sqlite3_prepare_v2(database_.get(), sql.data(), static_cast<int>(sql.size()),
                                        &statement, nullptr);
  if (status != SQLITE_OK) return error_of(database_.get(), status);
  return Statement(*database_, statement);
}

}  // namespace server
