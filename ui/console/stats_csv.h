// Writes statistics to a CSV file (RFC 4180): a row for each stream and receiver, or for each
// clock.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/core/text/json.h"

namespace ui {

// Quotes a text if CSV requires it. Texts that spreadsheets would take for formulas get an
// apostrophe, because titles and names come from other people.
std::string csv_cell(std::string_view text);
// Column names with their units, and a newline.
std::string csv_heading();
// Rows for an answer of the verb "stats" that arrived at this time. A stream without links has one
// row, with empty link columns.
std::vector<std::string> csv_rows(const sail::Json& stats, int64_t unix_time_ms);
// The same for an answer of the verb "clocks", with a row for each peer.
std::string clock_csv_heading();
std::vector<std::string> clock_csv_rows(const sail::Json& clocks, int64_t unix_time_ms);

// Appends rows to a file. Each row is one write, so the file can be read while it grows. open()
// ends a last line that a crash cut off.
class StatsCsv {
 public:
  // A new or empty file gets the heading. kInvalidParams: the file has another heading.
  static sail::Result<StatsCsv> open(const std::string& path, const std::string& heading);
  StatsCsv(StatsCsv&& other) noexcept;
  StatsCsv& operator=(StatsCsv&&) = delete;
  ~StatsCsv();

  sail::Result<void> add(const std::vector<std::string>& rows);

 private:
  StatsCsv(std::string path, int file) : path_(std::move(path)), file_(file) {}
  sail::Result<void> begin(const std::string& heading);
  sail::Result<void> write(std::string_view text) const;

  std::string path_;
  int file_;  // -1: moved from
};

}  // namespace ui
