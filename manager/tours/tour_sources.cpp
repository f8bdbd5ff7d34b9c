#include "manager/tours/tour_sources.h"

#include <fmt/core.h>

#include "manager/media/play_request.h"
#include "manager/media/source_library.h"
#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/wire/content.h"

namespace manager {
namespace {

PlaylistItem item_of(const Source& source) {
  return {.medium = source.media, .title = source.title};
}

PlaylistItems sources_like(const SourceLibrary& library, const std::string& name) {
  const bool is_pattern = name.find('*') != std::string::npos;
  const auto matches = [&](const std::string& text) {
    return text == name || (is_pattern && sail::fits_pattern(name, text));
  };
  PlaylistItems found;
  for (const Source* source : library.all()) {
    if (source->media.empty()) continue;
    if (matches(source->id) || matches(source->title)) found.push_back(item_of(*source));
  }
  return found;
}

}  // namespace

sail::Result<PlaylistItems> sources_named(const SourceLibrary& library, const std::string& name) {
  const Source* source = library.find(name);
  PlaylistItems found;
  if (source == nullptr) {
    found = sources_like(library, name);
  } else if (!source->media.empty()) {
    found = {item_of(*source)};
  }
  const bool is_path_or_url = name.starts_with('/') || sail::is_drawn(name) ||
                              sail::is_written(name) || name.find("://") != std::string::npos;
  if (found.empty() && is_path_or_url && is_medium(name)) found = {{.medium = name}};
  if (!found.empty()) return found;
  const std::string text = sail::make_plain_text(name, sail::kMaxTitleLength);
  return sail::fail(sail::ErrorCode::kNotFound,
                    source != nullptr
                        ? fmt::format("'{}' is a command, which cannot have a turn", text)
                        : fmt::format("there is no source '{}': name a source, a pattern such as "
                                      "'url/*', a full path or a URL",
                                      text));
}

}  // namespace manager
