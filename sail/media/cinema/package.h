// Finds the composition of a cinema package (DCP, IMF) and the files of its reels. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/media/cinema/composition.h"

namespace sail {

// A part of a reel with the name of its file.
struct PackagePart : CompositionPart {
  std::string file;
};

struct Package {
  std::string title;
  std::vector<PackagePart> pictures;  // at least one
  std::vector<PackagePart> sounds;
  std::optional<std::string> remark;  // a sentence: which of several compositions this is

  int64_t duration_ns() const { return pictures.back().end_ns(); }
};

// True for a folder with an asset map (ASSETMAP or ASSETMAP.xml).
bool is_package_folder(const std::string& name);
// True for such a folder, or for a local file that is a composition playlist.
bool is_package(const std::string& name);

// If a folder has several compositions, takes the one issued last. Any other one can be opened by
// the name of its playlist. Checks that all files exist. Errors are sentences that begin with the
// name.
Result<Package> open_package(const std::string& name);

}  // namespace sail
