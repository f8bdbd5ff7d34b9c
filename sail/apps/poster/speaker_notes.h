// Speaker's notes of presentations: PPTX, as PowerPoint and others write it, and ODP. Untrusted
// input. One entry for each page of the PDF that LibreOffice makes of the file: hidden slides have
// none.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/core/text/json.h"

namespace sail {

// Valid UTF-8 without control characters. Limits: kMaxNotedPages, kMaxPageNotes, kMaxNotesBytes.
struct PageNotes {
  std::string title;  // of the slide; empty: none
  std::string notes;  // lines, separated by '\n'; empty: none
  bool cut = false;   // the file has more text than the limits allow

  bool operator==(const PageNotes&) const = default;
};

// An array of objects: "title" and "notes" unless they are empty, "cut" if it is true.
Json to_json(const std::vector<PageNotes>& pages);

// Empty: the file is not a presentation. Requires a regular file. Errors: as
// OfficeDocument::read(); also kBadData (damaged, or in the format PPT), kLimit. Messages name the
// file.
Result<std::vector<PageNotes>> speaker_notes(const std::string& path);

// --- formats: pure; errors are phrases ("has …", "is …")
// Returns a file of the container, or an error (kNotFound: there is none).
using ReadPart = std::function<Result<std::string>(const std::string& name)>;
Result<std::vector<PageNotes>> pptx_notes(const ReadPart& read);
// content: the file content.xml.
Result<std::vector<PageNotes>> odp_notes(std::string_view content);

// Collects the text of a page.
class NoteText {
 public:
  explicit NoteText(size_t most_bytes) : most_bytes_(most_bytes) {}

  // Adds a piece of the current line, unless text was cut before. Control characters become blanks.
  void add(std::string_view piece);
  void end_line();
  bool cut() const { return cut_; }
  // Returns the lines without empty ones at both ends, and forgets them.
  std::string take();
  // As take(), with blanks for line ends.
  std::string take_line();

 private:
  const size_t most_bytes_;
  std::string text_;
  bool cut_ = false;
};

// kLimit: there would be more than kMaxNotedPages.
Result<void> check_noted_pages(size_t count);

}  // namespace sail
