// Opens a film or a still by its content. Any thread.
#pragma once

#include <memory>
#include <string>

#include "sail/core/base/result.h"
#include "sail/media/ffmpeg/media_source.h"
#include "sail/media/source/source.h"

namespace sail {

// Stills of libvips (JPEG, PNG, TIFF, WebP, HEIC, AVIF) through libvips, everything else through
// FFmpeg. Of files on other hosts only those with the extension of a still may be stills, because
// some servers send a stream once. Errors begin with the name.
Result<std::unique_ptr<Source>> open_medium(const std::string& name, const MediaOptions& options);

}  // namespace sail
