#include "sail/media/ffmpeg/media_source.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "sail/media/ffmpeg/media_source_convert.h"
#include "sail/media/ffmpeg/media_source_deinterlace.h"
#include "sail/media/ffmpeg/media_source_file.h"
#include "sail/media/ffmpeg/media_source_input.h"
#include "sail/media/source/film_time.h"

namespace sail {
namespace {

// Distances before the wanted time from which decoding starts, tried in turn if the index led past
// that time. The first time, frames that end before it are left out; the second time, they are not,
// because one of them is shown until then if the film pauses.
constexpr int64_t kStepsBack[] = {0, 0, 2'000'000'000, 10'000'000'000};
// Decoders read ahead, and containers state durations roughly. The last picture is decoded.
constexpr int64_t kWholeEndNs = 2'000'000'000;
constexpr size_t kMaxPictureTimes = 1 << 24;

Error indivisible(const MediaFile& file, const std::string& why) {
  return fail(ErrorCode::kBadData,
              fmt::format("{} cannot be divided into shards: {}", file.url(), why));
}

// Reads all packets. Those that the container hides are decoded, but not shown.
Result<std::vector<PictureTime>> read_picture_times(MediaFile& file) {
  const AvPtr<AVPacket> packet(av_packet_alloc());
  if (!packet) return fail(ErrorCode::kLimit, "out of memory");
  std::vector<PictureTime> times;
  std::optional<int64_t> key_ns;  // time of the last key picture
  while (file.read(*packet)) {
    const bool stamped = packet->pts != AV_NOPTS_VALUE;
    const bool key = (packet->flags & AV_PKT_FLAG_KEY) != 0;
    const bool hidden = (packet->flags & AV_PKT_FLAG_DISCARD) != 0;
    const int64_t pts_ns = stamped ? file.film_time_ns(packet->pts) : 0;
    av_packet_unref(packet.get());
    if (hidden) continue;
    if (!stamped || (key && key_ns && pts_ns <= *key_ns)) {
      return indivisible(file, "time stamps are missing or jump back");
    }
    if (key) key_ns = pts_ns;
    if (times.size() >= kMaxPictureTimes) {
      return indivisible(file, fmt::format("it has more than {} pictures", kMaxPictureTimes));
    }
    times.push_back({pts_ns, key});
  }
  return times;
}

}  // namespace

class MediaSource::Impl {
 public:
  Impl(const std::string& url, const MediaOptions& options)
      : url_(url),
        size_(options.size),
        keep_alpha_(options.keep_alpha),
        display_(options.display),
        combs_(options.combs),
        input_(url, options),
        deinterlacer_(options.deinterlacing, options.threads),
        converter_({.size = options.size,
                    .keep_alpha = options.keep_alpha,
                    .for_j2k = options.for_j2k,
                    .rgb = options.rgb,
                    .threads = options.threads,
                    .display = options.display}) {}

  Result<void> open();
  Result<std::optional<Picture>> next();
  Result<void> seek(int64_t position_ns);

  const SourceInfo& info() const { return info_; }
  std::optional<std::string> take_complaint();
  void leave_out(const Late& late) { late_ = late; }
  uint64_t take_left_out();
  ReadFigures read_figures() const { return input_.read_figures(); }
  Result<void> choose_subtitles(const SubtitleChoice& choice) {
    return input_.subtitles().choose(choice);
  }

 private:
  // The next progressive frame; empty at the end.
  std::optional<Decoded> decode();
  // The next frame that is not late, or the last one.
  std::optional<Decoded> decode_in_time();
  // True if the decoder may leave out frames after this one.
  bool may_hurry(const Decoded& decoded) const;
  // Decodes up to the frame shown at that time; false if decoding began after it.
  bool decode_up_to(int64_t position_ns);
  // Fails if frames that must be deinterlaced could not be.
  Result<void> check_deinterlaced() const;
  Result<Picture> to_picture(Decoded decoded);
  Result<void> draw_subtitles(ConvertedFrame& converted, const SubtitleRenderer::View& view,
                              int64_t at_ns);

