// A saved layout or session. Writing it and reading it back must give the same value.
#include "manager/sessions/saved_wall.h"

#include <string_view>

#include "manager/files/saved_files.h"
#include "sail/core/text/limits.h"
#include "tests/fuzz/fuzz.h"

FUZZ_TARGET(saved_wall) {
  using namespace manager;
  const auto document =
      sail::parse_json({reinterpret_cast<const char*>(data), size}, SavedFiles::kMostBytes);
  if (!document) return 0;
  for (const SavedKind kind : {SavedKind::kLayout, SavedKind::kSession}) {
    const auto wall = saved_wall_from_json(*document, kind);
    if (!wall) {
      fuzz::require(!wall.error().message.empty(), "a refusal says why");
      continue;
    }
    fuzz::require(wall->windows.size() <= sail::kMaxWindows, "windows have a bound");
    const sail::Json written = to_json(*wall, kind);
    const auto again = saved_wall_from_json(written, kind);
    fuzz::require(again.has_value(), "what was written can be read");
    fuzz::require(to_json(*again, kind) == written, "it reads back as what it was");
    const sail::Size smaller{640, 360};
    const SavedWall on_smaller = on_wall_of(*wall, smaller);
    for (const Partition& partition : on_smaller.partitions.all()) {
      fuzz::require(
          partition.rect.right() <= smaller.width && partition.rect.bottom() <= smaller.height,
          "partitions lie on the wall");
    }
    match_windows(wall->windows, WindowStack());
  }
  return 0;
}
