// The page's files (manager/page), which the build puts into the program.
#pragma once

#include <span>

#include "sail/net/web_server.h"

namespace manager {

std::span<const sail::WebAsset> page_assets();

}  // namespace manager