  const std::string url_;
  const std::optional<Size> size_;
  const bool keep_alpha_;
  const codecs::DisplayColor display_;
  const Combs combs_;
  MediaInput input_;
  Deinterlacer deinterlacer_;
  FrameConverter converter_;
  SourceInfo info_;
  double film_fps_ = 0;    // nominal, of decoded frames; 0: unknown
  int64_t begins_ns_ = 0;  // film time of the first frame
  // Decoded but not returned yet: at most two, after open() or seek().
  std::optional<Decoded> first_;
  std::optional<Decoded> second_;
  Late late_;  // empty: no picture is late
  uint64_t left_out_ = 0;
  bool told_of_combs_ = false;
};

Result<void> MediaSource::Impl::open() {
  auto opened = input_.open();
  if (!opened) return opened;
  film_fps_ = frames_a_second(input_.info().rate);
  if (auto first = input_.decode_first()) deinterlacer_.add(*std::move(first), film_fps_);
  first_ = decode();
  if (!first_) {
    if (auto stopped = input_.stopped()) return fail(ErrorCode::kBadData, *std::move(stopped));
    const std::string& fault = input_.fault();
    return fail(ErrorCode::kBadData, fault.empty() ? fmt::format("{}: no frame could be decoded{}",
                                                                 url_, input_.sent_once())
                                                   : fmt::format("{}: {}", url_, fault));
  }
  if (auto checked = check_deinterlaced(); !checked) return checked;
  begins_ns_ = first_->pts_ns;
  info_ = input_.info();
  info_.subtitles = input_.subtitles().tracks();
  if (deinterlacer_.by_field()) info_.rate.numerator *= 2;
  return {};
}

std::optional<Decoded> MediaSource::Impl::decode() {
  for (;;) {
    if (auto ready = deinterlacer_.take()) return ready;
    auto decoded = input_.decode();
    if (decoded) {
      deinterlacer_.add(std::move(*decoded), film_fps_);
      continue;
    }
    input_.fell_silent() ? deinterlacer_.reset() : deinterlacer_.finish();
    return deinterlacer_.take();
  }
}

std::optional<Decoded> MediaSource::Impl::decode_in_time() {
  std::optional<Decoded> decoded = decode();
  if (!late_) return decoded;
  bool late = false;
  while (decoded && late_(decoded->pts_ns, decoded->duration_ns)) {
    late = true;
    input_.hurry(may_hurry(*decoded));
    std::optional<Decoded> following = decode();
    if (!following) break;
    ++left_out_;
    decoded = std::move(following);
  }
  if (!late) input_.hurry(false);
  return decoded;
}

// The filter for interlaced frames needs each frame.
bool MediaSource::Impl::may_hurry(const Decoded& decoded) const {
  return deinterlacer_.lead_ns() == 0 && decoded.pts_ns + kWholeEndNs < info_.duration_ns;
}

Result<std::optional<Picture>> MediaSource::Impl::next() {
  std::optional<Decoded> decoded = std::exchange(first_, std::nullopt);
  if (decoded) {
    first_ = std::exchange(second_, std::nullopt);
  } else {
    decoded = decode_in_time();
  }
  if (auto checked = check_deinterlaced(); !checked) return checked.error();
  if (!decoded) {
    if (auto stopped = input_.stopped()) return fail(ErrorCode::kBadData, *std::move(stopped));
    return std::nullopt;
  }
  auto picture = to_picture(std::move(*decoded));
  if (!picture) return picture.error();
  return std::optional<Picture>(std::move(*picture));
}

Result<void> MediaSource::Impl::seek(int64_t position_ns) {
  // Some films have pictures before time 0. The beginning is the first picture.
  const int64_t begin_ns = std::min<int64_t>(begins_ns_, 0);
  if (position_ns <= 0) position_ns = begin_ns;
  input_.read_subtitles_before(position_ns);
  // The filter for interlaced frames needs each frame.
  bool leaves_out = deinterlacer_.lead_ns() == 0;
  for (const int64_t back : kStepsBack) {
    const int64_t from_ns = position_ns - back - deinterlacer_.lead_ns();
    if (!input_.jump_before(std::max(from_ns, begin_ns))) break;
    deinterlacer_.reset();
    first_.reset();
    second_.reset();
    if (leaves_out) input_.leave_out_before(position_ns);
    const bool reached = decode_up_to(position_ns);
    input_.leave_out_before(std::nullopt);
    if (reached && first_->pts_ns >= input_.left_out_to_ns()) return {};
    leaves_out = false;
  }
  // The index is missing or wrong: decode from the beginning.
  if (!input_.repeatable()) {
    return fail(ErrorCode::kUnavailable,
                fmt::format("cannot seek in {}: its data is sent only once", url_));
  }
  auto opened = input_.open();
  if (!opened) return opened;
  deinterlacer_.reset();
  first_.reset();
  second_.reset();
  decode_up_to(position_ns);
  return {};
}

bool MediaSource::Impl::decode_up_to(int64_t position_ns) {
  std::optional<Decoded> before;
  while (std::optional<Decoded> decoded = decode()) {
    if (decoded->pts_ns <= position_ns) {
      before = std::move(decoded);
      continue;
    }
    if (!before) {
      // Later than requested, which is right only for the film's first frame.
      first_ = std::move(decoded);
      return first_->pts_ns <= begins_ns_;
    }
    first_ = std::move(before);
    second_ = std::move(decoded);
    return true;
  }
  first_ = std::move(before);
  return first_.has_value();
}

Result<void> MediaSource::Impl::check_deinterlaced() const {
  if (combs_ != Combs::kRefused || deinterlacer_.fault().empty()) return {};
  return fail(ErrorCode::kBadData, fmt::format("{} {}: --deinterlace off leaves it as it is", url_,
                                               deinterlacer_.fault()));
}

uint64_t MediaSource::Impl::take_left_out() {
  const uint64_t combs = deinterlacer_.take_failed();
  return input_.take_left_out() + std::exchange(left_out_, 0) +
         (combs_ == Combs::kCounted ? combs : 0);
}

std::optional<std::string> MediaSource::Impl::take_complaint() {
  if (!deinterlacer_.fault().empty() && !std::exchange(told_of_combs_, true)) {
    return fmt::format("{} {}: moving edges are combs", url_, deinterlacer_.fault());
  }
  return input_.take_complaint();
}

Result<Picture> MediaSource::Impl::to_picture(Decoded decoded) {
  const Orientation orientation = input_.orientation(*decoded.frame);
  const double aspect = size_ ? 1 : input_.pixel_aspect(*decoded.frame);
  SubtitleRenderer::View view{.picture = {},
                              .stored = {decoded.frame->width, decoded.frame->height},
                              .pixel_aspect = aspect};
  if (orientation.swaps_sides()) {
    std::swap(view.stored.width, view.stored.height);
    view.pixel_aspect = 1 / aspect;
  }
  auto converted = converter_.convert(std::move(decoded.frame), orientation);
  if (!converted) {
    return fail(converted.error().code, fmt::format("{}: {}", url_, converted.error().message));
  }
  view.picture = {converted->frame->width, converted->frame->height};
  if (auto drawn = draw_subtitles(*converted, view, decoded.pts_ns); !drawn) return drawn.error();
  Picture picture = sail::to_picture(std::move(*converted));
  int& stretched =
      orientation.swaps_sides() ? picture.display_size.height : picture.display_size.width;
  stretched = std::max(1, static_cast<int>(std::lround(stretched * aspect)));
  picture.pts_ns = decoded.pts_ns;
  picture.duration_ns = decoded.duration_ns;
  return picture;
}

Result<void> MediaSource::Impl::draw_subtitles(ConvertedFrame& converted,
                                               const SubtitleRenderer::View& view, int64_t at_ns) {
  FilmSubtitles& subtitles = input_.subtitles();
  if (!subtitles.prepare(view, at_ns)) return {};
  if (auto writable = converter_.make_writable(converted); !writable) return writable;
  AVFrame& frame = *converted.frame;
  const sail_frame& pixels = converted.pixels;
  subtitles.blend({.size = view.picture,
                   .format = pixels.format,
                   .bits = pixels.bits,
                   .matrix = pixels.matrix,
                   .range = pixels.range,
                   .transparent = keep_alpha_,
                   .display = display_,
                   .planes = {frame.data[0], frame.data[1], frame.data[2]},
                   .strides = {frame.linesize[0], frame.linesize[1], frame.linesize[2]}});
  return {};
}

Result<std::unique_ptr<MediaSource>> MediaSource::open(const std::string& url,
                                                       const MediaOptions& options) {
  if (url == kStandardInput && !options.descriptor) {
    MediaOptions input = options;
    input.descriptor = STDIN_FILENO;
    return open("standard input", input);
  }
  auto impl = std::make_unique<Impl>(url, options);
  auto opened = impl->open();
  if (!opened) return opened.error();
  return std::unique_ptr<MediaSource>(new MediaSource(std::move(impl)));
}

MediaSource::MediaSource(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
MediaSource::~MediaSource() = default;

const SourceInfo& MediaSource::info() const {
  return impl_->info();
}
Result<std::optional<Picture>> MediaSource::next() {
  return impl_->next();
}
Result<void> MediaSource::seek(int64_t position_ns) {
  return impl_->seek(position_ns);
}
void MediaSource::leave_out(const Late& late) {
  impl_->leave_out(late);
}
std::optional<std::string> MediaSource::take_complaint() {
  return impl_->take_complaint();
}
uint64_t MediaSource::take_left_out() {
  return impl_->take_left_out();
}
ReadFigures MediaSource::read_figures() const {
  return impl_->read_figures();
}
Result<void> MediaSource::choose_subtitles(const SubtitleChoice& choice) {
  return impl_->choose_subtitles(choice);
}

Result<std::vector<PictureTime>> picture_times(const std::string& url,
                                               const MediaOptions& options) {
  MediaFile file(url, options);
  if (auto opened = file.open(MediaConnection::Probe::kPictures); !opened) {
    return std::move(opened.error());
  }
  if (!file.repeatable()) {
    return indivisible(file, "its data is sent only once");
  }
  Result<std::vector<PictureTime>> times;
  if (file.is_numbered()) {
    times = file.numbered_times();
  } else {
    times = read_picture_times(file);
  }
  if (!times) return times;
  if (options.interrupted && options.interrupted()) return fail(ErrorCode::kUnavailable, "stopped");
  std::ranges::sort(*times, {}, &PictureTime::pts_ns);
  const auto again = std::ranges::adjacent_find(*times, {}, &PictureTime::pts_ns);
  if (again != times->end()) {
    return indivisible(file, "two pictures have the time " + format_time(again->pts_ns));
  }
  return times;
}

Result<MediaFacts> media_facts(const std::string& name, std::function<bool()> interrupted,
                               std::function<Result<std::unique_ptr<const ByteSource>>()> open) {
  MediaOptions options;
  options.interrupted = std::move(interrupted);
  options.open = std::move(open);
  options.alone = true;
  MediaFile file(name, std::move(options));
  if (auto opened = file.open(MediaConnection::Probe::kPictures); !opened) {
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
                    .fps = frames_a_second(info.rate),
                    .description = file.description()};
}

}  // namespace sail
