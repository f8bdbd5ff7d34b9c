#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <utility>

#include "sail/apps/poster/speaker_notes.h"
#include "sail/core/text/limits.h"
#include "sail/media/cinema/xml_events.h"

namespace sail {
namespace {

constexpr int kMostBlanks = 100;

// Frames of a notes page that are not for the speaker.
constexpr std::array<std::string_view, 6> kOtherFrames = {"header", "footer",      "date-time",
                                                          "page",   "page-number", "handout"};

class OdpReader {
 public:
  Result<void> begin(const XmlPath& path) {
    const XmlName& element = path.back();
    const std::string& name = element.name;
    if (name == "style") style_ = attribute(element, "style:name");
    if (name == "drawing-page-properties" &&
        attribute(element, "presentation:visibility") == "hidden") {
      hidden_styles_.insert(style_);
    }
    if (is_slide(path)) {
      page_ = {};
      hidden_ = hidden_styles_.contains(attribute(element, "draw:style-name"));
    } else if (name == "notes") {
      in_notes_ = true;
    } else if (is_shape(name) && shapes_++ == 0) {
      shape_class_ = attribute(element, "presentation:class");
    } else if (name == "annotation") {
      ++comments_;
    } else if (is_paragraph(name)) {
      ++paragraphs_;
    } else if (paragraphs_ > 0) {
      begin_in_paragraph(element);
    }
    return {};
  }

  void text(std::string_view piece) {
    if (paragraphs_ > 0) add(piece);
  }

  Result<void> end(const XmlPath& path) {
    const std::string& name = path.back().name;
    if (is_slide(path)) {
      page_.notes = notes_.take();
      page_.title = title_.take_line();
      if (!hidden_) pages_.push_back(std::move(page_));
      return check_noted_pages(pages_.size());
    }
    if (name == "notes") {
      page_.cut = notes_.cut();
      in_notes_ = false;
    } else if (is_shape(name)) {
      --shapes_;
    } else if (name == "annotation") {
      --comments_;
    } else if (is_paragraph(name)) {
      --paragraphs_;
      end_line();
    }
    return {};
  }

  std::vector<PageNotes> take() { return std::move(pages_); }

 private:
  static bool is_slide(const XmlPath& path) {
    return path.size() == 4 && has_name(path, 0, "page") && has_name(path, 1, "presentation");
  }
  static bool is_shape(std::string_view name) { return name == "frame" || name == "custom-shape"; }
  static bool is_paragraph(std::string_view name) { return name == "p" || name == "h"; }

  // Where text of the current shape belongs; null: nowhere.
  NoteText* wanted() {
    if (shapes_ == 0 || comments_ > 0) return nullptr;
    if (!in_notes_) return shape_class_ == "title" ? &title_ : nullptr;
    return std::ranges::find(kOtherFrames, shape_class_) == kOtherFrames.end() ? &notes_ : nullptr;
  }

  void add(std::string_view piece) {
    if (NoteText* text = wanted()) text->add(piece);
  }

  void end_line() {
    if (NoteText* text = wanted()) text->end_line();
  }

  void begin_in_paragraph(const XmlName& element) {
    if (element.name == "tab") add(" ");
    if (element.name == "line-break") end_line();
    if (element.name != "s") return;
    const std::string count = attribute(element, "text:c");
    int blanks = 1;
    std::from_chars(count.data(), count.data() + count.size(), blanks);
    add(std::string(static_cast<size_t>(std::clamp(blanks, 1, kMostBlanks)), ' '));
  }

  std::vector<PageNotes> pages_;
  std::set<std::string> hidden_styles_;
  std::string style_;
  PageNotes page_;
  bool hidden_ = false;
  bool in_notes_ = false;
  std::string shape_class_;  // of the outermost shape
  NoteText notes_{kMaxPageNotes};
  NoteText title_{kMaxTitleLength};
  // Elements of these kinds around the current position.
  int shapes_ = 0;
  int comments_ = 0;
  int paragraphs_ = 0;
};

}  // namespace

Result<std::vector<PageNotes>> odp_notes(std::string_view content) {
  OdpReader reader;
  const auto read = read_xml(
      content, {.begin = [&](const XmlPath& path) { return reader.begin(path); },
                .end = [&](const XmlPath& path, std::string_view) { return reader.end(path); },
                .text = [&](const XmlPath&, std::string_view piece) { reader.text(piece); }});
  if (!read) return read.error();
  return reader.take();
}

}  // namespace sail
