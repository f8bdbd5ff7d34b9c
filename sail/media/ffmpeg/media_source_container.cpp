#include "sail/media/ffmpeg/media_source_container.h"

extern "C" {
#include <libavdevice/version.h>
#include <libavutil/opt.h>
}
#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <span>
#include <string_view>
#include <utility>

#include "sail/core/base/c_library.h"
#include "sail/core/wire/content.h"
#include "sail/media/ffmpeg/media_source.h"
#include "sail/media/source/file_sequence.h"
#include "sail/media/storage/http/web_address.h"
#include "sail/media/storage/source_uri.h"

namespace sail {
namespace {

// Our URL prefixes and the names of FFmpeg's devices.
constexpr std::array<std::pair<std::string_view, const char*>, 3> kDevices = {{
    {"v4l2:", "v4l2"},
    {"x11:", "x11grab"},
    {kSoundCardPrefix, "alsa"},
}};

const std::pair<std::string_view, const char*>* device_of(const std::string& url) {
  for (const auto& device : kDevices) {
    if (url.starts_with(device.first)) return &device;
  }
  return nullptr;
}

// Loads libavdevice on demand. It pulls in some sixty libraries, and some of them start threads
// when loaded, so programs that use no device should not link it.
void load_devices() {
  call_in_library("libavdevice.so." AV_STRINGIFY(LIBAVDEVICE_VERSION_MAJOR),
                  "avdevice_register_all");
}

// A name like "a:b.mp4" is a file if it exists, not a protocol.
std::string address_of(const std::string& url) {
  std::error_code ignored;
  return std::filesystem::exists(url, ignored) ? "file:" + url : url;
}

// Time spent on analysing a live stream becomes permanent delay.
constexpr const char* kLiveProbeUs = "1000000";
// Pictures whose times tell the rate. By default FFmpeg waits for 20, most of a second of a camera.
constexpr const char* kLiveRatePictures = "5";
// A playlist (HLS) without new pieces is requested again until MediaFile gives up.
constexpr const char* kReloads = "1000";
constexpr const char* kFarProtocols =
    "rtp,srtp,rtsp,udp,tcp,tls,http,https,httpproxy,rtmp,rtmps,rtmpt,ffrtmphttp,srt,rist,mmsh,mmst,"
    "ftp,sftp,crypto,data";

// FFmpeg opens the first file that is not empty, to find the codec.
Result<MediaContainer> sequence_of(const std::string& url, double fps) {
  auto files = list_pictures(url);
  if (!files) return std::move(files.error());
  const auto first = std::ranges::find_if(*files, [](const SequenceFile& file) {
    std::error_code error;
    return std::filesystem::file_size(file.name, error) > 0 && !error;
  });
  if (first == files->end()) return fail(ErrorCode::kBadData, url + ": all files are empty");
  MediaContainer container{address_of(first->name), {{"framerate", fmt::format("{}", fps)}}};
  const std::string extension = extension_of(first->name);
  if (extension == ".jph" || extension == ".jhc") {
    container.demuxer = av_find_input_format("j2k_pipe");
  } else {
    container.demuxer = av_find_input_format("image2");
    container.settings.emplace_back("pattern_type", "none");
  }
  container.pictures = std::move(*files);
  return container;
}

// SMPTE ST 429-6: the essence container, and the set that describes how it is encrypted. Byte 7 is
// a version.
constexpr size_t kVersion = 7;
constexpr std::array<std::array<uint8_t, 16>, 2> kEncryption = {{
    {0x06, 0x0e, 0x2b, 0x34, 0x04, 0x01, 0x01, 0, 0x0d, 0x01, 0x03, 0x01, 0x02, 0x0b, 0x01, 0x00},
    {0x06, 0x0e, 0x2b, 0x34, 0x02, 0x53, 0x01, 0, 0x0d, 0x01, 0x04, 0x01, 0x02, 0x02, 0x00, 0x00},
}};

bool names_encryption(std::span<const uint8_t> head) {
  return std::ranges::any_of(kEncryption, [&](const auto& label) {
    for (size_t i = 0; i + label.size() <= head.size(); ++i) {
      const auto here = head.subspan(i, label.size());
      if (std::ranges::equal(here.first(kVersion), std::span(label).first(kVersion)) &&
          std::ranges::equal(here.subspan(kVersion + 1), std::span(label).subspan(kVersion + 1))) {
        return true;
      }
    }
    return false;
  });
}

bool states_pictures(const AVStream& stream) {
  const AVCodecParameters& pictures = *stream.codecpar;
  return pictures.extradata_size > 0 && pictures.width > 0 && pictures.height > 0 &&
         stream.avg_frame_rate.num > 0 && stream.r_frame_rate.num > 0;
}

}  // namespace

void probe_without_pictures(AVFormatContext& format) {
  if (!std::string_view(format.iformat->name).starts_with("mov,")) return;
  for (const AVStream* stream : std::span(format.streams, format.nb_streams)) {
    if (stream->codecpar->codec_id == AV_CODEC_ID_H264 && !states_pictures(*stream)) return;
  }
  std::string decoders;
  void* place = nullptr;
  while (const AVCodec* codec = av_codec_iterate(&place)) {
    if (codec->id == AV_CODEC_ID_H264 || av_codec_is_decoder(codec) == 0) continue;
    decoders += decoders.empty() ? "" : ",";
    decoders += codec->name;
  }
  av_opt_set(&format, "codec_whitelist", decoders.c_str(), 0);
}

Result<void> check_encryption(const AVFormatContext& format, const std::string& url) {
  constexpr int kMxfHeadBytes = 64 << 10;
  AVIOContext* io = format.pb;
  if (std::string_view(format.iformat->name) != "mxf" || io == nullptr || io->seekable == 0) {
    return {};
  }
  const int64_t place = avio_tell(io);
  std::vector<uint8_t> head(kMxfHeadBytes);
  if (avio_seek(io, 0, SEEK_SET) < 0) return {};
  const int read = avio_read(io, head.data(), kMxfHeadBytes);
  avio_seek(io, place, SEEK_SET);
  if (!names_encryption(std::span(head).first(static_cast<size_t>(std::max(read, 0))))) return {};
  return fail(ErrorCode::kBadData,
              fmt::format("{} is encrypted, and keys are not supported: decrypt it with the tools "
                          "of its package",
                          url));
}

bool is_capture_device(const std::string& url) {
  return device_of(url) != nullptr;
}

Result<std::optional<CaptureDevice>> capture_device(const std::string& url) {
  const auto* device = device_of(url);
  if (device == nullptr) return std::nullopt;
  load_devices();
  const AVInputFormat* format = av_find_input_format(device->second);
  if (format == nullptr) {
    return fail(
        ErrorCode::kUnavailable,
        fmt::format("cannot open {}: FFmpeg's devices (libavdevice) are not installed", url));
  }
  return CaptureDevice{format, url.substr(device->first.size())};
}

Result<MediaContainer> container_of(const std::string& url, const MediaOptions& options) {
  if (options.descriptor) {
    return MediaContainer{{},
                          {{"analyzeduration", kLiveProbeUs}, {"fpsprobesize", kLiveRatePictures}}};
  }
  if (options.sequence_fps > 0 && names_sequence(url)) {
    return sequence_of(url, options.sequence_fps);
  }
  auto device = capture_device(url);
  if (!device) return std::move(device.error());
  if (*device) return MediaContainer{std::move((*device)->address), {}, (*device)->format};
  MediaContainer container{is_web(url) ? as_web_address(url) : address_of(url), {}};
  if (is_far(container.address)) {
    container.settings = {{"protocol_whitelist", kFarProtocols},
                          {"analyzeduration", kLiveProbeUs},
                          {"max_reload", kReloads}};
    if (awaits_sender(url)) {
      container.settings.emplace_back("fpsprobesize", kLiveRatePictures);
    }
  } else if (options.alone) {
    container.settings = {{"protocol_whitelist", "none"}};
  }
  // In APNG, pictures of 10 ms or less last 100 ms, as in browsers.
  container.settings.emplace_back("max_fps", "99");
  container.settings.emplace_back("default_fps", "10");
  return container;
}

}  // namespace sail
