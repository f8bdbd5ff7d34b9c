// The asset map of a package of cinema: which file holds which asset. Interop and SMPTE ST 429-9.
// Pure.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "sail/core/base/result.h"

namespace sail {

// Paths within the folder of the map, by the asset's id as asset_id() returns it.
using AssetMap = std::map<std::string, std::string, std::less<>>;

constexpr size_t kMaxAssetMapBytes = 8 << 20;
constexpr size_t kMaxAssets = 10'000;

// "urn:uuid:…" without its prefix, in lower case.
std::string asset_id(std::string_view text);

// kLimit: too large. kBadData: not an asset map, or a path that leads out of the folder. Errors are
// phrases: "has …", "is …".
Result<AssetMap> parse_asset_map(std::string_view xml);

}  // namespace sail
