// The sources that people name for tours and playlists.
#pragma once

#include <string>

#include "manager/media/playlists.h"
#include "sail/core/base/result.h"

namespace manager {

class SourceLibrary;

// name: a source's id or title, a pattern of ids or titles with '*', or a medium. kNotFound: it
// stands for no source, or for a command.
sail::Result<PlaylistItems> sources_named(const SourceLibrary& library, const std::string& name);

}  // namespace manager
