// Answers of the manager that come in portions.
#pragma once

#include <string_view>

#include "sail/base/result.h"
#include "sail/net/rpc_client.h"
#include "sail/wire/json.h"

namespace ui {

// The answer of "list" or "stats" with all windows: asks for one portion after another. Windows
// that come or go meanwhile may be missing or be there twice.
sail::Result<sail::Json> call_for_all_windows(sail::RpcClient& client, std::string_view verb);

}  // namespace ui
