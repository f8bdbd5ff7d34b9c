#include "manager/files/node_logs.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "manager/files/saved_files.h"
#include "sail/core/base/private_file.h"
#include "sail/core/text/encodings.h"
#include "sail/core/text/text.h"

namespace manager {
namespace {

constexpr int64_t kCutEveryMs = 2000;
constexpr size_t kLastErrorBytes = 4096;
constexpr const char* kLogSuffix = ".log";

uint64_t size_of(const std::filesystem::path& file) {
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  return error ? 0 : size;
}

std::string read_part(const std::filesystem::path& file, uint64_t from, size_t most_bytes) {
  std::ifstream in(file, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(from));
  std::string text(most_bytes, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  return text;
}

std::string plain_lines(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    lines += sail::make_plain_text(line, line.size()) + '\n';
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return lines;
}

// Keeps the last bytes; returns how many it took away. Output written in between is lost: writers
// do not wait.
uint64_t cut_file(const std::filesystem::path& file, uint64_t size) {
  constexpr size_t kKept = NodeLogs::kKeptBytes;
  const std::string kept = read_part(file, size - kKept, kKept);
  const int log = open(file.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (log < 0) return 0;
  const bool cut =
      ftruncate(log, 0) == 0 && write(log, kept.data(), kept.size()) == std::ssize(kept);
  close(log);
  return cut ? size - kept.size() : 0;
}

}  // namespace

NodeLogs::NodeLogs(sail::Loop& loop, std::filesystem::path folder)
    : folder_(std::move(folder)), cut_timer_(loop) {
  if (!folder_.empty()) cut_timer_.start(kCutEveryMs, kCutEveryMs, [this] { cut(); });
}

std::filesystem::path NodeLogs::path(const std::string& node) const {
  return folder_ / (file_name_for(node) + kLogSuffix);
}

uint64_t NodeLogs::cut_bytes(const std::string& node) const {
  const auto file = files_.find(node);
  return file == files_.end() ? 0 : file->second.cut_bytes;
}

int NodeLogs::begin(const std::string& node) {
  if (folder_.empty() || !sail::make_private_folder(folder_)) return -1;
  constexpr mode_t kOwnerOnly = S_IRUSR | S_IWUSR;
  const int file = open(path(node).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, kOwnerOnly);
  if (file < 0) return -1;
  File& known = files_[node];
  known.run_begin = known.cut_bytes + size_of(path(node));
  return file;
}

std::string NodeLogs::end_of_run(const std::string& node) const {
  const auto file = files_.find(node);
  if (file == files_.end()) return {};
  const uint64_t size = size_of(path(node));
  const uint64_t begin =
      file->second.run_begin - std::min(file->second.run_begin, file->second.cut_bytes);
  if (size <= begin) return {};
  const uint64_t from = std::max(begin, size - std::min<uint64_t>(size, kLastErrorBytes));
  return read_part(path(node), from, kLastErrorBytes);
}

sail::Result<NodeLogs::Part> NodeLogs::read(const std::string& node, uint64_t from) const {
  // Also finds logs of programs that an earlier manager started and that still run.
  std::error_code error;
  if (folder_.empty() || !std::filesystem::exists(path(node), error)) {
    return sail::fail(sail::ErrorCode::kNotFound,
                      fmt::format("there is no log of '{}': no manager started it", node));
  }
  const uint64_t cut = cut_bytes(node);
  const uint64_t end = cut + size_of(path(node));
  from = std::clamp(from, cut, end);
  std::string text = read_part(path(node), from - cut, kMostReplyBytes);
  // An incomplete last line comes with the next part, unless it fills a whole part.
  const size_t lines_end = text.rfind('\n');
  if (lines_end != std::string::npos) {
    text.resize(lines_end + 1);
  } else if (text.size() < kMostReplyBytes) {
    text.clear();
  }
  return Part{.text = plain_lines(text), .next = from + text.size()};
}

sail::Result<NodeLogs::Part> NodeLogs::read_end(const std::string& node, size_t last) const {
  const uint64_t end = cut_bytes(node) + size_of(path(node));
  if (end <= last) return read(node, 0);
  auto part = read(node, end - last);
  // The part begins within a line.
  if (part) part->text.erase(0, part->text.find('\n') + 1);
  return part;
}

void NodeLogs::cut() {
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder_, error), end; !error && it != end;
       it.increment(error)) {
    if (it->path().extension() != kLogSuffix) continue;
    const auto node = sail::percent_decoded(it->path().stem().string());
    const uint64_t size = size_of(it->path());
    if (node && size > kMostBytes) files_[*node].cut_bytes += cut_file(it->path(), size);
  }
}

}  // namespace manager
