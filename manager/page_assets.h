// The page's files (manager/page), embedded by the build.
#pragma once

#include <span>

#include "sail/core/http/web_server.h"

namespace manager {

std::span<const sail::WebAsset> page_assets();

}  // namespace manager
