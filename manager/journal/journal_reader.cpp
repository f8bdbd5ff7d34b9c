#include "manager/journal/journal_reader.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "manager/journal/journal_writer.h"
#include "sail/core/auth/proof.h"
#include "sail/core/base/private_file.h"

namespace manager {
namespace {

using sail::Json;

constexpr size_t kMostFileBytes = 64 << 20;
constexpr size_t kMostEntryBytes = 64 << 10;
constexpr size_t kMostReadBytes = 32 << 20;  // of a page, so that it takes a bounded time
constexpr size_t kMostBroken = 100;

std::string text_in(const Json& entry, const char* name) {
  const auto found = entry.find(name);
  return found != entry.end() && found->is_string() ? found->get<std::string>() : "";
}

double number_in(const Json& entry, const char* name) {
  const auto found = entry.find(name);
  return found != entry.end() && found->is_number() ? found->get<double>() : 0;
}

bool names_window(const Json& entry, uint32_t window) {
  const auto params = entry.find("params");
  if (params == entry.end() || !params->is_object()) return false;
  if (number_in(*params, "window") == window || number_in(*params, "other") == window) return true;
  const auto list = params->find("windows");
  if (list == params->end() || !list->is_array()) return false;
  return std::ranges::any_of(*list, [window](const Json& one) {
    return one.is_object() ? number_in(one, "window") == window : one == Json(window);
  });
}

bool matches(const Json& entry, const JournalQuery& query) {
  const bool person = query.person.empty() || text_in(entry, "who") == query.person ||
                      text_in(entry, "key") == query.person;
  return person && (query.verb.empty() || text_in(entry, "verb") == query.verb) &&
         (query.window == 0 || names_window(entry, query.window));
}

// Goes through the lines from the last one back.
class BackwardReader {
 public:
  explicit BackwardReader(const JournalQuery& query) : query_(query) {}

  // Returns false once the page is complete.
  bool read_file(std::string_view text, uint64_t first) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
      const size_t end = std::min(text.find('\n'), text.size());
      lines.push_back(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    for (size_t i = lines.size(); i-- > 0;) {
      if (!read_line(lines[i], first + i)) return false;
    }
    return true;
  }
  JournalPage take() { return std::move(page_); }

 private:
  bool read_line(std::string_view line, uint64_t number) {
    const auto entry = sail::parse_json(line, kMostEntryBytes);
    const bool is_entry = entry && entry->is_object();
    const std::string hash = sail::sha256_text(line);
    const auto wanted = std::exchange(
        wanted_hash_, is_entry ? std::optional(text_in(*entry, "prev")) : std::nullopt);
    if (number >= query_.before) return true;
    if (page_.newest == 0) page_.newest = number;
    page_.oldest = number;
    const bool is_broken = !is_entry || (wanted && *wanted != hash) ||
                           number_in(*entry, "n") != static_cast<double>(number);
    if (is_broken && page_.broken.size() < kMostBroken) page_.broken.push_back(number);
    if (is_entry && number_in(*entry, "at") < query_.since) return false;
    if (is_entry && matches(*entry, query_)) page_.entries.push_back(*entry);
    read_ += line.size();
    const bool full = page_.entries.size() >= query_.count || read_ > kMostReadBytes;
    if (full && number > 1) page_.next = number;
    return !full;
  }

  const JournalQuery& query_;
  JournalPage page_;
  std::optional<std::string> wanted_hash_;  // of the line before; empty: unknown
  size_t read_ = 0;
};

}  // namespace

JournalPage read_journal(const std::filesystem::path& folder, const JournalQuery& query) {
  BackwardReader reader(query);
  const std::vector<JournalFile> files = journal_files(folder);
  for (size_t i = files.size(); i-- > 0;) {
    if (files[i].first > query.before) continue;
    const auto text = sail::read_file(files[i].path, kMostFileBytes);
    if (!text || !reader.read_file(*text, files[i].first)) break;
  }
  return reader.take();
}

}  // namespace manager
