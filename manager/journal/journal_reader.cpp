#include "manager/journal/journal_reader.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "sail/core/auth/proof.h"
#include "sail/core/base/private_file.h"

namespace manager {
namespace {

using sail::Json;

constexpr size_t kMostFileBytes = 64 << 20;
constexpr size_t kMostEntryBytes = 64 << 10;
constexpr size_t kMostReadBytes = 256 << 20;  // read for a page, so that its time is bounded
constexpr size_t kMostBroken = 100;
constexpr size_t kMostNamedWindows = 1024;
constexpr size_t kBlockBytes = 64 << 10;
constexpr double kDayS = 86'400;

std::string text_in(const Json& entry, const char* name) {
  const auto found = entry.find(name);
  return found != entry.end() && found->is_string() ? found->get<std::string>() : "";
}

bool names_window(const Json& entry, uint32_t window) {
  const auto params = entry.find("params");
  if (params == entry.end()) return false;
  // If the parameters are shortened to text, the entry has the windows.
  const std::vector<uint32_t> windows = named_windows(params->is_object() ? *params : entry);
  return std::ranges::find(windows, window) != windows.end();
}

bool matches(const Json& entry, const JournalQuery& query) {
  const bool person = query.person.empty() || text_in(entry, "who") == query.person ||
                      text_in(entry, "key") == query.person;
  return person && (query.verb.empty() || text_in(entry, "verb") == query.verb) &&
         (query.window == 0 || names_window(entry, query.window));
}

// The fields that every entry has, as the writer writes them: with sorted names.
struct Link {
  double at = 0;
  uint64_t number = 0;
  std::string_view prev;  // hash of the line before
};

template <typename Number>
bool read_number(std::string_view text, Number& number) {
  return std::from_chars(text.data(), text.data() + text.size(), number).ec == std::errc();
}

// Reads them without parsing the line, because a month has half a million lines. "n" comes before
// all nested objects and "prev" after them, so neither can be a parameter of a verb.
std::optional<Link> link_of(std::string_view line) {
  constexpr std::string_view kAt = "{\"at\":", kNumber = "\"n\":", kPrev = "\"prev\":\"";
  const size_t number_at = line.find(kNumber);
  const size_t prev_at = line.rfind(kPrev);
  if (!line.starts_with(kAt) || number_at == line.npos || prev_at == line.npos) return std::nullopt;
  Link link;
  const std::string_view rest = line.substr(prev_at + kPrev.size());
  link.prev = rest.substr(0, rest.find('"'));
  const bool read = read_number(line.substr(kAt.size()), link.at) &&
                    read_number(line.substr(number_at + kNumber.size()), link.number);
  return read ? std::optional(link) : std::nullopt;
}

// Returns the hash of the line before, as stored in this line; empty: unreadable.
std::optional<std::string> hash_before(std::string_view line) {
  const auto link = link_of(line);
  return link ? std::optional<std::string>(link->prev) : std::nullopt;
}

std::string_view first_line(std::string_view text) {
  return text.substr(0, text.find('\n'));
}

// Much faster here than std::count.
uint64_t count_newlines(std::string_view text) {
  uint64_t count = 0;
  for (size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 1)) ++count;
  return count;
}

size_t find_text(std::string_view text, std::string_view wanted) {
  const void* found = memmem(text.data(), text.size(), wanted.data(), wanted.size());
  if (found == nullptr) return text.npos;
  return static_cast<size_t>(static_cast<const char*>(found) - text.data());
}

void note_broken(std::vector<uint64_t>& broken, uint64_t number) {
  if (broken.size() < kMostBroken) broken.push_back(number);
}

// Reads files backwards, from the newest one, in blocks of whole lines.
class BackwardReader {
 public:
  explicit BackwardReader(const JournalQuery& query) : query_(query) {
    const auto quoted = [](const std::string& text) {
      return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
    };
    if (!query.person.empty()) texts_.push_back(quoted(query.person));
    if (!query.verb.empty()) texts_.push_back("\"verb\":" + quoted(query.verb));
    if (query.window != 0) texts_.push_back(std::to_string(query.window));
  }

  // Returns false once the page is complete.
  bool read_file(std::string_view text, uint64_t first) {
    if (text.ends_with('\n')) text.remove_suffix(1);
    file_ = text;
    first_ = first;
    uint64_t last = first + count_newlines(text);  // number of the block's last line
    for (size_t end = text.size();;) {
      size_t begin = end - std::min(end, kBlockBytes);
      if (begin > 0) begin = text.substr(0, begin).rfind('\n') + 1;  // npos + 1 is 0
      const std::string_view block = text.substr(begin, end - begin);
      const uint64_t number = last - count_newlines(block);
      if (number < query_.before && !read_block(block, number)) return false;
      if (begin == 0) break;
      end = begin - 1;
      last = number - 1;
    }
    after_file_ = hash_before(first_line(text));
    return true;
  }
  void note_unreadable(uint64_t first) { note_broken(page_.broken, first); }
  JournalPage take() { return std::move(page_); }

 private:
  struct Line {
    std::string_view text;
    uint64_t number;
  };

  // first: the number of the block's first line.
  bool read_block(std::string_view block, uint64_t first) {
    const auto link = link_of(block.substr(block.rfind('\n') + 1));
    // Continues for a day before `since`, because a clock may have been wrong for a while.
    if (link && link->at < query_.since - kDayS) return false;
    const std::vector<Line> lines = candidates(block, first);
    for (size_t i = lines.size(); i-- > 0;) {
      if (!read_line(lines[i])) return false;
    }
    read_ += block.size();
    if (read_ > kMostReadBytes && first > 1) page_.next = first;
    return page_.next == 0;
  }

