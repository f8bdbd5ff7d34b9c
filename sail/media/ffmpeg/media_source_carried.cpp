#include "sail/media/ffmpeg/media_source_carried.h"

extern "C" {
#include <libavcodec/bsf.h>
}

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "sail/media/ffmpeg/media_source_display.h"
#include "sail/media/ffmpeg/media_source_file.h"
#include "sail/media/ffmpeg/media_source_formats.h"
#include "sail/media/ffmpeg/media_source_frames.h"
#include "sail/media/source/recycler.h"
#include "sail/media/source/source_color.h"
#include "sail/media/source/unit_frames.h"

namespace sail {
namespace {

using codecs::CodecId;

struct FreeFilter {
  void operator()(AVBSFContext* filter) const { av_bsf_free(&filter); }
};
using AvFilterPtr = std::unique_ptr<AVBSFContext, FreeFilter>;

// So that receivers can decode several pictures at a time. Live sources must not wait for it.
constexpr int kFilmAhead = 2;
// A larger step back of the time stamps is a jump.
constexpr int64_t kLongestStepBack = 1'000'000'000;
// The index may lead past the place that is sought.
constexpr std::array<int64_t, 3> kSeekEarlier = {0, 3'000'000'000, 15'000'000'000};

struct Carried {
  AVCodecID av;
  CodecId codec;
  const char* filter;  // makes access units that need no data of the container
};
constexpr std::array<Carried, 5> kCarriedCodecs = {{
    {AV_CODEC_ID_H264, CodecId::kH264, "h264_mp4toannexb"},
    {AV_CODEC_ID_HEVC, CodecId::kH265, "hevc_mp4toannexb"},
    {AV_CODEC_ID_AV1, CodecId::kAv1, "null"},
    {AV_CODEC_ID_VP9, CodecId::kVp9, "null"},
    {AV_CODEC_ID_MJPEG, CodecId::kMjpeg, "null"},
}};

const Carried* carried_of(AVCodecID id) {
  const auto* found = std::ranges::find(kCarriedCodecs, id, &Carried::av);
  return found == kCarriedCodecs.end() ? nullptr : found;
}

// What the network abstraction layer units of an access unit show about it.
struct NalFacts {
  bool key = false;
  bool parameters = false;
  bool reference = false;
  bool skipped = false;  // H.265: depends on pictures before the key picture (RASL)
};

void add_h264(uint8_t head, NalFacts& facts) {
  constexpr int kSlice = 1, kIdr = 5, kSequence = 7;
  const int type = head & 0x1f;
  facts.key |= type == kIdr;
  facts.parameters |= type == kSequence;
  facts.reference |= (type == kSlice || type == kIdr) && (head & 0x60) != 0;
}

void add_h265(uint8_t head, NalFacts& facts) {
  constexpr int kRaslN = 8, kRaslR = 9, kFirstIrap = 16, kLastIrap = 23, kLastSlice = 31;
  constexpr int kSequence = 33;
  const int type = (head >> 1) & 0x3f;
  facts.key |= type >= kFirstIrap && type <= kLastIrap;
  facts.parameters |= type == kSequence;
  // Below 16, even numbers are pictures on which no other of their layer depends.
  facts.reference |= type <= kLastSlice && (type >= kFirstIrap || type % 2 != 0);
  facts.skipped |= type == kRaslN || type == kRaslR;
}

// Annex B: each NAL unit follows a start code, 00 00 01.
NalFacts nal_facts(CodecId codec, std::span<const uint8_t> unit) {
  NalFacts facts;
  for (size_t at = 0; at + 3 < unit.size(); ++at) {
    const void* one = std::memchr(unit.data() + at + 2, 1, unit.size() - at - 3);
    if (one == nullptr) break;
    at = static_cast<size_t>(static_cast<const uint8_t*>(one) - unit.data()) - 2;
    if (unit[at] != 0 || unit[at + 1] != 0) continue;
    codec == CodecId::kH264 ? add_h264(unit[at + 3], facts) : add_h265(unit[at + 3], facts);
  }
  return facts;
}

codecs::PictureColor color_of_film(const AVCodecParameters& film) {
  AvFramePtr like(av_frame_alloc());
  if (!like) return {codecs::ColorMatrix::kBt709, codecs::ColorRange::kLimited};
  like->format = film.format;
  like->width = film.width;
  like->height = film.height;
  like->colorspace = film.color_space;
  like->color_range = film.color_range;
  return {static_cast<codecs::ColorMatrix>(matrix_of(*like)),
          is_full_range(*like) ? codecs::ColorRange::kFull : codecs::ColorRange::kLimited};
}

bool is_stream_upright(const AVStream& stream) {
  const auto matrix = stream_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX);
  std::array<int32_t, 9> values{};
  if (matrix.size() < sizeof(values)) return true;
  std::memcpy(values.data(), matrix.data(), sizeof(values));
  return orientation_of(values).is_upright();
}

// Why receivers cannot show the film's pictures as they are; a phrase. Empty: they can.
std::string fault_of_carried(const AVStream& stream, const MediaOptions& options) {
  const AVCodecParameters& film = *stream.codecpar;
  if (carried_of(film.codec_id) == nullptr) {
    return fmt::format("is {}, and only H.264, H.265, AV1, VP9 and MJPEG can be sent undecoded",
                       avcodec_get_name(film.codec_id));
  }
  const sail_pixel_format format =
      film.format < 0 ? sail_pixel_format{} : native_format(film.format);
  if (format != SAIL_I420 && format != SAIL_I422) {
    return "has pictures that are not of 8 bits, 4:2:0 or 4:2:2";
  }
  const auto wide = source_color(static_cast<unsigned>(film.color_primaries),
                                 static_cast<unsigned>(film.color_trc));
  if (color_to_convert(wide, options.display)) return "has colours that must be converted";
  if (film.field_order > AV_FIELD_PROGRESSIVE && options.deinterlacing != Deinterlacing::kOff) {
    return "is interlaced (--deinterlace off shows it as it is)";
  }
  if (!is_stream_upright(stream)) return "is turned or mirrored";
  return "";
}

class CarriedSource : public Source {
 public:
  CarriedSource(const std::string& name, const MediaOptions& options)
      : options_(options), file_(name, options), packet_(av_packet_alloc()) {}

