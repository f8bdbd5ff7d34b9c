// A file of the journal or of past layouts, which a full disk or a person may have damaged.
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "manager/journal/journal_reader.h"
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
  std::filesystem::path path;
};

}  // namespace

FUZZ_TARGET(journal_lines) {
  using namespace manager;
  const Folder folder;
  std::ofstream(folder.path / "1.jsonl", std::ios::binary)
      .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
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
  const auto layout = layout_at(folder.path, 2e9);
  fuzz::require(layout ? (*layout)["windows"].size() <= 1024 : !layout.error().message.empty(),
                "a layout has a bound, and a refusal says why");
  return 0;
}
