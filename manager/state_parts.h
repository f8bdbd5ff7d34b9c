// The parts of the state that are told as a whole (COMMANDS.md, "Objects"), as JSON.
#pragma once

#include "manager/change_feed.h"
#include "manager/saved_wall.h"
#include "sail/wire/json.h"

namespace manager {

class FsManager;

constexpr StatePart kStateParts[] = {StatePart::kClients,    StatePart::kHealth,
                                     StatePart::kPartitions, StatePart::kHistory,
                                     StatePart::kLayouts,    StatePart::kSessions};

inline StatePart part_of(SavedKind kind) {
  return kind == SavedKind::kLayout ? StatePart::kLayouts : StatePart::kSessions;
}
const char* state_part_name(StatePart part);
sail::Json state_part_json(const FsManager& manager, StatePart part);
// For clients that know the state as it was told last: of the history only what is new.
sail::Json changed_part_json(const FsManager& manager, StatePart part);

}  // namespace manager