  Result<void> open();

  const SourceInfo& info() const override { return info_; }
  Result<std::optional<Picture>> next() override;
  Result<void> seek(int64_t position_ns) override;
  std::optional<std::string> take_complaint() override { return file_.take_complaint(); }
  uint64_t take_left_out() override { return file_.take_left_out() + frames_->take_left_out(); }
  ReadFigures read_figures() const override { return file_.read_figures(); }

 private:
  struct Held {
    std::vector<uint8_t> block;
    uint32_t length = 0;
  };

  Result<void> open_filter();
  std::optional<UnitFrames::Frame> take();
  // Begins again with the next key picture, and takes the frame shown at that time.
  void begin_at(int64_t position_ns);
  // Reads the next packet into the frames.
  void read();
  void add(const AVPacket& packet);
  // Whether the units begin again with this one, because the film's time stamps went back.
  bool begins_again(const AccessUnit& unit) const;
  Picture to_picture(UnitFrames::Frame frame);

  const MediaOptions options_;
  MediaFile file_;
  AvPtr<AVPacket> packet_;
  AvFilterPtr filter_;
  const Carried* codec_ = nullptr;
  SourceInfo info_;
  Size size_;
  int display_width_ = 0;
  codecs::PictureColor color_;
  std::optional<UnitFrames> frames_;
  std::optional<int64_t> key_ns_;  // time of the first key picture since the beginning or a seek
  std::vector<uint8_t> unit_;      // with parameter sets
  // The first unit after a step back, while frames before it are left.
  struct Next {
    std::vector<uint8_t> bytes;
    AccessUnit unit;
    int64_t duration_ns = 0;
  };
  std::optional<Next> next_;
  bool at_end_ = false;
  bool untimed_ = false;                    // a picture has no presentation time
  std::optional<UnitFrames::Frame> first_;  // taken after open() or seek()
  int64_t begins_ns_ = 0;
  Recycler<Held> memory_;
};

Result<void> CarriedSource::open() {
  if (!packet_) return fail(ErrorCode::kLimit, "out of memory");
  if (auto opened = file_.open(MediaConnection::Probe::kPictures); !opened) return opened;
  const AVStream& stream = file_.stream();
  const AVCodecParameters& film = *stream.codecpar;
  std::string fault =
      file_.is_numbered() ? "is numbered files" : fault_of_carried(stream, options_);
  if (!fault.empty()) {
    return fail(ErrorCode::kBadData,
                fmt::format("{} cannot be sent with --codec carried: it {}", file_.url(), fault));
  }
  codec_ = carried_of(film.codec_id);
  size_ = {film.width, film.height};
  const AVRational aspect =
      stream.sample_aspect_ratio.num > 0 ? stream.sample_aspect_ratio : film.sample_aspect_ratio;
  display_width_ =
      std::max(1, static_cast<int>(std::lround(film.width * MediaFile::usual_aspect(aspect))));
  color_ = color_of_film(film);
  info_ = file_.info();
  info_.stored = StreamCodec{.id = codec_->codec};
  frames_.emplace(UnitFrames::Depth{.reorder = std::clamp(film.video_delay, 0, kMaxUnitReorder),
                                    .ahead = info_.live ? 0 : kFilmAhead});
  if (auto opened = open_filter(); !opened) return opened;
  first_ = take();
  if (untimed_) {
    return fail(ErrorCode::kBadData,
                fmt::format("{} cannot be sent with --codec carried: it has no presentation times",
                            file_.url()));
  }
  if (!first_)
    return fail(ErrorCode::kBadData, fmt::format("{}: no key picture found", file_.url()));
  begins_ns_ = first_->time_ns;
  return {};
}

Result<void> CarriedSource::open_filter() {
  AVBSFContext* filter = nullptr;
  int done = av_bsf_alloc(av_bsf_get_by_name(codec_->filter), &filter);
  filter_.reset(filter);
  if (done >= 0) done = avcodec_parameters_copy(filter->par_in, file_.stream().codecpar);
  if (done >= 0) {
    filter->time_base_in = file_.stream().time_base;
    done = av_bsf_init(filter);
  }
  if (done >= 0) return {};
  return fail(ErrorCode::kBadData,
              fmt::format("{}: {}: {}", file_.url(), codec_->filter, file_.error_text(done)));
}

Result<std::optional<Picture>> CarriedSource::next() {
  auto frame = first_ ? std::exchange(first_, std::nullopt) : take();
  if (!frame) return std::nullopt;
  return to_picture(*std::move(frame));
}

std::optional<UnitFrames::Frame> CarriedSource::take() {
  for (;;) {
    if (auto frame = frames_->next()) return frame;
    if (next_) {
      const Next next = *std::exchange(next_, std::nullopt);
      frames_->restart(INT64_MIN);
      AccessUnit unit = next.unit;
      unit.bytes = next.bytes;
      key_ns_ = unit.time_ns;
      frames_->add(unit, next.duration_ns);
      continue;
    }
    if (at_end_) return std::nullopt;
    read();
  }
}

void CarriedSource::begin_at(int64_t position_ns) {
  at_end_ = false;
  next_.reset();
  key_ns_.reset();
  frames_->restart(position_ns);
  first_ = take();
}

void CarriedSource::read() {
  if (!file_.read(*packet_)) {
    at_end_ = true;
    file_.note_early_end();
    // What a silent live source still holds back is old.
    if (!file_.fell_silent()) frames_->end();
    return;
  }
  const int sent = av_bsf_send_packet(filter_.get(), packet_.get());
  if (sent < 0) {
    av_packet_unref(packet_.get());
    file_.note_damage(sent);
    return;
  }
  while (av_bsf_receive_packet(filter_.get(), packet_.get()) >= 0) {
    add(*packet_);
    av_packet_unref(packet_.get());
  }
}

void CarriedSource::add(const AVPacket& packet) {
  if (packet.size <= 0) return;
  AccessUnit unit{.bytes = {packet.data, static_cast<size_t>(packet.size)}};
  unit.time_ns = file_.film_time_ns(packet.pts != AV_NOPTS_VALUE ? packet.pts : packet.dts);
  untimed_ |= packet.pts == AV_NOPTS_VALUE && file_.stream().codecpar->video_delay > 0;
  const int64_t duration_ns = file_.duration_ns(packet.duration, nullptr);
  file_.expect(unit.time_ns + duration_ns);
  unit.key = (packet.flags & AV_PKT_FLAG_KEY) != 0;
  if (codec_->codec == CodecId::kH264 || codec_->codec == CodecId::kH265) {
    const NalFacts facts = nal_facts(codec_->codec, unit.bytes);
    unit.key = codec_->codec == CodecId::kH264 ? facts.key || unit.key : facts.key;
    unit.reference = facts.reference;
    // Pictures that are shown before the first key picture depend on earlier ones.
    const bool leading = key_ns_ && unit.time_ns < *key_ns_ && !unit.key;
    if (leading && (facts.skipped || codec_->codec == CodecId::kH264)) return;
    if (unit.key && !facts.parameters) {
      const AVCodecParameters& film = *filter_->par_out;
      unit_.assign(film.extradata, film.extradata + film.extradata_size);
      unit_.insert(unit_.end(), unit.bytes.begin(), unit.bytes.end());
      unit.bytes = unit_;
    }
  }
  if (unit.key && begins_again(unit)) {
    next_ = Next{{unit.bytes.begin(), unit.bytes.end()}, unit, duration_ns};
    return frames_->end();
  }
  if (unit.key && !key_ns_) key_ns_ = unit.time_ns;
  // Edit lists hide pictures on which others depend.
  frames_->add(unit, duration_ns, (packet.flags & AV_PKT_FLAG_DISCARD) == 0);
}

bool CarriedSource::begins_again(const AccessUnit& unit) const {
  const auto shown_ns = frames_->shown_ns();
  return shown_ns && unit.time_ns < *shown_ns - kLongestStepBack;
}

Result<void> CarriedSource::seek(int64_t position_ns) {
  const int64_t begin_ns = std::min<int64_t>(begins_ns_, 0);
  if (position_ns <= 0) position_ns = begin_ns;
  for (const int64_t earlier_ns : kSeekEarlier) {
    if (!file_.jump_before(std::max(position_ns - earlier_ns, begin_ns))) break;
    av_bsf_flush(filter_.get());
    begin_at(position_ns);
    if (first_ && first_->time_ns <= std::max(position_ns, begins_ns_)) return {};
  }
  if (!file_.repeatable()) {
    return fail(ErrorCode::kUnavailable, fmt::format("cannot seek in {}", file_.url()));
  }
  auto opened =
      file_.open(MediaConnection::Probe::kPictures).and_then([this] { return open_filter(); });
  if (!opened) return opened;
  begin_at(position_ns);
  return {};
}

Picture CarriedSource::to_picture(UnitFrames::Frame frame) {
  auto loan = memory_.take();
  frames_->reuse(std::move(loan->memory.block));
  loan->memory.block = std::move(frame.block);
  loan->memory.length = static_cast<uint32_t>(loan->memory.block.size());
  const auto rounded = [](int side) {
    return (side + kScalableBlockStep - 1) / kScalableBlockStep * kScalableBlockStep;
  };
  Picture picture;
  picture.size = size_;
  picture.display_size = {display_width_, size_.height};
  picture.compressed = {.codec = {.id = codec_->codec},
                        .bytes = loan->memory.block,
                        .lengths = {&loan->memory.length, 1},
                        .block_size = {rounded(size_.width), rounded(size_.height)},
                        .color = color_};
  picture.pts_ns = frame.time_ns;
  picture.duration_ns = frame.duration_ns;
  memory_.lend(std::move(loan), picture);
  return picture;
}

}  // namespace

Result<std::unique_ptr<Source>> open_carried(const std::string& name, const MediaOptions& options) {
  auto source = std::make_unique<CarriedSource>(name, options);
  if (auto opened = source->open(); !opened) return opened.error();
  return std::unique_ptr<Source>(std::move(source));
}

}  // namespace sail
