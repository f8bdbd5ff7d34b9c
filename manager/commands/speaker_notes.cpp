// The verb for the speaker's notes of the presentation that a window shows.
#include "manager/media/speaker_notes.h"

#include <fmt/core.h>

#include <utility>

#include "manager/commands/verbs.h"
#include "manager/desk/desk.h"
#include "manager/desk/window_file.h"
#include "manager/peers/peers.h"

namespace manager::verbs {

namespace {

// The window may have been closed or replaced meanwhile.
Answer notes_of_window(const Desk& desk, uint32_t number, const sail::Result<sail::Json>& pages) {
  if (!pages) return pages.error();
  const auto window = find_window(desk, number);
  if (!window) return window.error();
  const auto& playback = (*window)->playback;
  const size_t shown = playback ? static_cast<size_t>(playback->pages) : 0;
  if (shown > 0 && !pages->empty() && pages->size() != shown) {
    return sail::fail(
        sail::ErrorCode::kConflict,
        fmt::format("the presentation has {} pages now, but window {} shows {}: open it again",
                    pages->size(), number, shown));
  }
  return sail::Json{{"window", number}, {"pages", *pages}};
}

}  // namespace

void speaker_notes(const Call& call, const Desk& desk, const Peers& peers, SpeakerNotes& notes) {
  sail::JsonFields fields = call.fields();
  const uint32_t number = window_number(fields);
  if (auto error = fields.finish()) return call.reply(*error);
  const auto window = window_to_change(call, desk, number);
  if (!window) return call.reply(window.error());
  const std::string path = file_in(desk, peers, number);
  if (path.empty()) {
    return call.reply(sail::fail(
        sail::ErrorCode::kConflict,
        fmt::format("window {} does not show one file of the manager's host: its speaker's notes "
                    "cannot be read",
                    number)));
  }
  notes.read(path, [&desk, number, reply = call.reply](const sail::Result<sail::Json>& pages) {
    reply(notes_of_window(desk, number, pages));
  });
}

}  // namespace manager::verbs
