#include "sail/media/subtitles/subtitle_decoder.h"

extern "C" {
#include <libavcodec/avcodec.h>
}

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <utility>

#include "codecs/color/scaling.h"

namespace sail {
namespace {

constexpr int64_t kMillisecond = 1'000'000;            // ns
constexpr int64_t kUsualNs = 5'000 * kMillisecond;     // for text without a duration
constexpr int64_t kMostPixels = int64_t{4096} * 2304;  // of all pictures of a cue

struct FreeSubtitle {
  void operator()(AVSubtitle* subtitle) const { avsubtitle_free(subtitle); }
};

Result<void> read_picture(const AVSubtitleRect& rect, SubtitleCue& cue, int64_t& pixels) {
  pixels += int64_t{std::max(rect.w, 0)} * std::max(rect.h, 0);
  if (pixels > kMostPixels) return fail(ErrorCode::kLimit, "a subtitle has too many pixels");
  if (rect.w <= 0 || rect.h <= 0 || rect.data[0] == nullptr || rect.data[1] == nullptr) return {};
  const Rect place{rect.x, rect.y, rect.w, rect.h};
  if (intersect(place, {0, 0, cue.canvas.width, cue.canvas.height}) != place) {
    return fail(ErrorCode::kBadData, "a subtitle is outside of the picture");
  }
  SubtitlePicture picture{.rect = place, .indices = {}, .argb = {}};
  const auto colors = static_cast<size_t>(std::clamp(rect.nb_colors, 0, 256));
  std::memcpy(picture.argb.data(), rect.data[1], colors * sizeof(uint32_t));
  for (int y = 0; y < rect.h; ++y) {
    const uint8_t* row = rect.data[0] + static_cast<ptrdiff_t>(y) * rect.linesize[0];
    picture.indices.insert(picture.indices.end(), row, row + rect.w);
  }
  cue.pictures.push_back(std::move(picture));
  return {};
}

Result<void> read_rects(const AVSubtitle& subtitle, SubtitleCue& cue) {
  int64_t pixels = 0;
  for (const AVSubtitleRect* rect : std::span(subtitle.rects, subtitle.num_rects)) {
    if (rect->type == SUBTITLE_BITMAP) {
      if (auto read = read_picture(*rect, cue, pixels); !read) return read;
    } else if (rect->ass != nullptr) {
      const std::string_view event(rect->ass);
      if (event.size() > SubtitleDecoder::kMaxEvent) {
        return fail(ErrorCode::kLimit, "a subtitle has too much text");
      }
      cue.events.emplace_back(event);
    }
  }
  return {};
}

std::vector<uint8_t> premultiplied(const SubtitlePicture& picture) {
  std::vector<uint8_t> bgra;
  bgra.reserve(4 * picture.indices.size());
  for (const uint8_t index : picture.indices) {
    const uint32_t argb = picture.argb[index];
    const uint32_t alpha = argb >> 24;
    for (const int shift : {0, 8, 16}) {
      bgra.push_back(static_cast<uint8_t>(((argb >> shift & 0xff) * alpha + 127) / 255));
    }
    bgra.push_back(static_cast<uint8_t>(alpha));
  }
  return bgra;
}

// Samples at the pixels' centres.
std::vector<codecs::Tap> taps_of(int from, int to) {
  std::vector<codecs::Tap> taps;
  for (int i = 0; i < to; ++i) {
    const int64_t centre = (2 * int64_t{i} + 1) * from * 128 / to - 128;  // in 1/256
    const int64_t place = std::clamp<int64_t>(centre, 0, int64_t{from - 1} * 256);
    const auto first = static_cast<int32_t>(place / 256);
    taps.push_back({.first = first,
                    .second = std::min(first + 1, from - 1),
                    .weight = static_cast<uint16_t>(place % 256)});
  }
  return taps;
}

int scaled_edge(int edge, int from, int to) {
  return static_cast<int>((int64_t{edge} * to + from / 2) / from);
}

}  // namespace

void SubtitleDecoder::Free::operator()(AVCodecContext* codec) const {
  avcodec_free_context(&codec);
}

Result<std::unique_ptr<SubtitleDecoder>> SubtitleDecoder::open(const AVCodecParameters& track,
                                                               const AVRational& time_base) {
  const AVCodec* codec = avcodec_find_decoder(track.codec_id);
  const AVCodecDescriptor* format = avcodec_descriptor_get(track.codec_id);
  // Teletext has neither property and is refused: its subtitles have no end times.
  constexpr int kKinds = AV_CODEC_PROP_TEXT_SUB | AV_CODEC_PROP_BITMAP_SUB;
  if (codec == nullptr || format == nullptr || (format->props & kKinds) == 0) {
    return fail(ErrorCode::kBadData, std::string("no decoder for subtitles of the format ") +
                                         avcodec_get_name(track.codec_id));
  }
  std::unique_ptr<SubtitleDecoder> decoder(new SubtitleDecoder(avcodec_alloc_context3(codec)));
  AVCodecContext* context = decoder->codec_.get();
  if (context == nullptr) return fail(ErrorCode::kLimit, "out of memory");
  context->pkt_timebase = time_base;
  if (avcodec_parameters_to_context(context, &track) < 0 ||
      avcodec_open2(context, codec, nullptr) < 0) {
    return fail(ErrorCode::kBadData,
                std::string("cannot decode subtitles of the format ") + codec->name);
  }
  return decoder;
}

SubtitleDecoder::~SubtitleDecoder() = default;

bool SubtitleDecoder::has_pictures() const {
  const AVCodecDescriptor* format = avcodec_descriptor_get(codec_->codec_id);
  return format != nullptr && (format->props & AV_CODEC_PROP_BITMAP_SUB) != 0;
}

std::string SubtitleDecoder::header() const {
  if (codec_->subtitle_header == nullptr) return "";
  return {reinterpret_cast<const char*>(codec_->subtitle_header),
          static_cast<size_t>(codec_->subtitle_header_size)};
}

Result<SubtitleCue> SubtitleDecoder::decode(const AVPacket& packet, int64_t start_ns) {
  AVSubtitle subtitle{};
  int complete = 0;
  AVPacket* bytes = av_packet_clone(&packet);
  if (bytes == nullptr) return fail(ErrorCode::kLimit, "out of memory");
  const int read = avcodec_decode_subtitle2(codec_.get(), &subtitle, &complete, bytes);
  av_packet_free(&bytes);
  if (read < 0) return fail(ErrorCode::kBadData, "a subtitle is damaged");
  const std::unique_ptr<AVSubtitle, FreeSubtitle> owner(complete != 0 ? &subtitle : nullptr);
  SubtitleCue cue{.start_ns = start_ns,
                  .end_ns = start_ns,
                  .events = {},
                  .pictures = {},
                  .canvas = {codec_->width, codec_->height}};
  if (complete == 0) return cue;
  const auto until = subtitle.end_display_time;
  const bool timed = until != 0 && until != std::numeric_limits<uint32_t>::max();
  cue.start_ns += subtitle.start_display_time * kMillisecond;
  cue.end_ns = timed            ? start_ns + until * kMillisecond
               : has_pictures() ? std::numeric_limits<int64_t>::max()
                                : cue.start_ns + kUsualNs;
  if (auto rects = read_rects(subtitle, cue); !rects) return rects.error();
  return cue;
}

// Text decoders are not flushed: their only state is a counter of events, which must continue after
// a seek.
void SubtitleDecoder::jump() {
  if (has_pictures()) avcodec_flush_buffers(codec_.get());
}

std::vector<SubtitlePatch> draw_subtitle_pictures(const SubtitleCue& cue, Size film) {
  std::vector<SubtitlePatch> patches;
  for (const SubtitlePicture& picture : cue.pictures) {
    const Rect& rect = picture.rect;
    const Rect place = Rect::from_edges(scaled_edge(rect.x, cue.canvas.width, film.width),
                                        scaled_edge(rect.y, cue.canvas.height, film.height),
                                        scaled_edge(rect.right(), cue.canvas.width, film.width),
                                        scaled_edge(rect.bottom(), cue.canvas.height, film.height));
    if (place.empty()) continue;
    const std::vector<uint8_t> source = premultiplied(picture);
    const auto columns = static_cast<size_t>(place.width);
    std::vector<uint8_t> scratch(8 * columns);
    SubtitlePatch patch{place,
                        std::vector<uint8_t>(4 * columns * static_cast<size_t>(place.height))};
    codecs::resample_bilinear(source.data(), 4 * static_cast<ptrdiff_t>(rect.width),
                              taps_of(rect.width, place.width), taps_of(rect.height, place.height),
                              scratch, {patch.bgra.data(), 4 * static_cast<ptrdiff_t>(columns)},
                              codecs::CpuLevel::kReference);
    patches.push_back(std::move(patch));
  }
  return patches;
}

}  // namespace sail
