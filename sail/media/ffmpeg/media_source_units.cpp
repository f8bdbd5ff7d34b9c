#include "sail/media/ffmpeg/media_source_units.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>

#include "sail/core/text/limits.h"
#include "sail/core/wire/data/access_units.h"
#include "sail/media/ffmpeg/media_source_display.h"
#include "sail/media/ffmpeg/media_source_file.h"
#include "sail/media/ffmpeg/media_source_formats.h"
#include "sail/media/ffmpeg/media_source_frames.h"
#include "sail/media/source/source_color.h"

namespace sail {
namespace {

using codecs::CodecId;

constexpr size_t kStartCode = 3;

struct NalUnit {
  size_t begin = 0;  // offset of the unit's first byte, after the start code
  uint8_t head = 0;
};

// Returns the next NAL unit whose start code is at `at` or later.
std::optional<NalUnit> next_nal(std::span<const uint8_t> unit, size_t at) {
  for (; at + 3 < unit.size(); ++at) {
    const void* one = std::memchr(unit.data() + at + 2, 1, unit.size() - at - 3);
    if (one == nullptr) break;
    at = static_cast<size_t>(static_cast<const uint8_t*>(one) - unit.data()) - 2;
    if (unit[at] == 0 && unit[at + 1] == 0) return NalUnit{at + kStartCode, unit[at + kStartCode]};
  }
  return std::nullopt;
}

// Zeros may follow a NAL unit.
std::span<const uint8_t> without_zeros(std::span<const uint8_t> nal) {
  while (!nal.empty() && nal.back() == 0) nal = nal.first(nal.size() - 1);
  return nal;
}

// Returns true for a sequence parameter set.
bool add_h264(uint8_t head, NalFacts& facts) {
  constexpr int kSlice = 1, kIdr = 5, kSequence = 7;
  const int type = head & 0x1f;
  facts.key |= type == kIdr;
  facts.reference |= (type == kSlice || type == kIdr) && (head & 0x60) != 0;
  return type == kSequence;
}

bool add_h265(uint8_t head, NalFacts& facts) {
  constexpr int kRaslN = 8, kRaslR = 9, kFirstIrap = 16, kLastIrap = 23, kLastSlice = 31;
  constexpr int kSequence = 33;
  const int type = (head >> 1) & 0x3f;
  facts.key |= type >= kFirstIrap && type <= kLastIrap;
  // Below 16, even numbers are pictures on which no other of their layer depends.
  facts.reference |= type <= kLastSlice && (type >= kFirstIrap || type % 2 != 0);
  facts.skipped |= type == kRaslN || type == kRaslR;
  return type == kSequence;
}

// The first sequence header among the open bitstream units, which have sizes.
std::span<const uint8_t> av1_header(std::span<const uint8_t> unit) {
  constexpr int kSequence = 1;
  while (!unit.empty()) {
    const uint8_t head = unit[0];
    const bool extended = (head & 4) != 0;
    const bool sized = (head & 2) != 0;
    size_t at = extended ? 2 : 1;
    uint64_t bytes = 0;
    for (int shift = 0; sized; shift += 7) {
      if (at >= unit.size() || shift > 28) return {};
      bytes |= uint64_t{unit[at] & 0x7fU} << shift;
      if ((unit[at++] & 0x80) == 0) break;
    }
    if (at > unit.size()) return {};
    if (!sized) bytes = unit.size() - at;
    if (bytes > unit.size() - at) return {};
    const auto content = unit.subspan(at, static_cast<size_t>(bytes));
    if (((head >> 3) & 15) == kSequence) return content;
    unit = unit.subspan(at + static_cast<size_t>(bytes));
  }
  return {};
}

// Up to the height: after eight bits, the code 49 83 42, colours, and the width.
std::span<const uint8_t> vp9_header(std::span<const uint8_t> unit) {
  constexpr size_t kBytes = 9;
  return unit.size() < kBytes ? std::span<const uint8_t>() : unit.first(kBytes);
}

// The start of frame: all of it.
std::span<const uint8_t> jpeg_header(std::span<const uint8_t> unit) {
  constexpr uint8_t kMarker = 0xff, kFirstFrame = 0xc0, kLastFrame = 0xcf, kScan = 0xda;
  for (size_t at = 2; at + 4 <= unit.size();) {
    const uint8_t kind = unit[at + 1];
    if (unit[at] != kMarker || kind == kScan) break;
    const size_t bytes = size_t{2} + (size_t{unit[at + 2]} << 8 | unit[at + 3]);
    if (bytes > unit.size() - at) break;
    // Three of these numbers are of tables.
    const bool frame =
        kind >= kFirstFrame && kind <= kLastFrame && kind != 0xc4 && kind != 0xc8 && kind != 0xcc;
    if (frame) return unit.subspan(at, bytes);
    at += bytes;
  }
  return {};
}

constexpr std::array<CarriedCodec, 5> kCarriedCodecs = {{
    {AV_CODEC_ID_H264, CodecId::kH264, "h264_mp4toannexb"},
    {AV_CODEC_ID_HEVC, CodecId::kH265, "hevc_mp4toannexb"},
    {AV_CODEC_ID_AV1, CodecId::kAv1, "null"},
    {AV_CODEC_ID_VP9, CodecId::kVp9, "null"},
    {AV_CODEC_ID_MJPEG, CodecId::kMjpeg, "null"},
}};

codecs::PictureColor color_of(const AVFrame& frame) {
  return {static_cast<codecs::ColorMatrix>(matrix_of(frame)),
          is_full_range(frame) ? codecs::ColorRange::kFull : codecs::ColorRange::kLimited};
}

int display_width_of(int width, AVRational aspect) {
  return std::max(1, static_cast<int>(std::lround(width * MediaFile::usual_aspect(aspect))));
}

// Pictures that receivers show without further work.
bool is_plain(int format) {
  const sail_pixel_format native = format < 0 ? sail_pixel_format{} : native_format(format);
  return native == SAIL_I420 || native == SAIL_I422;
}
constexpr const char* kNotPlain = "has pictures that are not of 8 bits, 4:2:0 or 4:2:2";
constexpr const char* kWide = "has colours that must be converted";
constexpr const char* kInterlaced = "is interlaced (--deinterlace off shows it as it is)";

bool is_stream_upright(const AVStream& stream) {
  const auto matrix = stream_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX);
  std::array<int32_t, 9> values{};
  if (matrix.size() < sizeof(values)) return true;
  std::memcpy(values.data(), matrix.data(), sizeof(values));
  return orientation_of(values).is_upright();
}

}  // namespace

