#include "manager/journal/past_layouts.h"

#include <cstddef>
#include <limits>
#include <string_view>
#include <utility>

#include "manager/desk/desk.h"
#include "sail/core/time/clock.h"

namespace manager {
namespace {

using sail::Json;

constexpr size_t kMostLayoutFile = PastLayouts::kFileBytes + JournalWriter::kMostPending;
constexpr size_t kMostLayoutLine = 4 << 20;
constexpr size_t kMostShownWindows = 1024;  // Windows in an answer, which is one message.

double time_of_line(const Json& line) {
  const auto at = line.find("at");
  return at != line.end() && at->is_number() ? at->get<double>() : 0;
}

// The time of the file's first line; 0: it is damaged or unreadable, so the file may be about any
// time.
double begin_of_layouts(const JournalFile& file) {
  constexpr size_t kUsualLine = 64 << 10;
  auto text = read_journal_part(file, 0, kUsualLine);
  if (text && text->size() == kUsualLine && text->find('\n') == text->npos) {
    text = read_journal_text(file, kMostLayoutFile);
  }
  if (!text) return 0;
  if (text->empty()) return std::numeric_limits<double>::max();  // Not written yet.
  const std::string_view line = std::string_view(*text).substr(0, text->find('\n'));
  const auto first = sail::parse_json(line, kMostLayoutLine);
  return first && first->is_object() ? time_of_line(*first) : 0;
}

// A layout, from its lines.
class PastLayout {
 public:
  // After a damaged line, lines count again from the next one with all windows.
  void add(const sail::Result<Json>& line) {
    if (!line || !line->is_object() || !line->contains("windows")) return forget();
    const Json order = line->value("order", Json::array());
    if (!order.is_array()) return forget();
    const bool is_whole = line->contains("size");
    if (!is_whole && line->contains("lost")) return forget();  // See JournalWriter::add().
    if (is_whole) {
      windows_.clear();
      size_ = (*line)["size"];
      known_ = true;
    }
    if (!known_) return;
    at_ = time_of_line(*line);
    for (const Json& window : (*line)["windows"]) {
      if (!window.is_object() || !window.value("window", Json()).is_number_unsigned()) {
        return forget();
      }
      windows_[window["window"].get<uint32_t>()] = window;
    }
    if (line->contains("order")) order_ = order;
  }

  bool is_known() const { return known_; }

  Json json() const {
    Json shown = Json::array();
    const size_t left_out =
        order_.size() > kMostShownWindows ? order_.size() - kMostShownWindows : 0;
    for (size_t i = left_out; i < order_.size(); ++i) {
      if (!order_[i].is_number_unsigned()) continue;
      const auto found = windows_.find(order_[i].get<uint32_t>());
      if (found != windows_.end()) shown.push_back(found->second);
    }
    return {{"at", at_}, {"size", size_}, {"windows", std::move(shown)}, {"total", order_.size()}};
  }

 private:
  void forget() { known_ = false; }

  bool known_ = false;
  double at_ = 0;
  Json size_;
  std::map<uint32_t, Json> windows_;
  Json order_ = Json::array();
};

// Adds the file's lines up to that time.
void add_layout_lines(const JournalFile& file, double at, PastLayout& layout) {
  const auto text = read_journal_text(file, kMostLayoutFile);
  if (!text) return layout.add(text.error());
  std::string_view rest = *text;
  for (size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
    const auto line = sail::parse_json(rest.substr(0, end), kMostLayoutLine);
    if (line && line->is_object() && time_of_line(*line) > at) return;
    layout.add(line);
    rest.remove_prefix(end + 1);
  }
}

}  // namespace

sail::Result<Json> layout_at(const std::filesystem::path& folder, double at) {
  std::vector<JournalFile> files = journal_files(folder);
  // Damaged files count only if the file before them begins early enough.
  for (size_t i = files.size(); i-- > 0;) {
    const double begin = begin_of_layouts(files[i]);
    if (begin > at) files.erase(files.begin() + static_cast<std::ptrdiff_t>(i), files.end());
    if (begin > 0 && begin <= at) break;
  }
  if (files.empty()) {
    return sail::fail(sail::ErrorCode::kNotFound, "nothing is kept of the wall from so long ago");
  }
  // The file before may have the last line with all windows.
  PastLayout layout;
  if (files.size() > 1) add_layout_lines(files[files.size() - 2], at, layout);
  add_layout_lines(files.back(), at, layout);
  if (!layout.is_known()) {
    return sail::fail(sail::ErrorCode::kBadData, "the file about the wall at that time is damaged");
  }
  return layout.json();
}

PastLayouts::PastLayouts(sail::Loop& loop, const std::filesystem::path& folder, const Desk& desk,
                         const sail::Log& log)
    : desk_(desk), soon_(loop) {
  if (folder.empty()) return;
  writer_ = std::make_shared<JournalWriter>(
      JournalWriter::Options{.folder = folder, .file_bytes = kFileBytes, .keep_bytes = kKeepBytes},
      log);
  wall_changed();
}

void PastLayouts::wall_changed() {
  if (!writer_ || std::exchange(waiting_, true)) return;
  soon_.start(kPauseMs, 0, [this] { note(); });
}

std::shared_ptr<JournalWriter> PastLayouts::note() {
  waiting_ = false;
  soon_.stop();
  if (!writer_) return nullptr;
  std::map<uint32_t, Place> places;
  std::vector<uint32_t> order;
  for (const Window& window : desk_.windows().bottom_to_top()) {
    if (window.hidden) continue;
    places[window.number] = {window.title, window.wall_rect};
    order.push_back(window.number);
  }
  std::map<uint32_t, Place> changed;
  for (const auto& [number, place] : places) {
    const auto before = noted_.find(number);
    if (before == noted_.end() || before->second != place) changed[number] = place;
  }
  const bool is_whole = until_whole_ == 0 || changed_ + changed.size() > places.size();
  if (!is_whole && changed.empty() && order == order_) return writer_;
  Json windows = Json::array();
  for (const auto& [number, place] : is_whole ? places : changed) {
    windows.push_back(
        {{"window", number}, {"title", place.title}, {"rect", sail::rect_json(place.rect)}});
  }
  const int64_t now_ms = sail::calendar_now_ns() / 1'000'000;
  const double at = static_cast<double>(now_ms) / 1000;
  Json line = {{"at", at}, {"windows", std::move(windows)}};
  if (is_whole) line["size"] = sail::size_json(desk_.wall().size);
  if (is_whole || order != order_) line["order"] = order;
  writer_->add(std::move(line));
  until_whole_ = is_whole ? kWholeEvery - 1 : until_whole_ - 1;
  changed_ = is_whole ? 0 : changed_ + changed.size();
  noted_ = std::move(places);
  order_ = std::move(order);
  return writer_;
}

}  // namespace manager
