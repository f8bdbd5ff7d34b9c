// The parts of the state that are told as a whole (COMMANDS.md, "Objects"), as JSON.
#pragma once

#include "manager/change_feed.h"
#include "sail/wire/json.h"

namespace manager {

class FsManager;

constexpr StatePart kStateParts[] = {StatePart::kClients, StatePart::kPartitions,
                                     StatePart::kHistory};

const char* state_part_name(StatePart part);
sail::Json state_part_json(const FsManager& manager, StatePart part);

}  // namespace manager
