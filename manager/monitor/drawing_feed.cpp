#include "manager/monitor/drawing_feed.h"

#include <algorithm>
#include <span>
#include <utility>

#include "sail/core/text/json_fields.h"
#include "sail/core/text/limits.h"

namespace manager {
namespace {

// Puts strokes into as few messages as possible.
class StrokeMessages {
 public:
  // The first `keep` strokes stay, the others are replaced by those of the drawing.
  void add(uint32_t window, std::span<const DrawnStroke> strokes, size_t keep) {
    begin(window, keep);
    for (size_t i = keep; i < strokes.size(); ++i) {
      const size_t points = point_count(strokes[i].line);
      if (strokes_ == sail::kMaxStrokes || points_ + points > sail::kMaxDrawnPoints) {
        messages_.emplace_back();
        strokes_ = points_ = 0;
        begin(window, i);
      }
      messages_.back()["drawings"].back()["strokes"].push_back(sail::to_json(strokes[i]));
      ++strokes_;
      points_ += points;
    }
  }
  std::vector<sail::Json> take() { return std::move(messages_); }

 private:
  void begin(uint32_t window, size_t keep) {
    if (messages_.empty()) messages_.emplace_back();
    sail::Json drawing = {{"keep", keep}, {"strokes", sail::Json::array()}};
    if (window != 0) drawing["window"] = window;
    messages_.back()["drawings"].push_back(std::move(drawing));
  }

  std::vector<sail::Json> messages_;
  size_t strokes_ = 0;  // strokes in the last message
  size_t points_ = 0;
};

size_t equal_strokes(const Drawing& before, const Drawing& now) {
  const auto first = std::ranges::mismatch(before.strokes(), now.strokes());
  return static_cast<size_t>(first.in1 - before.strokes().begin());
}

}  // namespace

std::vector<sail::Json> DrawingFeed::take(const Arrangement& arrangement) {
  StrokeMessages messages;
  std::map<uint32_t, Drawing> now;
  const auto add = [&](uint32_t window, const Drawing& drawing) {
    const auto found = sent_.find(window);
    const Drawing before = found == sent_.end() ? Drawing() : found->second;
    if (drawing != before) {
      messages.add(window, drawing.strokes(), equal_strokes(before, drawing));
    }
    if (!drawing.empty()) now.emplace(window, drawing);
  };
  add(0, arrangement.drawing());
  for (const Window& window : arrangement.windows().bottom_to_top()) {
    add(window.number, window.drawing);
  }
  sent_ = std::move(now);
  return messages.take();
}

std::vector<sail::Json> DrawingFeed::all() const {
  StrokeMessages messages;
  for (const auto& [window, drawing] : sent_) messages.add(window, drawing.strokes(), 0);
  return messages.take();
}

}  // namespace manager