const CarriedCodec* carried_codec(AVCodecID id) {
  const auto* found = std::ranges::find(kCarriedCodecs, id, &CarriedCodec::av);
  return found == kCarriedCodecs.end() ? nullptr : found;
}

UnitShape shape_of_film(const AVStream& stream) {
  const AVCodecParameters& film = *stream.codecpar;
  const AVRational aspect =
      stream.sample_aspect_ratio.num > 0 ? stream.sample_aspect_ratio : film.sample_aspect_ratio;
  UnitShape shape{.size = {film.width, film.height},
                  .display_width = display_width_of(film.width, aspect),
                  .color = {codecs::ColorMatrix::kBt709, codecs::ColorRange::kLimited},
                  .reorder = std::clamp(film.video_delay, 0, kMaxUnitReorder)};
  const AvFramePtr like(av_frame_alloc());
  if (!like) return shape;
  like->format = film.format;
  like->width = film.width;
  like->height = film.height;
  like->colorspace = film.color_space;
  like->color_range = film.color_range;
  shape.color = color_of(*like);
  return shape;
}

UnitShape shape_of(const DecodedKey& key, const AVStream& stream) {
  const AVFrame& frame = *key.frame;
  const AVRational aspect =
      frame.sample_aspect_ratio.num > 0 ? frame.sample_aspect_ratio : stream.sample_aspect_ratio;
  return {.size = {frame.width, frame.height},
          .display_width = display_width_of(frame.width, aspect),
          .color = color_of(frame),
          .reorder = std::clamp(key.reorder, 0, kMaxUnitReorder)};
}

