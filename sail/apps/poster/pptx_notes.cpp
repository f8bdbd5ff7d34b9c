#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "sail/apps/poster/speaker_notes.h"
#include "sail/core/text/limits.h"
#include "sail/media/cinema/xml_events.h"

namespace sail {
namespace {

namespace fs = std::filesystem;

// Placeholders of a notes page that are not for the speaker.
constexpr std::array<std::string_view, 5> kOtherPlaceholders = {"sldImg", "hdr", "ftr", "dt",
                                                                "sldNum"};
constexpr std::array<std::string_view, 2> kTitles = {"title", "ctrTitle"};

template <size_t kCount>
bool is_one_of(const std::array<std::string_view, kCount>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

struct Relationship {
  std::string id;
  std::string type;    // the last word of its URI
  std::string target;  // name of a file in the container
};

// The relationships of a part. Empty: it has none. Those that lead out of the file are left out.
Result<std::vector<Relationship>> relationships_of(const ReadPart& read, const fs::path& part) {
  const fs::path folder = part.parent_path();
  const auto xml = read((folder / "_rels" / part.filename()).string() + ".rels");
  std::vector<Relationship> all;
  if (!xml && xml.error().code == ErrorCode::kNotFound) return all;
  if (!xml) return xml.error();
  const auto begin = [&](const XmlPath& path) -> Result<void> {
    if (!has_name(path, 0, "Relationship")) return {};
    const XmlName& element = path.back();
    if (attribute(element, "TargetMode") == "External") return {};
    const std::string type = attribute(element, "Type");
    const fs::path target = ("/" / folder / attribute(element, "Target")).lexically_normal();
    all.push_back({attribute(element, "Id"), type.substr(type.rfind('/') + 1),
                   target.relative_path().string()});
    return {};
  };
  const auto done = read_xml(*xml, {.begin = begin, .end = [](const XmlPath&, std::string_view) {
                                      return Result<void>();
                                    }});
  if (!done) return done.error();
  return all;
}

// Empty: there is no such relationship.
std::string target_of_type(const std::vector<Relationship>& all, std::string_view type) {
  const auto found = std::ranges::find(all, type, &Relationship::type);
  return found == all.end() ? "" : found->target;
}

// Reads the text of the shapes of a slide or notes page.
class ShapeReader {
 public:
  // wants: whether the text of a placeholder of this type is read; empty: another shape.
  ShapeReader(bool (*wants)(std::string_view type), size_t most_bytes)
      : wants_(wants), text_(most_bytes) {}

  Result<void> read(std::string_view xml) {
    return read_xml(
        xml, {.begin = [this](const XmlPath& path) { return begin(path); },
              .end = [this](const XmlPath& path, std::string_view) { return end(path); },
              .text = [this](const XmlPath& path, std::string_view piece) { add(path, piece); }});
  }
  bool hidden() const { return hidden_; }
  NoteText& text() { return text_; }

 private:
  Result<void> begin(const XmlPath& path) {
    const XmlName& element = path.back();
    if (path.size() == 1) {
      const std::string show = attribute(element, "show");
      hidden_ = show == "0" || show == "false";
    } else if (element.name == "Fallback") {
      ++fallbacks_;  // repeats what is before it for older programs
    } else if (element.name == "sp") {
      placeholder_.clear();
    } else if (element.name == "ph") {
      placeholder_ = attribute(element, "type");
      if (placeholder_.empty()) placeholder_ = "obj";
    } else if (element.name == "br" && wanted(path)) {
      text_.end_line();
    }
    return {};
  }

  void add(const XmlPath& path, std::string_view piece) {
    if (has_name(path, 0, "t") && wanted(path)) text_.add(piece);
  }

  Result<void> end(const XmlPath& path) {
    if (has_name(path, 0, "p") && wanted(path)) text_.end_line();
    if (has_name(path, 0, "Fallback")) --fallbacks_;
    return {};
  }

  bool wanted(const XmlPath& path) const {
    const auto is_shape = [](const XmlName& element) { return element.name == "sp"; };
    return fallbacks_ == 0 && wants_(placeholder_) && std::ranges::any_of(path, is_shape);
  }

  bool (*const wants_)(std::string_view type);
  NoteText text_;
  std::string placeholder_;  // type of the current shape's placeholder; empty: none
  bool hidden_ = false;
  int fallbacks_ = 0;
};

// The ids of the slides, in their order.
Result<std::vector<std::string>> slide_ids(std::string_view presentation) {
  std::vector<std::string> ids;
  const auto begin = [&](const XmlPath& path) -> Result<void> {
    // Sections in extensions have lists of the same name.
    if (path.size() == 3 && has_name(path, 1, "sldIdLst") && has_name(path, 0, "sldId")) {
      ids.push_back(attribute(path.back(), "r:id"));
    }
    return check_noted_pages(ids.size());
  };
  const auto done = read_xml(
      presentation,
      {.begin = begin, .end = [](const XmlPath&, std::string_view) { return Result<void>(); }});
  if (!done) return done.error();
  return ids;
}

// Reads the notes that belong to the slide, if there are any.
Result<void> read_notes(const ReadPart& read, const std::string& slide, PageNotes& page) {
  const auto related = relationships_of(read, slide);
  if (!related) return related.error();
  const std::string place = target_of_type(*related, "notesSlide");
  if (place.empty()) return {};
  const auto xml = read(place);
  if (!xml) return xml.error();
  ShapeReader notes([](std::string_view type) { return !is_one_of(kOtherPlaceholders, type); },
                    kMaxPageNotes);
  if (auto done = notes.read(*xml); !done) return done;
  page.cut = notes.text().cut();
  page.notes = notes.text().take();
  return {};
}

}  // namespace

Result<std::vector<PageNotes>> pptx_notes(const ReadPart& read) {
  const auto roots = relationships_of(read, "");
  if (!roots) return roots.error();
  const std::string place = target_of_type(*roots, "officeDocument");
  if (place.empty()) return fail(ErrorCode::kBadData, "is damaged: it names no presentation");
  const auto presentation = read(place);
  if (!presentation) return presentation.error();
  const auto ids = slide_ids(*presentation);
  if (!ids) return ids.error();
  const auto related = relationships_of(read, place);
  if (!related) return related.error();
  std::vector<PageNotes> pages;
  for (const std::string& id : *ids) {
    const auto slide = std::ranges::find(*related, id, &Relationship::id);
    if (slide == related->end()) return fail(ErrorCode::kBadData, "names a slide that is missing");
    const auto xml = read(slide->target);
    if (!xml) return xml.error();
    ShapeReader titles([](std::string_view type) { return is_one_of(kTitles, type); },
                       kMaxTitleLength);
    if (auto done = titles.read(*xml); !done) return done.error();
    if (titles.hidden()) continue;
    PageNotes page{.title = titles.text().take_line(), .notes = {}};
    if (auto done = read_notes(read, slide->target, page); !done) return done.error();
    pages.push_back(std::move(page));
  }
  return pages;
}

}  // namespace sail
