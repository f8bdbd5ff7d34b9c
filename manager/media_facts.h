// What is known of a media file once vitrail-poster has looked at it. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sail/base/geometry.h"
#include "sail/base/result.h"

namespace manager {

struct MediaFacts {
  std::optional<sail::Size> size{};    // pixels; none for documents
  std::optional<double> duration_s{};  // of films that tell it
  std::optional<int> pages{};          // of documents
  std::string unplayable{};            // why nothing can show it; empty: it can be shown
};

// A file as it is now: its place, and a stamp that changes when its bytes change.
struct FileVersion {
  std::string path;
  std::string stamp;

  bool operator==(const FileVersion&) const = default;
};

// What `vitrail-poster --facts` says.
sail::Result<MediaFacts> parse_media_facts(std::string_view text);

}  // namespace manager
