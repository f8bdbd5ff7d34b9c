// Properties of media files, as found by vitrail-poster or derived from the file extension. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sail/core/base/geometry.h"
#include "sail/core/base/result.h"

namespace manager {

struct MediaFacts {
  std::optional<sail::Size> size{};    // Pixels; empty for documents.
  std::optional<double> duration_s{};  // Only for films that state it.
  std::optional<int> pages{};          // Only for documents, and pictures with several.
  std::string unplayable{};            // Why nothing can show it; empty: it can be shown.
};

// A version of a file: its path, and a stamp that changes with its content.
struct FileVersion {
  std::string path;
  std::string stamp;

  bool operator==(const FileVersion&) const = default;
};

// Parses the output of `vitrail-poster --facts`.
sail::Result<MediaFacts> parse_media_facts(std::string_view text);

// Whether the extension is that of a film, picture or document. Ignores case.
bool has_media_extension(std::string_view file_name);
// Whether vitrail-show is started for it: a note, or a file with the extension of a picture or
// document.
bool is_still(std::string_view medium);
// Whether it is a file with the extension of a picture that bplay draws as well as vitrail-show.
bool is_picture(std::string_view medium);

}  // namespace manager
