// Labels on windows.
#include <fmt/core.h>

#include <algorithm>

#include "manager/commands/verbs.h"
#include "manager/desk/desk.h"
#include "manager/monitor/window_labels.h"
#include "manager/peers/peers.h"
#include "manager/peers/state_json.h"
#include "sail/core/text/limits.h"
#include "sail/core/wall/label_text.h"

namespace manager::verbs {

namespace {

struct Labelling {
  std::vector<uint32_t> windows;
  bool on = true;
  std::string text;  // Empty: unchanged.
  std::optional<bool> top;

  // `now`: the window's present label.
  WindowLabel label_after(const WindowLabel& now) const {
    if (!on) return {};
    const std::string& kept = now.text.empty() ? "{title}" : now.text;
    return {.text = text.empty() ? kept : text, .top = top.value_or(now.top)};
  }
};

sail::Result<Labelling> read_labelling(const Call& call, const Desk& desk) {
  sail::JsonFields fields = call.fields();
  Labelling wanted;
  wanted.windows = window_numbers(fields);
  if (!fields.has("windows")) wanted.windows.push_back(window_number(fields));
  wanted.on = fields.boolean_or("on", true);
  wanted.text = fields.string_or("text", sail::kMaxLabelLine, "");
  if (const std::string mistake = sail::label_mistake(wanted.text); !mistake.empty()) {
    fields.mistake("text", mistake);
  }
  if (fields.has("text") && wanted.text.empty()) fields.mistake("text", "must not be empty");
  if (fields.has("place")) kLabelPlaces.read(fields, "place", wanted.top.emplace());
  if (!wanted.on && (fields.has("text") || wanted.top)) {
    fields.mistake("on", "must be true with 'text' or 'place'");
  }
  if (auto error = fields.finish()) return *error;
  for (const uint32_t number : wanted.windows) {
    if (auto window = find_on_wall(call, desk, number); !window) return window.error();
  }
  return wanted;
}

sail::Result<void> check_count(const Desk& desk, const LayoutChange& change) {
  const auto labelled =
      std::ranges::count_if(desk.windows().bottom_to_top(), [&change](const Window& window) {
        const auto changed = change.windows.find(window.number);
        return !(changed == change.windows.end() ? window.label : *changed->second.label)
                    .text.empty();
      });
  if (labelled <= kMaxWindowLabels) return {};
  return sail::fail(sail::ErrorCode::kLimit,
                    fmt::format("the wall can have at most {} windows with a label: remove some "
                                "labels first",
                                kMaxWindowLabels));
}

}  // namespace

Answer label(const Call& call, Desk& desk) {
  const auto wanted = read_labelling(call, desk);
  if (!wanted) return wanted.error();
  LayoutChange change;
  for (const uint32_t number : wanted->windows) {
    WindowPlacement placement = desk.windows().find(number)->placement();
    placement.label = wanted->label_after(*placement.label);
    change.windows.emplace(number, placement);
  }
  if (wanted->on) {
    if (auto fits = check_count(desk, change); !fits) return fits.error();
  }
  desk.change(change, {.verb = wanted->on ? "labelled" : "removed the label of"},
              author_of(call.peer));
  if (call.params.contains("window")) return window_now(desk, wanted->windows.front());
  return sail::Json{{"windows", wanted->windows}};
}

}  // namespace manager::verbs
