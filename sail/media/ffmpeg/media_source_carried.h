// Films whose access units travel undecoded: H.264, H.265, AV1, VP9 and MJPEG, as far as receivers
// can show what they decode without further work.
#pragma once

#include <memory>
#include <string>

#include "sail/core/base/result.h"
#include "sail/media/ffmpeg/media_source.h"
#include "sail/media/source/source.h"

namespace sail {

// kBadData: the film must be decoded before it is sent; the message says why. Of the options, those
// of decoded pictures are not used.
Result<std::unique_ptr<Source>> open_carried(const std::string& name, const MediaOptions& options);

}  // namespace sail
