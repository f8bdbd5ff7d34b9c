#include "sail/apps/poster/speaker_notes.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "sail/apps/poster/office_container.h"
#include "sail/apps/show/office_document.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"

namespace sail {
namespace {

constexpr size_t kMostPartBytes = size_t{64} << 20;    // of one XML file
constexpr size_t kMostPartsBytes = size_t{256} << 20;  // of all that are read
constexpr std::string_view kZipStart = "PK";

// The longest beginning of valid UTF-8 within the limit that does not end within a character.
std::string_view beginning(std::string_view text, size_t most_bytes) {
  if (text.size() <= most_bytes) return text;
  size_t end = most_bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

void bound(std::vector<PageNotes>& pages) {
  size_t left = kMaxNotesBytes;
  for (PageNotes& page : pages) {
    for (std::string* text : {&page.title, &page.notes}) {
      const std::string_view kept = beginning(*text, left);
      page.cut = page.cut || kept.size() < text->size();
      text->resize(kept.size());
      left -= text->size();
    }
  }
}

Result<std::vector<PageNotes>> notes_in(std::string_view bytes, bool is_odp) {
  if (!bytes.starts_with(kZipStart)) {
    return fail(ErrorCode::kBadData,
                "has the format PPT, whose notes are not read: save it as PPTX or ODP");
  }
  const auto container = OfficeContainer::open(bytes);
  if (!container) return container.error();
  size_t left = kMostPartsBytes;
  const auto read = [&](const std::string& name) -> Result<std::string> {
    auto part = container->read(name, std::min(kMostPartBytes, left));
    if (part) left -= part->size();
    return part;
  };
  if (!is_odp) return pptx_notes(read);
  const auto content = read("content.xml");
  if (!content) return content.error();
  return odp_notes(*content);
}

}  // namespace

Json to_json(const std::vector<PageNotes>& pages) {
  Json all = Json::array();
  for (const PageNotes& page : pages) {
    Json one = Json::object();
    if (!page.title.empty()) one["title"] = page.title;
    if (!page.notes.empty()) one["notes"] = page.notes;
    if (page.cut) one["cut"] = true;
    all.push_back(std::move(one));
  }
  return all;
}

Result<std::vector<PageNotes>> speaker_notes(const std::string& path) {
  const std::string ending = lower(std::filesystem::path(path).extension().string());
  const bool is_odp = ending == ".odp";
  const bool is_presentation = is_odp || ending == ".pptx" || ending == ".ppt";
  if (!is_presentation || !is_office_document(path)) return std::vector<PageNotes>();
  const auto document = OfficeDocument::read(path);
  if (!document) return document.error();
  auto pages = notes_in(document->bytes, is_odp);
  if (!pages) return fail(pages.error().code, path + " " + pages.error().message);
  bound(*pages);
  return pages;
}

void NoteText::add(std::string_view piece) {
  if (cut_) return;  // a shorter piece might still fit, behind the gap
  const std::string_view kept = beginning(piece, most_bytes_ - text_.size());
  cut_ = kept.size() < piece.size();
  for (size_t i = 0; i < kept.size(); ++i) {
    const auto byte = static_cast<unsigned char>(kept[i]);
    const bool is_c1 =
        byte == 0xC2 && i + 1 < kept.size() && static_cast<unsigned char>(kept[i + 1]) < 0xA0;
    text_ += byte < 0x20 || byte == 0x7F || is_c1 ? ' ' : kept[i];
    if (is_c1) ++i;
  }
}

void NoteText::end_line() {
  if (text_.size() < most_bytes_) text_ += '\n';
}

std::string NoteText::take() {
  std::string all(trimmed(text_));
  text_.clear();
  cut_ = false;
  return all;
}

std::string NoteText::take_line() {
  std::string all = take();
  std::ranges::replace(all, '\n', ' ');
  return all;
}

Result<void> check_noted_pages(size_t count) {
  if (count <= kMaxNotedPages) return {};
  return fail(ErrorCode::kLimit, fmt::format("has more than {} slides, so that its notes are not "
                                             "read",
                                             kMaxNotedPages));
}

}  // namespace sail