std::string fault_of_carried(const AVStream& stream, const MediaOptions& options) {
  const AVCodecParameters& film = *stream.codecpar;
  if (carried_codec(film.codec_id) == nullptr) {
    return fmt::format("is {}, and only H.264, H.265, AV1, VP9 and MJPEG can be sent undecoded",
                       avcodec_get_name(film.codec_id));
  }
  if (!is_plain(film.format)) return kNotPlain;
  const auto wide = source_color(static_cast<unsigned>(film.color_primaries),
                                 static_cast<unsigned>(film.color_trc));
  if (color_to_convert(wide, options.display)) return kWide;
  if (film.field_order > AV_FIELD_PROGRESSIVE && options.deinterlacing != Deinterlacing::kOff) {
    return kInterlaced;
  }
  if (!is_stream_upright(stream)) return "is turned or mirrored";
  return "";
}

std::string fault_of_change(const AVFrame& frame, const MediaOptions& options) {
  if (!is_plain(frame.format)) return kNotPlain;
  if (color_to_convert(frame, options.display)) return kWide;
  if (is_interlaced(frame) && options.deinterlacing != Deinterlacing::kOff) return kInterlaced;
  return "";
}

NalFacts nal_facts(CodecId codec, std::span<const uint8_t> unit) {
  NalFacts facts;
  size_t parameters = 0;  // where they begin
  for (auto nal = next_nal(unit, 0); nal; nal = next_nal(unit, nal->begin)) {
    if (parameters != 0 && facts.parameters.empty()) {
      facts.parameters = without_zeros(unit.first(nal->begin - kStartCode).subspan(parameters));
    }
    const bool sequence =
        codec == CodecId::kH264 ? add_h264(nal->head, facts) : add_h265(nal->head, facts);
    if (sequence && parameters == 0) parameters = nal->begin;
  }
  if (parameters != 0 && facts.parameters.empty()) {
    facts.parameters = without_zeros(unit.subspan(parameters));
  }
  return facts;
}

std::span<const uint8_t> picture_header(CodecId codec, std::span<const uint8_t> key) {
  switch (codec) {
    case CodecId::kH264:
    case CodecId::kH265:
      return nal_facts(codec, key).parameters;
    case CodecId::kAv1:
      return av1_header(key);
    case CodecId::kVp9:
      return vp9_header(key);
    case CodecId::kMjpeg:
      return jpeg_header(key);
    default:
      return {};
  }
}

Result<DecodedKey> decode_key(const AVCodecParameters& film, std::span<const uint8_t> key,
                              void* log_owner) {
  const AVCodec* codec = avcodec_find_decoder(film.codec_id);
  const AvPtr<AVCodecContext> decoder(avcodec_alloc_context3(codec));
  const AvPtr<AVPacket> packet(av_packet_alloc());
  DecodedKey decoded{.frame = AvFramePtr(av_frame_alloc())};
  const auto refuse = [](const char* why) { return fail(ErrorCode::kBadData, why); };
  if (codec == nullptr || !decoder || !packet || !decoded.frame) return refuse("no decoder");
  if (avcodec_parameters_to_context(decoder.get(), &film) < 0) return refuse("no decoder");
  // A much lower picture of Motion JPEG would be taken for a field.
  decoder->width = decoder->height = decoder->coded_width = decoder->coded_height = 0;
  decoder->opaque = log_owner;
  decoder->thread_count = 1;
  decoder->max_pixels = int64_t{kMaxFrameSide} * kMaxFrameSide;
  if (avcodec_open2(decoder.get(), codec, nullptr) < 0) return refuse("no decoder");
  // A copy: decoders read beyond the end.
  if (av_new_packet(packet.get(), static_cast<int>(key.size())) < 0) return refuse("no memory");
  std::memcpy(packet->data, key.data(), key.size());
  int done = avcodec_send_packet(decoder.get(), packet.get());
  if (done >= 0) done = avcodec_send_packet(decoder.get(), nullptr);
  if (done >= 0) done = avcodec_receive_frame(decoder.get(), decoded.frame.get());
  if (done < 0 || decoded.frame->decode_error_flags != 0 ||
      (decoded.frame->flags & AV_FRAME_FLAG_CORRUPT) != 0) {
    return refuse("the key picture is damaged");
  }
  decoded.reorder = decoder->has_b_frames;
  return decoded;
}

}  // namespace sail
