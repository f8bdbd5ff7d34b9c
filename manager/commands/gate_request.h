// A request that ObjectGate checks, and its parameters. Parameters that the verb will refuse count
// as missing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "manager/commands/touched_objects.h"
#include "manager/wall/history.h"
#include "sail/core/base/geometry.h"
#include "sail/core/text/json.h"

namespace manager {

class Desk;
class EventScenes;
class Players;
class Playlists;
class Scheduler;
class Tours;
struct Window;

namespace gate {

// One request, and where its objects are checked.
struct Asked {
  const sail::Json& params;
  const Desk& desk;
  const Players& players;
  const Tours& tours;
  const Playlists& playlists;
  const EventScenes& events;
  const Scheduler& scheduler;
  const Author author;
  TouchedObjects& touched;
};

std::string text_in(const sail::Json& object, const char* name);
const sail::Json& list_in(const sail::Json& object, const char* name);
std::optional<int> number_in(const sail::Json& object, const char* name, int64_t farthest);
std::optional<sail::Rect> rect_in(const sail::Json& object, const char* name);
std::optional<uint32_t> window_in(const sail::Json& object, const char* name);
// The numbers in "window", "other" and "windows".
std::vector<uint32_t> windows_in(const sail::Json& params);
const Window* window_of(const Asked& asked);
sail::Rect wall_rect(const Asked& asked);

}  // namespace gate
}  // namespace manager
