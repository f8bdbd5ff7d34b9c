#include "ui/hooks/signature.h"

#include <fmt/core.h>

#include <span>

#include "sail/core/auth/proof.h"
#include "sail/core/text/encodings.h"

namespace ui {
namespace {

constexpr std::string_view kSecretPrefix = "whsec_";
constexpr size_t kLeastKey = 24;
constexpr size_t kMostKey = 64;

}  // namespace

sail::Result<std::string> webhook_key(std::string_view secret) {
  const auto bytes = secret.starts_with(kSecretPrefix)
                         ? sail::base64_bytes(secret.substr(kSecretPrefix.size()))
                         : std::nullopt;
  if (bytes && bytes->size() >= kLeastKey && bytes->size() <= kMostKey) {
    return std::string(bytes->begin(), bytes->end());
  }
  return sail::fail(sail::ErrorCode::kInvalidParams,
                    "the secret must be whsec_ and 24 to 64 bytes in Base64: make one with `echo "
                    "whsec_$(head -c 32 /dev/urandom | base64)`");
}

std::string webhook_signature(std::string_view key, std::string_view id, int64_t time_s,
                              std::string_view body) {
  const std::string signed_text = fmt::format("{}.{}.{}", id, time_s, body);
  const auto* bytes = reinterpret_cast<const uint8_t*>(signed_text.data());
  return "v1," + sail::base64_text(sail::hmac_sha256(key, std::span(bytes, signed_text.size())));
}

}  // namespace ui