  // Returns the block's lines that may match: those with the first text, if the block has all
  // texts.
  std::vector<Line> candidates(std::string_view block, uint64_t number) const {
    std::vector<Line> lines;
    for (const std::string& text : texts_) {
      if (find_text(block, text) == block.npos) return lines;
    }
    while (true) {
      const size_t found = texts_.empty() ? 0 : find_text(block, texts_.front());
      if (found == block.npos) return lines;
      const size_t begin = block.substr(0, found).rfind('\n') + 1;  // npos + 1 is 0
      number += count_newlines(block.substr(0, begin));
      const std::string_view line = first_line(block.substr(begin));
      lines.push_back({line, number++});
      if (begin + line.size() == block.size()) return lines;
      block.remove_prefix(begin + line.size() + 1);
    }
  }

  bool read_line(const Line& line) {
    if (line.number >= query_.before) return true;
    const auto link = link_of(line.text);
    if (link && link->at < query_.since) return true;
    if (link && !may_match(line.text)) return true;
    auto entry = link ? sail::parse_json(line.text, kMostEntryBytes) : Json();
    const bool readable = entry && entry->is_object();
    if (readable && !matches(*entry, query_)) return true;
    if (!readable || !is_in_chain(line.text, link->number)) {
      note_broken(page_.broken, link ? link->number : line.number);
    }
    if (readable) page_.entries.push_back(*std::move(entry));
    const bool full = page_.entries.size() >= query_.count;
    if (full && line.number > 1) page_.next = line.number;
    return !full;
  }

  bool may_match(std::string_view line) const {
    return std::ranges::all_of(
        texts_, [line](const std::string& text) { return line.find(text) != line.npos; });
  }

  // Whether the next line has this line's hash. A file's first line has the file's number.
  bool is_in_chain(std::string_view line, uint64_t number) const {
    if (line.data() == file_.data() && number != first_) return false;
    const auto end = static_cast<size_t>(line.data() + line.size() - file_.data());
    const auto wanted =
        end == file_.size() ? after_file_ : hash_before(first_line(file_.substr(end + 1)));
    return !wanted || *wanted == sail::sha256_text(line);
  }

  const JournalQuery& query_;
  std::vector<std::string> texts_;  // Lines without these texts do not match.
  JournalPage page_;
  std::string_view file_;                  // without the last newline
  uint64_t first_ = 0;                     // number of the file's first entry
  std::optional<std::string> after_file_;  // hash of its last line; empty: unknown
  size_t read_ = 0;
};

// Checks the lines of a file with numbers below `before`. after: the hash of its last line, if
// known; becomes that of the last line of the file before.
void check_file(std::string_view text, uint64_t number, uint64_t before,
                std::optional<std::string>& after, JournalCheck& check) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  const auto of_file_before = hash_before(first_line(text));
  while (number < before) {
    const std::string_view line = first_line(text);
    const bool last = line.size() == text.size();
    if (!last) text.remove_prefix(line.size() + 1);
    const auto wanted = last ? after : hash_before(first_line(text));
    const auto link = link_of(line);
    const bool whole = wanted ? *wanted == sail::sha256_text(line)
                              : sail::parse_json(line, kMostEntryBytes).has_value();
    const bool in_order = link && link->number == number;
    if (link) number = link->number;
    if (!in_order || !whole) note_broken(check.broken, number);
    ++check.checked;
    ++number;
    if (last) break;
  }
  after = of_file_before;
}

}  // namespace

std::vector<uint32_t> named_windows(const Json& params) {
  std::vector<uint32_t> windows;
  if (!params.is_object()) return windows;
  const auto note = [&windows](const Json& number) {
    if (!number.is_number_integer() || windows.size() == kMostNamedWindows) return;
    const auto window = number.get<int64_t>();
    if (window >= 0 && window <= UINT32_MAX) windows.push_back(static_cast<uint32_t>(window));
  };
  for (const char* name : {"window", "other"}) note(params.value(name, Json()));
  const auto list = params.find("windows");
  if (list == params.end() || !list->is_array()) return windows;
  for (const Json& one : *list) note(one.is_object() ? one.value("window", Json()) : one);
  return windows;
}

JournalPage read_journal(const std::filesystem::path& folder, const JournalQuery& query) {
  BackwardReader reader(query);
  const std::vector<JournalFile> files = journal_files(folder);
  for (size_t i = files.size(); i-- > 0;) {
    if (files[i].first > query.before) continue;
    const auto text = sail::read_file(files[i].path, kMostFileBytes);
    if (!text) {
      reader.note_unreadable(files[i].first);
    } else if (!reader.read_file(*text, files[i].first)) {
      break;
    }
  }
  return reader.take();
}

JournalCheck check_journal(const std::filesystem::path& folder, uint64_t before,
                           const JournalEnd& end) {
  JournalCheck check;
  std::optional<std::string> after;
  if (before >= end.next && !end.hash.empty()) after = end.hash;
  before = std::min(before, end.next);
  size_t read = 0;
  const std::vector<JournalFile> files = journal_files(folder);
  if (files.empty() && after) note_broken(check.broken, end.next - 1);
  for (size_t i = files.size(); i-- > 0;) {
    if (files[i].first > before) continue;
    const auto text = sail::read_file(files[i].path, kMostFileBytes);
    if (!text) {
      note_broken(check.broken, files[i].first);
      after.reset();
      continue;
    }
    check_file(*text, files[i].first, before, after, check);
    read += text->size();
    if (read > kMostReadBytes && i > 0) {
      check.next = files[i].first;
      break;
    }
  }
  return check;
}

}  // namespace manager
