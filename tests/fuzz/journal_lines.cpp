// A file of the journal or of past layouts, which a full disk or a person may have damaged.
#include <stdlib.h>
#include <zstd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "manager/journal/journal_reader.h"
#include "manager/journal/journal_text.h"
#include "manager/journal/past_layouts.h"
#include "tests/fuzz/fuzz.h"

namespace {

struct Folder {
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "vitrail-fuzz-XXXXXX").string();
    fuzz::require(mkdtemp(name.data()) != nullptr, "there is a folder");
    path = name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  manager::JournalFile write(const char* name, std::string_view bytes) const {
    std::ofstream(path / name, std::ios::binary) << bytes;
    return {path / name, 1};
  }
  std::filesystem::path path;
};

std::string_view bytes_of(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace

FUZZ_TARGET(journal_lines) {
  using namespace manager;
  const Folder folder;
  folder.write("1.jsonl", bytes_of(data, size));
  JournalReader reader(folder.path);
  for (const JournalQuery& query : {JournalQuery{}, JournalQuery{.person = "ann"},
                                    JournalQuery{.window = 1}, JournalQuery{.count = 1}}) {
    const JournalPage page = reader.read(query);
    fuzz::require(page.entries.is_array() && page.entries.size() <= query.count,
                  "a page has a bound");
    fuzz::require(page.next < query.before, "pages come to an end");
  }
  const JournalCheck check = check_journal(folder.path, JournalQuery{}.before);
  fuzz::require(check.next < JournalQuery{}.before, "a check comes to an end");
  fuzz::require(check_journal(folder.path, 2).checked <= 1, "a check of the first entry is short");
  const auto layout = layout_at(folder.path, 2e9);
  fuzz::require(layout ? (*layout)["windows"].size() <= 1024 : !layout.error().message.empty(),
                "a layout has a bound, and a refusal says why");
  return 0;
}

namespace {

// A frame has at most 256 KiB of text, a file 64 MiB. An input of this target has less, so that it
// takes little memory and time.
constexpr size_t kMostText = 512 << 10;

void check_parts(const manager::JournalFile& file, const sail::Result<std::string>& text) {
  for (const size_t begin : {size_t{0}, size_t{99}, size_t{260'000}, kMostText}) {
    for (const size_t count : {size_t{1}, size_t{200}, size_t{64} << 10}) {
      const auto part = read_journal_part(file, begin, count);
      fuzz::require(!part || part->size() <= count, "a part has a bound");
      if (!text) continue;
      fuzz::require(part.has_value() == (begin < text->size()), "a part is where the text is");
      fuzz::require(!part || *part == std::string_view(*text).substr(begin, count),
                    "a part is of the text");
    }
  }
}

// As zstdcat reads it.
void check_other_programs(std::string_view bytes, const std::string& text) {
  std::string read(text.size() + 1, '\0');
  const size_t size = ZSTD_decompress(read.data(), read.size(), bytes.data(), bytes.size());
  fuzz::require(size == text.size() && read.compare(0, size, text) == 0,
                "other programs read the same text");
}

void check_as_plain(const Folder& compressed, const std::string& text) {
  using namespace manager;
  const Folder plain;
  plain.write("1.jsonl", text);
  const JournalPage page = JournalReader(compressed.path).read({});
  const JournalPage wanted = JournalReader(plain.path).read({});
  fuzz::require(page.entries == wanted.entries && page.broken == wanted.broken,
                "a compressed file has the entries of a plain one");
  const auto layout = layout_at(compressed.path, 2e9);
  const auto wanted_layout = layout_at(plain.path, 2e9);
  fuzz::require(layout ? wanted_layout && *layout == *wanted_layout : !wanted_layout,
                "and its layouts");
}

}  // namespace

// A compressed file, of which a person may have changed any byte.
FUZZ_TARGET(compressed_journal) {
  const Folder folder;
  const manager::JournalFile file = folder.write("1.jsonl.zst", bytes_of(data, size));
  const auto text = read_journal_text(file, kMostText);
  // Also as if it was listed before it was compressed.
  for (const auto& path : {file.path, folder.path / "1.jsonl"}) check_parts({path, 1}, text);
  if (text) {
    fuzz::require(!text->empty() && text->size() <= kMostText, "a text has a bound");
    check_other_programs(bytes_of(data, size), *text);
    check_as_plain(folder, *text);
  } else {
    fuzz::require(text.error().code == sail::ErrorCode::kBadData, "damage is told");
  }
  return 0;
}
