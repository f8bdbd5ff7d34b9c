// Windows of the wall: by their names on the command line (an id, a title, ids joined with commas,
// or "all"), and all of them from an answer that the manager splits into pages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/core/rpc/rpc_client.h"
#include "sail/core/text/json.h"

namespace ui {

// Parses ids such as "3" or "1,4", without the wall's state. Empty: the word is a title or "all".
std::vector<int64_t> window_numbers(const std::string& word);
// Returns the ids of the named windows, each once, in the words' order. `windows` is the field
// "windows" of the answer of "list". kNotFound: no window has the title; kInvalidParams: several
// windows match a title.
sail::Result<std::vector<int64_t>> named_windows(const std::vector<std::string>& words,
                                                 const sail::Json& windows);

// Returns the answer of "list" or "stats" with all windows, and fetches page after page. Windows
// that open or close meanwhile may be missing or appear twice.
sail::Result<sail::Json> call_for_all_windows(sail::RpcClient& client, std::string_view verb);

}  // namespace ui
