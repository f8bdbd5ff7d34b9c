// Addresses that people type and pages ask for. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sail/base/result.h"

namespace sail {

enum class PageReach : uint8_t {
  kElsewhere,  // other machines by http: and https:
  kLocal,      // this one, too, and its files
};

// The address as browsers want it: "https://" before what has no scheme. kInvalidParams: it is
// none, or its scheme is not within reach; where its host leads is PageGate's matter.
Result<std::string> page_address(std::string_view text, PageReach reach);
// The host of such an address, with its port; "" when it has none.
std::string host_of_page(std::string_view address);

}  // namespace sail
