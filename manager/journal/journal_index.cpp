#include "manager/journal/journal_index.h"

#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <utility>

#include "sail/core/text/json.h"
#include "sail/core/time/clock.h"

namespace manager {
namespace {

// Different for equal texts of different kinds.
enum class TermKind : uint8_t { kPerson = 1, kVerb, kWindow };

uint64_t mixed(uint64_t hash, TermKind kind) {
  constexpr uint64_t kOdd = 0x9e3779b97f4a7c15;
  hash = (hash + static_cast<uint64_t>(kind)) * kOdd;
  return hash ^ (hash >> 32);
}

uint64_t text_term(TermKind kind, std::string_view written) {
  return mixed(std::hash<std::string_view>()(written), kind);
}

uint64_t window_term(uint64_t number) {
  return mixed(number, TermKind::kWindow);
}

// As in a line of the journal, without the quotes.
std::string written_text(std::string_view text) {
  using sail::Json;
  const std::string quoted = Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
  return quoted.substr(1, quoted.size() - 2);
}

// Much faster than find() for the short texts of a line.
size_t find_quote(std::string_view line, size_t from) {
  while (from < line.size() && line[from] != '"') ++from;
  return from;
}

// Returns the text between quotes at the begin of `line`, and removes it from `line`. Empty: it
// does not end.
std::optional<std::string_view> take_text(std::string_view& line) {
  for (size_t end = find_quote(line, 1); end < line.size(); end = find_quote(line, end + 1)) {
    size_t escapes = 0;
    while (line[end - 1 - escapes] == '\\') ++escapes;
    if (escapes % 2 != 0) continue;
    const std::string_view text = line.substr(1, end - 1);
    line.remove_prefix(end + 1);
    return text;
  }
  return std::nullopt;
}

template <typename Found>
void find_numbers(std::string_view text, const Found& found) {
  while (true) {
    const size_t begin = text.find_first_of("0123456789");
    if (begin == text.npos) return;
    uint64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data() + begin, end, number);
    if (read.ec == std::errc()) found(window_term(number));
    text.remove_prefix(static_cast<size_t>(read.ptr - text.data()));
  }
}

// Calls `found` with everything by which a query may find the line, and perhaps with more: names of
// fields inside the parameters count, too. Returns false if the line is not an entry.
template <typename Found>
bool for_each_term(std::string_view line, const Found& found) {
  bool has_number = false;
  bool has_hash = false;
  bool in_list = false;  // of windows, or behind
  while (true) {
    const size_t quote = find_quote(line, 0);
    if (in_list) find_numbers(line.substr(0, quote), found);
    line.remove_prefix(quote);
    if (line.empty()) return has_number && has_hash;
    const auto name = take_text(line);
    if (!name) return false;
    if (!line.starts_with(':')) continue;
    line.remove_prefix(1);
    // The names in "changed" are windows.
    if (!name->empty() && name->find_first_not_of("0123456789") == name->npos) {
      find_numbers(*name, found);
    } else if (*name == "who" || *name == "key" || *name == "verb") {
      if (!line.starts_with('"')) continue;
      const auto value = take_text(line);
      if (!value) return false;
      found(text_term(*name == "verb" ? TermKind::kVerb : TermKind::kPerson, *value));
    } else if (*name == "window" || *name == "other") {
      find_numbers(line.substr(0, line.find_first_of(",]}")), found);
    } else if (*name == "windows") {
      in_list = true;
    } else if (*name == "prev") {
      has_hash = true;
    } else if (*name == "n") {
      has_number = true;
    }
  }
}

}  // namespace

// ---- JournalTerms, WantedTerms ----

void JournalTerms::add(uint64_t term) {
  for (const unsigned shift : {0U, 20U, 40U}) {
    const uint64_t bit = (term >> shift) % (kWords * 64);
    bits_[bit / 64] |= uint64_t{1} << (bit % 64);
  }
}

bool JournalTerms::may_have(uint64_t term) const {
  return std::ranges::all_of(std::array{0U, 20U, 40U}, [&](unsigned shift) {
    const uint64_t bit = (term >> shift) % (kWords * 64);
    return (bits_[bit / 64] >> (bit % 64) & 1) != 0;
  });
}

WantedTerms::WantedTerms(std::string_view person, std::string_view verb, uint32_t window) {
  if (!person.empty()) terms_.push_back(text_term(TermKind::kPerson, written_text(person)));
  if (!verb.empty()) terms_.push_back(text_term(TermKind::kVerb, written_text(verb)));
  if (window != 0) terms_.push_back(window_term(window));
}

bool WantedTerms::may_be_in(const JournalTerms& block) const {
  return std::ranges::all_of(terms_, [&](uint64_t term) { return block.may_have(term); });
}

bool WantedTerms::may_match(std::string_view line, JournalTerms& block) const {
  unsigned seen = 0;  // a bit for each of terms_
  const bool entry = for_each_term(line, [&](uint64_t term) {
    block.add(term);
    for (size_t i = 0; i < terms_.size(); ++i) {
      if (terms_[i] == term) seen |= 1U << i;
    }
  });
  if (!entry) block.add_all();
  return !entry || seen + 1 == 1U << terms_.size();
}

// ---- JournalIndex ----

std::optional<FileStamp> stamp_of(const std::filesystem::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  constexpr int64_t kSecond = 1'000'000'000;
  return FileStamp{status.st_ino, status.st_size,
                   status.st_ctim.tv_sec * kSecond + status.st_ctim.tv_nsec};
}

std::shared_ptr<const JournalFileIndex> JournalIndex::find(const JournalFile& file) const {
  const std::lock_guard lock(mutex_);
  const auto known = known_.find(file.first);
  const bool same = known != known_.end() && stamp_of(file.path) == known->second.stamp;
  return same ? known->second.index : nullptr;
}

void JournalIndex::keep(const JournalFile& file, const FileStamp& stamp, JournalFileIndex index) {
  // The system's times of files have steps of some milliseconds: another change could have the same
  // time.
  constexpr int64_t kSettledNs = 100'000'000;
  if (sail::calendar_now_ns() - stamp.changed_ns < kSettledNs) return;
  const std::lock_guard lock(mutex_);
  known_.erase(file.first);
  size_t blocks = index.blocks.size();
  for (const auto& [first, one] : known_) blocks += one.index->blocks.size();
  if (blocks > kMostBlocks) return;
  known_[file.first] = {stamp, std::make_shared<JournalFileIndex>(std::move(index))};
}

void JournalIndex::keep_only(const std::vector<JournalFile>& files) {
  const std::lock_guard lock(mutex_);
  std::erase_if(known_, [&files](const auto& known) {
    return !std::ranges::binary_search(files, known.first, {}, &JournalFile::first);
  });
}

}  // namespace manager
