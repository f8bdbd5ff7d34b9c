// The XML of a cinema package: its asset map (which file holds which asset; Interop and SMPTE ST
// 429-9), and a composition playlist (the reels of a film, one after the other; Interop and ST
// 429-7 of digital cinema, and IMF, ST 2067-3, whose segments and resources become reels). Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/media/source/film_time.h"

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

// A part of a file that plays from begin_ns on. Positions are counted in edit units: pictures, or
// units of its rate for sound.
struct CompositionPart {
  std::string asset;     // as asset_id() returns it
  FrameRate rate;        // edit units per second
  int64_t entry = 0;     // the first edit unit of the file that is played
  int64_t duration = 0;  // edit units
  int64_t begin_ns = 0;  // film time

  // The time of an edit unit, rounded down.
  int64_t time_ns(int64_t unit) const;
  // The edit unit at a time.
  int64_t unit_at(int64_t time_ns) const;
  // The middle of an edit unit, so that a rounded time stamp is not taken for a neighbouring unit.
  int64_t middle_ns(int64_t unit) const { return (time_ns(unit) + time_ns(unit + 1)) / 2; }

  int64_t entry_ns() const { return time_ns(entry); }
  int64_t duration_ns() const { return time_ns(entry + duration) - entry_ns(); }
  int64_t end_ns() const { return begin_ns + duration_ns(); }
};

struct Composition {
  std::string title;
  std::string issued;                     // date and time, as written
  std::vector<CompositionPart> pictures;  // at least one; without gaps
  std::vector<CompositionPart> sounds;    // there may be gaps

  int64_t duration_ns() const { return pictures.back().end_ns(); }
};

constexpr size_t kMaxCompositionBytes = 16 << 20;  // IMF playlists hold many descriptors
constexpr size_t kMaxReels = 500;

// kNotFound: another document of a package. kLimit: more than the limits above. kBadData: damaged,
// or of a kind that is not played (encrypted, stereoscopic). Errors are phrases: "has
// no pictures in reel 2".
Result<Composition> parse_composition(std::string_view xml);

}  // namespace sail
