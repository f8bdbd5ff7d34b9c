#include "ui/console/stats_csv.h"

#include <errno.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <type_traits>
#include <utility>

#include "sail/core/wire/stats.h"
#include "ui/client/answers.h"

namespace ui {
namespace {

using sail::ErrorCode;
using sail::Json;

// Column names: the numeric fields of a message, in the order of their declaration.
template <typename Message>
std::vector<std::string> numbers_of(const Message& message) {
  std::vector<std::string> names;
  const auto add = [&]<typename T>(const char* name, const auto&, const T&) {
    if constexpr (std::is_arithmetic_v<T>) names.emplace_back(name);
  };
  fields(add, message);
  return names;
}

struct Columns {
  std::vector<std::string> of_stream = numbers_of(sail::StreamStats());
  std::vector<std::string> drops = numbers_of(sail::DropCounts());
  std::vector<std::string> of_link =
      numbers_of(sail::LinkStats{.transport = sail::Transport::kUdp});
};

const Columns& columns() {
  static const Columns kColumns = [] {
    Columns all;
    // These are leading columns, or are reported by each link.
    for (const char* elsewhere : {"stream", "delay_ms", "bytes_sent", "mbit_per_s"}) {
      std::erase(all.of_stream, elsewhere);
    }
    return all;
  }();
  return kColumns;
}

std::vector<std::string> clock_columns() {
  std::vector<std::string> names = numbers_of(sail::ClockStats());
  std::erase(names, "synchronised");  // a leading column
  return names;
}

constexpr const char* kBursts[] = {"bursts_1",    "bursts_2",     "bursts_3_4",   "bursts_5_8",
                                   "bursts_9_16", "bursts_17_32", "bursts_33_64", "bursts_more"};

// Returns the number as text; empty for other types.
std::string number_cell(const Json& object, const std::string& name) {
  const auto it = object.find(name);
  return it != object.end() && it->is_number() ? it->dump() : "";
}

std::string time_cell(int64_t unix_time_ms) {
  return fmt::format("{}.{:03}", unix_time_ms / 1000, unix_time_ms % 1000);
}

std::string row(const Json& window, const Json& link, int64_t unix_time_ms) {
  const Json stats = member(window, "stats");
  const Json dropped = member(stats, "dropped");
  const Json bursts = member(link, "bursts");
  std::string text =
      fmt::format("{},{},{},{},{},{}", time_cell(unix_time_ms), number_cell(window, "window"),
                  csv_cell(text_member(window, "title")), csv_cell(text_member(link, "receiver")),
                  csv_cell(text_member(window, "transport")), number_cell(stats, "delay_ms"));
  for (const std::string& name : columns().of_stream) text += "," + number_cell(stats, name);
  for (const std::string& name : columns().drops) text += "," + number_cell(dropped, name);
  for (const std::string& name : columns().of_link) text += "," + number_cell(link, name);
  for (size_t i = 0; i < std::size(kBursts); ++i) {
    text += "," + (bursts.is_array() && i < bursts.size() ? bursts[i].dump() : "");
  }
  return text + "\n";
}

sail::Error io_error(const char* what, const std::string& path) {
  return sail::fail(ErrorCode::kIo, fmt::format("cannot {} {}: {}", what, path, strerror(errno)));
}

}  // namespace

std::string csv_cell(std::string_view text) {
  constexpr std::string_view kBeginFormulas = "=+-@\t\r";
  const bool is_formula = !text.empty() && kBeginFormulas.find(text.front()) != text.npos;
  std::string cell = (is_formula ? "'" : "") + std::string(text);
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

std::string csv_heading() {
  std::string text = "unix_time_s,window,title,receiver,transport,frame_delay_ms";
  for (const std::string& name : columns().of_stream) text += fmt::format(",{}", name);
  for (const std::string& name : columns().drops) text += fmt::format(",dropped_{}", name);
  for (const std::string& name : columns().of_link) text += fmt::format(",link_{}", name);
  for (const char* name : kBursts) text += fmt::format(",link_{}", name);
  return text + "\n";
}

std::vector<std::string> csv_rows(const Json& stats, int64_t unix_time_ms) {
  std::vector<std::string> rows;
  for (const Json& window : member(stats, "windows")) {
    const Json links = member(member(window, "stats"), "links");
    if (links.empty()) rows.push_back(row(window, Json::object(), unix_time_ms));
    for (const Json& link : links) rows.push_back(row(window, link, unix_time_ms));
  }
  return rows;
}

std::string clock_csv_heading() {
  std::string text = "unix_time_s,peer,name,role,source,synchronised";
  for (const std::string& name : clock_columns()) text += fmt::format(",{}", name);
  return text + "\n";
}

std::vector<std::string> clock_csv_rows(const Json& clocks, int64_t unix_time_ms) {
  std::vector<std::string> rows;
  for (const Json& peer : member(clocks, "peers")) {
    std::string text = fmt::format(
        "{},{},{},{},{},{}", time_cell(unix_time_ms), number_cell(peer, "peer"),
        csv_cell(text_member(peer, "name")), csv_cell(text_member(peer, "role")),
        csv_cell(text_member(peer, "source")), true_member(peer, "synchronised") ? 1 : 0);
    for (const std::string& name : clock_columns()) text += "," + number_cell(peer, name);
    rows.push_back(text + "\n");
  }
  return rows;
}

sail::Result<StatsCsv> StatsCsv::open(const std::string& path, const std::string& heading) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) return io_error("write", path);
  StatsCsv csv(path, file);
  if (auto begun = csv.begin(heading); !begun) return begun.error();
  return csv;
}

StatsCsv::StatsCsv(StatsCsv&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)) {}

StatsCsv::~StatsCsv() {
  if (file_ >= 0) ::close(file_);
}

sail::Result<void> StatsCsv::begin(const std::string& heading) {
  struct stat status {};
  if (fstat(file_, &status) != 0) return io_error("read", path_);
  if (status.st_size == 0) return write(heading);
  std::string there(heading.size(), '\0');
  if (pread(file_, there.data(), there.size(), 0) < 0) return io_error("read", path_);
  if (there != heading) {
    return sail::fail(
        ErrorCode::kInvalidParams,
        fmt::format("{} has other columns than these statistics: choose another file", path_));
  }
  char last = '\n';
  if (pread(file_, &last, 1, status.st_size - 1) < 0) return io_error("read", path_);
  return last == '\n' ? sail::Result<void>() : write("\n");
}

sail::Result<void> StatsCsv::add(const std::vector<std::string>& rows) {
  for (const std::string& text : rows) {
    if (auto written = write(text); !written) return written;
  }
  return {};
}

sail::Result<void> StatsCsv::write(std::string_view text) const {
  const ssize_t written = ::write(file_, text.data(), text.size());
  if (written == static_cast<ssize_t>(text.size())) return {};
  if (written >= 0) errno = ENOSPC;
  return io_error("write", path_);
}

}  // namespace ui
