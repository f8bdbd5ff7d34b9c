// Finds the input that FFmpeg opens for a name or URL: the capture device (cameras, X11 screens,
// sound cards), or address, options and demuxer. Only for the media_source files.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sail/core/base/result.h"
#include "sail/media/ffmpeg/media_source.h"
#include "sail/media/ffmpeg/media_source_av.h"
#include "sail/media/source/file_sequence.h"

namespace sail {

// Prefix of the URLs of sound cards.
constexpr std::string_view kSoundCardPrefix = "alsa:";

struct CaptureDevice {
  const AVInputFormat* format = nullptr;
  std::string address;  // for FFmpeg
};

// Empty optional: not a device URL. kUnavailable: libavdevice is not installed.
Result<std::optional<CaptureDevice>> capture_device(const std::string& url);

struct MediaContainer {
  std::string address;
  std::vector<std::pair<std::string, std::string>> settings;
  const AVInputFormat* demuxer = nullptr;  // null: detected from the data
  // All files of a film of numbered files. FFmpeg opens only the file at `address`.
  std::vector<SequenceFile> pictures = {};
};

// kBadData: the container is an MXF file whose pictures or sound are encrypted, which FFmpeg does
// not say. Reads the beginning again, if that is possible.
Result<void> check_encryption(const AVFormatContext& format, const std::string& url);

// kUnavailable: see capture_device().
Result<MediaContainer> container_of(const std::string& url, const MediaOptions& options);

// Call before avformat_find_stream_info(). Keeps FFmpeg from decoding pictures of MP4 and QuickTime
// with H.264 at a constant rate, because these files state the size, rate and order of their
// pictures. Pixel format and colours then stay unknown.
void probe_without_pictures(AVFormatContext& format);

}  // namespace sail
