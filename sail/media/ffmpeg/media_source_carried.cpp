#include "sail/media/ffmpeg/media_source_carried.h"

extern "C" {
#include <libavcodec/bsf.h>
}

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "sail/media/ffmpeg/media_source_file.h"
#include "sail/media/ffmpeg/media_source_units.h"
#include "sail/media/source/recycler.h"
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

class CarriedSource : public Source {
 public:
  CarriedSource(const std::string& name, const MediaOptions& options)
      : options_(options), file_(name, options), packet_(av_packet_alloc()) {}

  Result<void> open();

  const SourceInfo& info() const override { return info_; }
  Result<std::optional<Picture>> next() override;
  Result<void> seek(int64_t position_ns) override;
  std::optional<std::string> take_complaint() override { return file_.take_complaint(); }
  uint64_t take_left_out() override {
    return file_.take_left_out() + frames_->take_left_out() + std::exchange(left_out_, 0);
  }
  ReadFigures read_figures() const override { return file_.read_figures(); }

 private:
  struct Held {
    std::vector<uint8_t> block;
    uint32_t length = 0;
  };

  // Pictures of another shape, from a key picture on.
  struct Change {
    std::vector<uint8_t> header;  // see picture_header()
    UnitShape shape;
  };

  Result<void> open_filter();
  std::optional<UnitFrames::Frame> take();
  // Begins again with the next key picture, and takes the frame shown at that time.
  void begin_at(int64_t position_ns);
  // Reads the next packet into the frames.
  void read();
  void add(const AVPacket& packet);
  // Returns the change that begins with this key unit. May set the fault.
  std::optional<Change> change_with(std::span<const uint8_t> key);
  void apply(Change change);
  // Ends the film here, because the rest cannot be sent. what: a verb with its object; the error
  // says "it" before it.
  void end_with(std::string_view what);
  // Whether the units begin again with this one, because the film's time stamps went back.
  bool begins_again(const AccessUnit& unit) const;
  Picture to_picture(UnitFrames::Frame frame);

  const MediaOptions options_;
  MediaFile file_;
  AvPtr<AVPacket> packet_;
  AvFilterPtr filter_;
  const CarriedCodec* codec_ = nullptr;
  SourceInfo info_;
  UnitShape shape_;
  std::vector<uint8_t> header_;  // header of the last key unit whose pictures have this shape
  std::optional<UnitFrames> frames_;
  int64_t wanted_ns_ = INT64_MIN;  // the position of a seek, until a frame was taken
  std::optional<int64_t> key_ns_;  // time of the first key picture since the beginning or a seek
  std::vector<uint8_t> unit_;      // with parameter sets
  // The first unit after a change or a step back, while frames before it are left.
  struct Next {
    std::vector<uint8_t> bytes;
    AccessUnit unit;
    int64_t duration_ns = 0;
    std::optional<Change> change;
    bool back = false;
  };
  std::optional<Next> next_;
  bool at_end_ = false;
  std::optional<Error> fault_;
  uint64_t left_out_ = 0;
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
  codec_ = carried_codec(film.codec_id);
  info_ = file_.info();
  info_.stored = StreamCodec{.id = codec_->codec};
  apply({.header = {}, .shape = shape_of_film(stream)});
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
  wanted_ns_ = INT64_MIN;
  if (!frame && fault_) return *std::exchange(fault_, std::nullopt);
  if (!frame) return std::nullopt;
  return to_picture(*std::move(frame));
}

std::optional<UnitFrames::Frame> CarriedSource::take() {
  for (;;) {
    if (auto frame = frames_->next()) return frame;
    if (next_) {
      Next next = *std::exchange(next_, std::nullopt);
      if (next.change) apply(*std::move(next.change));
      frames_->restart(next.back ? INT64_MIN : wanted_ns_);
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
  fault_.reset();
  next_.reset();
  key_ns_.reset();
  wanted_ns_ = position_ns;
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
  if (file_.stream().codecpar->codec_id != codec_->av) {
    return end_with(fmt::format("changes its codec to {}",
                                avcodec_get_name(file_.stream().codecpar->codec_id)));
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
    if (unit.key && facts.parameters.empty()) {
      const AVCodecParameters& film = *filter_->par_out;
      unit_.assign(film.extradata, film.extradata + film.extradata_size);
      unit_.insert(unit_.end(), unit.bytes.begin(), unit.bytes.end());
      unit.bytes = unit_;
    }
  }
  if (unit.key) {
    auto change = change_with(unit.bytes);
    if (fault_) return;
    const bool back = begins_again(unit);
    // Nor are the frames before this key picture wanted.
    const bool sought = change && unit.time_ns <= wanted_ns_;
    if (key_ns_ && (change || back) && !sought) {
      next_ =
          Next{{unit.bytes.begin(), unit.bytes.end()}, unit, duration_ns, std::move(change), back};
      return frames_->end();
    }
    if (change) {
      apply(*std::move(change));
      frames_->restart(wanted_ns_);
    }
    if (!key_ns_ || sought) key_ns_ = unit.time_ns;
  }
  // Edit lists hide pictures on which others depend.
  frames_->add(unit, duration_ns, (packet.flags & AV_PKT_FLAG_DISCARD) == 0);
}

bool CarriedSource::begins_again(const AccessUnit& unit) const {
  const auto shown_ns = frames_->shown_ns();
  return shown_ns && unit.time_ns < *shown_ns - kLongestStepBack;
}

// The container has described the first pictures.
std::optional<CarriedSource::Change> CarriedSource::change_with(std::span<const uint8_t> key) {
  const auto header = picture_header(codec_->codec, key);
  if (header.empty() || std::ranges::equal(header, header_)) return std::nullopt;
  Change change{.header = {header.begin(), header.end()}, .shape = shape_};
  if (!header_.empty()) {
    const auto decoded = decode_key(*filter_->par_out, key, file_.log_owner());
    // A damaged key picture shows nothing; the next one is compared again.
    if (!decoded) return std::nullopt;
    if (const std::string fault = fault_of_change(*decoded->frame, options_); !fault.empty()) {
      end_with(fault + " from here on");
      return std::nullopt;
    }
    change.shape = shape_of(*decoded, file_.stream());
    change.shape.reorder = std::max(change.shape.reorder, shape_.reorder);
  }
  if (change.shape != shape_) return change;
  header_ = std::move(change.header);
  return std::nullopt;
}

void CarriedSource::apply(Change change) {
  header_ = std::move(change.header);
  shape_ = change.shape;
  if (frames_) left_out_ += frames_->take_left_out();
  frames_.emplace(
      UnitFrames::Depth{.reorder = shape_.reorder, .ahead = info_.live ? 0 : kFilmAhead});
}

void CarriedSource::end_with(std::string_view what) {
  fault_ = Error{ErrorCode::kBadData,
                 fmt::format("{} cannot be sent undecoded: it {}", file_.url(), what)};
  at_end_ = true;
  frames_->end();
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
  picture.size = shape_.size;
  picture.display_size = {shape_.display_width, shape_.size.height};
  picture.compressed = {.codec = {.id = codec_->codec},
                        .bytes = loan->memory.block,
                        .lengths = {&loan->memory.length, 1},
                        .block_size = {rounded(shape_.size.width), rounded(shape_.size.height)},
                        .color = shape_.color};
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
