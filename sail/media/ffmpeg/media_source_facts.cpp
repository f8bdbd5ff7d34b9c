#include "sail/media/ffmpeg/media_source_facts.h"

#include <fmt/format.h>

#include <utility>

#include "sail/media/ffmpeg/media_source_file.h"
#include "sail/media/source/film_time.h"

namespace sail {

Result<MediaFacts> media_facts(const std::string& name, std::function<bool()> interrupted,
                               std::function<Result<std::unique_ptr<const ByteSource>>()> open) {
  MediaOptions options;
  options.interrupted = std::move(interrupted);
  options.open = std::move(open);
  options.alone = true;
  MediaFile file(name, std::move(options));
  if (auto opened = file.open(MediaFile::Probe::kPictures); !opened) {
    return std::move(opened.error());
  }
  const AVCodecParameters& picture = *file.stream().codecpar;
  if (picture.width <= 0 || picture.height <= 0) {
    return fail(ErrorCode::kBadData, fmt::format("{}: the film states no picture size", name));
  }
  const SourceInfo info = file.info();
  return MediaFacts{.size = {picture.width, picture.height},
                    .codec = avcodec_get_name(picture.codec_id),
                    .duration_ns = info.duration_ns,
                    .fps = frames_a_second(info.rate)};
}

}  // namespace sail
