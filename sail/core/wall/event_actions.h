// What an event's rule does to single windows (manager/events/README.md). Pure.
#pragma once

#include <optional>
#include <string>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"
#include "sail/core/text/json.h"

namespace sail {

// Changes one window while the event is shown. Empty fields change nothing.
struct EventAction {
  std::string window;              // The window's title, label or source.
  std::optional<Rect> place{};     // Fitted into this rectangle, in wall pixels, and on top.
  std::string area{};              // As `place`: a tile or a partition.
  bool enlarge = false;            // As large as the wall permits, and on top.
  std::string label{};             // Text with placeholders, see label_text.h.
  std::optional<double> volume{};  // 0 to 1.
  std::optional<bool> muted{};
  bool solo = false;  // All other windows are silent.

  bool places() const { return place || !area.empty() || enlarge; }
  // Whether people are to see or hear the window; false: its sound changes, if there is any.
  bool presents() const { return places() || !label.empty() || solo || muted == false; }
  bool operator==(const EventAction&) const = default;
};

Json to_json(const EventAction& action);
// Reports all mistakes, one per line. where: prefix of the messages.
Result<EventAction> read_event_action(const Json& object, const std::string& where);
// "window 'Gate': enlarges it, labels it 'Alarm'".
std::string action_text(const EventAction& action);

}  // namespace sail
