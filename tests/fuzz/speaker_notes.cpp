// Presentations: their notes are bounded and plain. The input is each file of the container, so
// that relationships may form a circle.
#include "sail/apps/poster/speaker_notes.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "tests/fuzz/fuzz.h"

namespace {

void check_notes(const sail::Result<std::vector<sail::PageNotes>>& pages) {
  if (!pages) {
    fuzz::require(!pages.error().message.empty(), "a refusal says why");
    return;
  }
  fuzz::require(pages->size() <= sail::kMaxNotedPages, "the pages are bounded");
  for (const sail::PageNotes& page : *pages) {
    fuzz::require(page.notes.size() <= sail::kMaxPageNotes, "notes are bounded");
    fuzz::require(page.title.size() <= sail::kMaxTitleLength, "a title is bounded");
    fuzz::require(sail::is_plain_text(page.title), "a title is plain");
    for (size_t at = 0; at < page.notes.size();) {
      const size_t end = std::min(page.notes.find('\n', at), page.notes.size());
      fuzz::require(sail::is_plain_text(std::string_view(page.notes).substr(at, end - at)),
                    "a line is plain");
      at = end + 1;
    }
  }
}

}  // namespace

FUZZ_TARGET(speaker_notes) {
  const std::string file(reinterpret_cast<const char*>(data), size);
  check_notes(sail::odp_notes(file));
  check_notes(
      sail::pptx_notes([&](const std::string&) -> sail::Result<std::string> { return file; }));
  return 0;
}
