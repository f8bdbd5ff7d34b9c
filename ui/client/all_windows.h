// Calls whose answer the manager splits into pages.
#pragma once

#include <string_view>

#include "sail/core/base/result.h"
#include "sail/core/rpc/rpc_client.h"
#include "sail/core/text/json.h"

namespace ui {

// Returns the answer of "list" or "stats" with all windows, and fetches page after page. Windows
// that open or close meanwhile may be missing or appear twice.
sail::Result<sail::Json> call_for_all_windows(sail::RpcClient& client, std::string_view verb);

}  // namespace ui
