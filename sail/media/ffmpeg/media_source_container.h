// What FFmpeg opens for a name or URL: address, options and demuxer. Only for the media_source
// files.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/media/ffmpeg/media_source.h"
#include "sail/media/ffmpeg/media_source_av.h"

namespace sail {

struct MediaContainer {
  std::string address;
  std::vector<std::pair<std::string, std::string>> settings;
  const AVInputFormat* demuxer = nullptr;  // null: detected from the data
};

// kBadData: a folder of pictures with gaps. kUnavailable: see capture_device().
Result<MediaContainer> container_of(const std::string& url, const MediaOptions& options);

}  // namespace sail
