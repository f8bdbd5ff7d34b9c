// Figures in a file, to be drawn and searched later: CSV as RFC 4180 has it, a row for each stream
// and receiver, or for each clock.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sail/base/result.h"
#include "sail/wire/json.h"

namespace ui {

// Names of the columns, with their units, and a newline.
std::string csv_heading();
// Rows for an answer of the verb "stats" that came at that time. A stream without links has one,
// with empty columns where the link's would be.
std::vector<std::string> csv_rows(const sail::Json& stats, int64_t unix_time_ms);
// The same of the verb "clocks": a row for each peer.
std::string clock_csv_heading();
std::vector<std::string> clock_csv_rows(const sail::Json& clocks, int64_t unix_time_ms);

// Appends to a file. Each row is written whole and at once, so that what is there can be read while
// more comes; a last line that was cut off by a crash is ended first.
class StatsCsv {
 public:
  // A new or empty file gets the heading. kInvalidParams: it has another heading.
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
  int file_;  // -1: moved away
};

}  // namespace ui
