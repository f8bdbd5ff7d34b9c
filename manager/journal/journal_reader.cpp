#include "manager/journal/journal_reader.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "sail/core/auth/proof.h"

namespace manager {
namespace {

using sail::Json;

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

bool concerns_window(const Json& entry, uint32_t window) {
  const auto changed = entry.find("changed");
  if (changed != entry.end() && changed->is_object()) {
    if (changed->contains(std::to_string(window))) return true;
    const Json many = changed->value("windows", Json());
    if (std::ranges::find(many, Json(window)) != many.end()) return true;
  }
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
         (query.window == 0 || concerns_window(entry, query.window));
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

void note_broken(std::vector<uint64_t>& broken, uint64_t number) {
  if (broken.size() < kMostBroken) broken.push_back(number);
}

// The oldest files are removed, also after they were listed. If any other file is missing, the hash
// in the file behind it tells.
bool is_broken(const sail::Error& unreadable) {
  return unreadable.code != sail::ErrorCode::kNotFound;
}

// Reads files backwards, from the newest one, in blocks of whole lines.
class BackwardReader {
 public:
  explicit BackwardReader(const JournalQuery& query)
      : query_(query), wanted_(query.person, query.verb, query.window) {}

  // Return false once the page is complete. index: gets the file's index if the whole file was read
  // for names or a window; null: it is not wanted.
  bool read_file(std::string_view text, uint64_t first, std::optional<JournalFileIndex>* index);
  bool read_indexed(const JournalFile& file, const JournalFileIndex& index);
  // first: number of the first entry that cannot be read.
  void note_unreadable(const sail::Error& error, uint64_t first) {
    if (!is_broken(error)) return;
    note_broken(page_.broken, first);
    after_file_.reset();
  }
  JournalPage take() { return std::move(page_); }

 private:
  struct Line {
    std::string_view text;
    uint64_t number;
  };

  // Ends the search before entries that are much too old: a clock that was wrong for a while does
  // not end it.
  bool is_over(std::optional<double> at) const { return at && *at < query_.since - kDayS; }
  bool read_block(std::string_view text, JournalBlock& block);
  std::vector<Line> candidates(std::string_view text, JournalBlock& block) const;
  bool read_line(const Line& line);
  bool is_in_chain(std::string_view line, uint64_t number) const;

  const JournalQuery& query_;
  const WantedTerms wanted_;
  JournalPage page_;
  std::string_view part_;  // of the file that is read, without the last newline
  uint64_t first_ = 0;     // number of the file's first entry; 0: the part begins later
  std::optional<std::string> after_file_;  // hash of its last line; empty: unknown
};

bool BackwardReader::read_file(std::string_view text, uint64_t first,
                               std::optional<JournalFileIndex>* index) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  part_ = text;
  first_ = first;
  JournalFileIndex read;
  bool whole = index != nullptr && !wanted_.empty();
  uint64_t last = first + count_newlines(text);  // number of the block's last line
  for (size_t end = text.size();;) {
    size_t begin = end - std::min(end, kBlockBytes);
    if (begin > 0) begin = text.substr(0, begin).rfind('\n') + 1;  // npos + 1 is 0
    const std::string_view lines = text.substr(begin, end - begin);
    JournalBlock block{begin, lines.size(), last - count_newlines(lines)};
    whole = whole && block.number < query_.before;
    if (block.number < query_.before && !read_block(lines, block)) return false;
    if (whole) read.blocks.push_back(block);
    if (begin == 0) break;
    end = begin - 1;
    last = block.number - 1;
  }
  read.before = after_file_ = hash_before(first_line(text));
  if (whole) *index = std::move(read);
  return true;
}

bool BackwardReader::read_indexed(const JournalFile& file, const JournalFileIndex& index) {
  sail::Result<std::string> text("");
  for (size_t i = 0; i < index.blocks.size(); ++i) {
    JournalBlock block = index.blocks[i];
    if (block.number >= query_.before) continue;
    if (is_over(block.at)) return false;
    if (!wanted_.may_be_in(block.terms)) continue;
    // With the next block, whose first line has the hash of the last line.
    const JournalBlock& behind = index.blocks[i == 0 ? 0 : i - 1];
    const size_t size = behind.begin + behind.size - block.begin;
    text = read_journal_part(file, block.begin, size);
    if (text && text->size() < size) {
      text = sail::fail(sail::ErrorCode::kBadData, "the file has changed");
    }
    if (!text) {
      note_unreadable(text.error(), block.number);
      continue;
    }
    part_ = *text;
    first_ = block.begin == 0 ? file.first : 0;
    if (!read_block(part_.substr(0, block.size), block)) return false;
  }
  after_file_ = index.before;
  return true;
}

// Completes the block's time and terms.
bool BackwardReader::read_block(std::string_view text, JournalBlock& block) {
  if (const auto link = link_of(text.substr(text.rfind('\n') + 1))) block.at = link->at;
  if (is_over(block.at)) return false;
  const std::vector<Line> lines = candidates(text, block);
  for (size_t i = lines.size(); i-- > 0;) {
    if (!read_line(lines[i])) return false;
  }
  page_.read_bytes += text.size();
  if (page_.read_bytes > kMostReadBytes && block.number > 1) page_.next = block.number;
  return page_.next == 0;
}

// Returns the block's lines that may match.
std::vector<BackwardReader::Line> BackwardReader::candidates(std::string_view text,
                                                             JournalBlock& block) const {
  std::vector<Line> lines;
  for (uint64_t number = block.number;; ++number) {
    const std::string_view line = first_line(text);
    if (wanted_.empty() || wanted_.may_match(line, block.terms)) lines.push_back({line, number});
    if (line.size() == text.size()) return lines;
    text.remove_prefix(line.size() + 1);
  }
}

bool BackwardReader::read_line(const Line& line) {
  if (line.number >= query_.before) return true;
  const auto link = link_of(line.text);
  if (link && link->at < query_.since) return true;
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

// Whether the next line has this line's hash. A file's first line has the file's number.
bool BackwardReader::is_in_chain(std::string_view line, uint64_t number) const {
  if (line.data() == part_.data() && first_ != 0 && number != first_) return false;
  const auto end = static_cast<size_t>(line.data() + line.size() - part_.data());
  const auto wanted =
      end == part_.size() ? after_file_ : hash_before(first_line(part_.substr(end + 1)));
  return !wanted || *wanted == sail::sha256_text(line);
}

// Checks the lines of a file with numbers below `before`. after: the hash of its last line, if
// known; becomes that of the last line of the file before.
void check_file(std::string_view text, uint64_t number, uint64_t before,
                std::optional<std::string>& after, JournalCheck& check) {
  const bool is_whole = text.ends_with('\n');
  if (is_whole) text.remove_suffix(1);
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
    if (last) text = {};
    if (last) break;
  }
  // Behind the entries may be newer ones, the last of which may still be written, and nothing else.
  const std::string_view behind = first_line(text);
  const auto newer = link_of(behind);
  const bool is_written = is_whole || behind.size() < text.size();
  if (!text.empty() && is_written && (!newer || newer->number != number)) {
    note_broken(check.broken, number);
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
  for (const char* name : {"windows", "cells"}) {
    const auto list = params.find(name);
    if (list == params.end() || !list->is_array()) continue;
    for (const Json& one : *list) note(one.is_object() ? one.value("window", Json()) : one);
  }
  return windows;
}

JournalPage JournalReader::read(const JournalQuery& query) {
  BackwardReader reader(query);
  const std::vector<JournalFile> files = journal_files(folder_);
  index_.keep_only(files);
  for (size_t i = files.size(); i-- > 0;) {
    const JournalFile& file = files[i];
    if (file.first > query.before) continue;
    if (const auto index = index_.find(file)) {
      if (!reader.read_indexed(file, *index)) break;
      continue;
    }
    const auto stamp = stamp_of(file.path);
    const auto text = read_journal_text(file);
    if (!text) {
      reader.note_unreadable(text.error(), file.first);
      continue;
    }
    std::optional<JournalFileIndex> index;
    const bool newest = i + 1 == files.size();  // It grows.
    if (!reader.read_file(*text, file.first, newest ? nullptr : &index)) break;
    if (index && stamp) index_.keep(file, *stamp, *std::move(index));
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
    const auto text = read_journal_text(files[i]);
    if (!text) {
      if (!is_broken(text.error())) continue;
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
