// What FFmpeg opens for a name or URL: address, options and demuxer. Only for the media_source
// files.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/media/ffmpeg/media_source.h"
#include "sail/media/ffmpeg/media_source_av.h"
#include "sail/media/source/file_sequence.h"

namespace sail {

struct MediaContainer {
  std::string address;
  std::vector<std::pair<std::string, std::string>> settings;
  const AVInputFormat* demuxer = nullptr;  // null: detected from the data
  // Of a film of numbered files: all of them; FFmpeg opens only the one at `address`.
  std::vector<SequenceFile> pictures = {};
};

// kUnavailable: see capture_device().
Result<MediaContainer> container_of(const std::string& url, const MediaOptions& options);

}  // namespace sail
