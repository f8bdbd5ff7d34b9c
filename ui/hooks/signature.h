// Signed requests as the Standard Webhooks specification has them (standardwebhooks.com): the
// headers "webhook-id", "webhook-timestamp" and "webhook-signature", an HMAC-SHA256 of both and the
// body. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sail/core/base/result.h"

namespace ui {

// Returns the key of a secret's text, "whsec_" and 24 to 64 bytes in Base64. kInvalidParams.
sail::Result<std::string> webhook_key(std::string_view secret);

// Returns the value of "webhook-signature". time_s: since 1970, the value of "webhook-timestamp".
std::string webhook_signature(std::string_view key, std::string_view id, int64_t time_s,
                              std::string_view body);

}  // namespace ui
