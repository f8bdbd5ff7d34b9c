// Checks page addresses that users type or pages request. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sail/core/base/result.h"

namespace sail {

enum class PageReach : uint8_t {
  kElsewhere,  // http: and https: on other machines
  kLocal,      // also this machine and its files
};

// Returns a complete URL; adds "https://" if there is no scheme. Returns kInvalidParams if the text
// is not a URL or the scheme is not allowed. EgressProxy checks where the host leads.
Result<std::string> page_address(std::string_view text, PageReach reach);
// Returns host and port of such an address; "" if it has none.
std::string host_of_page(std::string_view address);

}  // namespace sail
