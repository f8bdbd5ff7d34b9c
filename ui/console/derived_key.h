// Keys that are derived from the wall's key for one role, holder and time.
#pragma once

#include <string>
#include <vector>

#include "sail/core/auth/wall_key.h"
#include "sail/core/base/result.h"
#include "sail/core/command_line/command_line.h"

namespace ui {

struct KeyChoice {
  std::string role;   // empty: the key itself
  std::string name;   // name of the holder; empty: none
  std::string until;  // as sail::parse_start_time(); empty: the key has no end
};

// Adds --role, --name and --until. roles: those that --role accepts.
void add_key_choice(const sail::Command& command, KeyChoice& choice,
                    const std::vector<std::string>& roles);

// kNotFound: the wall has no key; kUnauthorized: this is not the wall's key; kInvalidParams: the
// time or the name.
sail::Result<sail::WallKey> derived_key(const sail::WallKey& key, const KeyChoice& choice);

}  // namespace ui
