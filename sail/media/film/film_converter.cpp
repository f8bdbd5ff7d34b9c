#include "sail/media/film/film_converter.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "sail/core/text/limits.h"
#include "sail/core/text/text.h"
#include "sail/core/time/clock.h"
#include "sail/media/film/film_files.h"
#include "sail/media/source/file_sequence.h"
#include "sail/media/source/raw_source.h"
#include "sail/media/source/same_picture.h"
#include "sail/media/storage/reading/file.h"
#include "sail/media/storage/source_uri.h"
#include "sail/media/vmov/vmov_format.h"

namespace sail {
namespace {

// Limits of a batch: enough pictures to keep all threads busy, within this memory.
constexpr size_t kMaxBatch = 8;
constexpr size_t kMaxBatchPixels = size_t{64} << 20;
constexpr size_t kMarkBytes = 64 << 10;  // bytes at the input's start and at its end

bool is_j2k(const CodecSpec& codec) {
  return codecs::is_j2k(codec.codec.id);
}

size_t batch_size(Size size, codecs::DxtMode mode) {
  // This mode is so slow that batches gain nothing, and a stop would lose more work.
  if (mode == codecs::DxtMode::kHigh) return 1;
  const size_t pixels = static_cast<size_t>(size.width) * static_cast<size_t>(size.height);
  return std::clamp<size_t>(kMaxBatchPixels / pixels, 1, kMaxBatch);
}

uint64_t checksum_of(const std::string& text) {
  return checksum({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
}

// Size and modification time; empty if not a regular file.
std::optional<std::string> stamp_of(const std::string& name) {
  struct stat status {};
  if (stat(name.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return fmt::format("{} {}.{:09}", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

// Size, and checksums of both ends; empty if it cannot be read at any place.
std::optional<std::string> content_mark(const ByteSource& file) {
  const auto size = file.size();
  if (!size) return std::nullopt;
  std::vector<uint8_t> start(std::min<uint64_t>(*size, kMarkBytes));
  std::vector<uint8_t> end(start.size());
  if (!file.read(0, start) || !file.read(*size - end.size(), end)) return std::nullopt;
  return fmt::format("{} {:x} {:x}", *size, checksum(start), checksum(end));
}

// Identifies the input's content; empty if it is not a file or files.
std::optional<std::string> input_mark(const std::string& input) {
  if (names_sequence(input)) {
    const auto files = list_pictures(input);
    if (!files) return std::nullopt;
    uint64_t sum = 0;
    for (const SequenceFile& file : *files) {
      const auto stamp = stamp_of(file.name);
      if (!stamp) return std::nullopt;
      const std::string name = std::filesystem::path(file.name).filename().string();
      sum = checksum_of(fmt::format("{:x} {} {}", sum, name, *stamp));
    }
    return fmt::format("{} {:x}", files->size(), sum);
  }
  const auto stamp = stamp_of(input);
  const auto file = File::open_to_read(input);
  if (!stamp || !file) return std::nullopt;
  const auto content = content_mark(*file);
  return content ? std::optional(*stamp + *content) : std::nullopt;
}

// The same without the time of its last change, for a file on another host.
std::optional<std::string> far_mark(const ConvertOptions& options) {
  const auto file = open_bytes(options.input, options.interrupted);
  return file ? content_mark(**file) : std::nullopt;
}

// A hash of input and options. A partial file is resumed only if the hash is the same, so that the
// film is the same as from a single run. 0: the input has no mark.
uint64_t recipe_of(const ConvertOptions& options, const std::optional<std::string>& mark) {
  if (!mark) return 0;
  const Size scaled = options.size.value_or(Size{});
  const SubtitleChoice subtitles = options.subtitles.value_or(kForcedSubtitles);
  return std::max<uint64_t>(
      1, checksum_of(fmt::format(
             "{} {} {}x{} {} {} {} {} {} {} {} {}", *mark, codec_spec_name(options.codec),
             scaled.width, scaled.height, options.range.from_ns, options.range.to_ns.value_or(-1),
             options.fps, kDeinterlacings.word(options.deinterlacing),
             kMissingActions.word(options.missing), static_cast<int>(subtitles.kind),
             subtitles.track, stamp_of(subtitles.file).value_or(""))));
}

// The input's last path component, for the film's header: without the secret parts of a URL.
std::string last_part(const std::string& input) {
  const std::string shown = without_passwords(input);
  const std::string name = is_far(input) ? shown.substr(0, shown.find_first_of("?#")) : input;
  const size_t end = name.find_last_not_of('/') + 1;
  return name.substr(0, end).substr(name.substr(0, end).find_last_of('/') + 1);
}

// Raw frames are not scaled: the scaler is FFmpeg's, which does not support all formats.
Result<ClipSource> open_raw(const ConvertOptions& options) {
  const RawFormat& raw = *options.raw;
  if (options.size.value_or(raw.size) != raw.size) {
    return fail(ErrorCode::kInvalidParams,
                fmt::format("cannot scale raw frames of {}x{} to {}x{}", raw.size.width,
                            raw.size.height, options.size->width, options.size->height));
  }
  if (codecs::is_for_j2k_only(static_cast<codecs::PixelFormat>(raw.pixels)) &&
      !is_j2k(options.codec)) {
    return fail(
        ErrorCode::kInvalidParams,
        fmt::format("codec {} would lose depth or chroma of these raw frames: choose htj2k or j2k",
                    codec_spec_name(options.codec)));
  }
  return ClipSource::open(std::make_unique<RawSource>(STDIN_FILENO, raw, options.interrupted),
                          options.input, options.range);
}

BlockGrid grid_of(const ConvertOptions& options, const ClipSource& clip) {
  return {clip.frame_size(), default_block_size(options.codec.codec.id)};
}

VmovHeader header_of(const ConvertOptions& options, const ClipSource& clip, uint64_t recipe,
                     const std::optional<VmovShard>& shard = {}) {
  return {.codec = options.codec.codec,
          .block_size = default_block_size(options.codec.codec.id),
          .frame_size = clip.frame_size(),
          .display_size = clip.display_size(),
          .rate = clip.rate(),
          .color = is_j2k(options.codec) ? clip.color() : codecs::PictureColor(),
          .recipe = recipe,
          .made_with = codec_spec_name(options.codec),
          .source = make_plain_text(last_part(options.input), kMaxVmovText),
          .shard = shard};
}

MediaOptions media_options(const ConvertOptions& options, bool rgb) {
  const SubtitleChoice subtitles = options.subtitles.value_or(kForcedSubtitles);
  return {.threads = options.threads,
          .interrupted = options.interrupted,
          .size = options.size,
          .keep_alpha = options.codec.codec.id == codecs::CodecId::kDxt5,
          .for_j2k = is_j2k(options.codec),
          .rgb = rgb,
          .deinterlacing = options.deinterlacing,
          .combs = options.shard ? Combs::kRefused : Combs::kCounted,
          .sequence_fps = options.fps,
          .missing = options.missing,
          .range = options.range,
          .subtitles = subtitles,
          .needs_subtitles = subtitles.is_explicit()};
}

// Subtitles that the film holds may have begun long before the picture on which they are drawn.
bool draws_own_subtitles(const MediaOptions& options, const SourceInfo& info) {
  if (options.subtitles.kind == SubtitleChoice::Kind::kTrack) return true;
  return options.subtitles.kind == SubtitleChoice::Kind::kAuto &&
         std::ranges::any_of(info.subtitles, &SubtitleTrackFacts::forced);
}

}  // namespace

FilmConverter::FilmConverter(const ConvertOptions& options, bool resumable, ClipSource clip,
                             VmovWriter writer, Size whole_size, std::shared_ptr<WorkerPool> pool)
    : interrupted_(options.interrupted),
      overwrite_(options.overwrite),
      codec_(options.codec.codec.id),
      resumable_(resumable),
      one_color_(is_j2k(options.codec)),
      clip_(std::move(clip)),
      writer_(std::move(writer)),
      queue_(grid_of(options, clip_),
             frame_budget(options.codec, clip_.frame_size(), clip_.rate())),
      pool_(std::move(pool)),
      kept_(writer_.frame_count()) {
  for (int i = 0; i <= pool_->threads(); ++i) encoders_.emplace_back(options.codec);
  for (Batch* batch : {&decoding_, &encoding_, &writing_}) {
    batch->blocks.assign(batch_size(whole_size, options.codec.mode),
                         PictureBlocks(grid_of(options, clip_)));
  }
}

std::shared_ptr<WorkerPool> FilmConverter::make_pool(const ConvertOptions& options) {
  return std::make_shared<WorkerPool>(options.threads == 0 ? WorkerPool::default_threads()
                                                           : options.threads - 1);
}

Result<ClipSource> FilmConverter::open_clip(const ConvertOptions& options, bool rgb,
                                            ClipShard shard) {
  if (options.raw) return open_raw(options);
  const MediaOptions of_film = media_options(options, rgb);
  auto source = open_decoded_film(options.input, of_film);
  if (!source) return std::move(source.error());
  if (draws_own_subtitles(of_film, (*source)->info())) shard.start_ns = 0;
  return ClipSource::open(std::move(*source), options.input, options.range, shard);
}

Result<std::unique_ptr<FilmConverter>> FilmConverter::open(const ConvertOptions& options) {
  const uint64_t recipe = recipe_of(options, input_mark(options.input));
  std::optional<VmovShard> shard;
  ClipShard part;
  if (options.shard) {
    auto plan = plan_shard(*options.shard, options.input, media_options(options, false));
    if (!plan) return std::move(plan.error());
    part = plan->clip;
    shard = plan->shard;
    shard->recipe = recipe != 0 ? recipe : recipe_of(options, far_mark(options));
    if (shard->recipe == 0) {
      return fail(ErrorCode::kUnavailable,
                  options.input + " cannot be divided into shards: it cannot be read at any place");
    }
  }
  auto clip = open_clip(options, false, part);
  if (!clip) return std::move(clip.error());
  const VmovHeader header = header_of(options, *clip, recipe, shard);
  const Size size = clip->frame_size();
  return begin(options, std::move(*clip), header, size, make_pool(options));
}

Result<std::unique_ptr<FilmConverter>> FilmConverter::open(const ConvertOptions& options,
                                                           Feed feed) {
  auto clip = ClipSource::open(std::move(feed.source), options.input, options.range);
  if (!clip) return std::move(clip.error());
  const VmovHeader header = header_of(options, *clip, 0);
  return begin(options, std::move(*clip), header, feed.whole_size, std::move(feed.pool));
}

Result<std::unique_ptr<FilmConverter>> FilmConverter::begin(const ConvertOptions& options,
                                                            ClipSource clip,
                                                            const VmovHeader& header,
                                                            Size whole_size,
                                                            std::shared_ptr<WorkerPool> pool) {
  auto writer = VmovWriter::begin(options.output, header, options.overwrite);
  if (!writer) return std::move(writer.error());
  std::unique_ptr<FilmConverter> converter(new FilmConverter(options, header.recipe != 0,
                                                             std::move(clip), std::move(*writer),
                                                             whole_size, std::move(pool)));
  auto found = converter->find_place();
  if (!found) return std::move(found.error());
  return converter;
}

// --- resuming -----------------------------------------------------------------------------------

// Moves to the picture after the last one written. Seeking is fast but unreliable in some films. So
// the picture found is encoded and compared with the last frame of the partial file. If they
// differ, the film is decoded from the beginning.
Result<void> FilmConverter::find_place() {
  if (kept_ == 0) return {};
  if (clip_.jump_to(writer_.last_pts_ns())) {
    auto right = stands_behind_last();
    if (!right) return std::move(right.error());
    if (*right) return {};
  }
  auto done = clip_.rewind();
  for (uint64_t n = 1; done && n < kept_; ++n) {
    const auto passed = clip_.next();
    if (!passed) return passed.error();
    done = check_interrupted();
  }
  if (!done) return done;
  auto right = stands_behind_last();
  if (!right) return std::move(right.error());
  if (*right) return {};
  // The partial file was made with another decoder or encoder.
  if (!overwrite_) {
    return fail(ErrorCode::kConflict,
                fmt::format("{} was made with another decoder or encoder: --force discards it",
                            writer_.part_name()));
  }
  kept_ = 0;
  done = writer_.restart();
  return done ? clip_.rewind() : done;
}

// After FFmpeg was aborted, pictures may be missing among its last ones. That looks like the end of
// the film and must not be taken for it.
Result<void> FilmConverter::check_interrupted() const {
  if (!interrupted_ || !interrupted_()) return {};
  return fail(ErrorCode::kUnavailable, "stopped");
}

Result<bool> FilmConverter::stands_behind_last() {
  auto picture = clip_.next();
  if (!picture) return std::move(picture.error());
  auto going = check_interrupted();
  if (!going) return std::move(going.error());
  VmovFrame last;
  auto read = writer_.read_last(last);
  if (!read) return std::move(read.error());
  if (!*picture || (*picture)->pts_ns != last.head.pts_ns ||
      (*picture)->duration_ns != last.head.duration_ns) {
    return false;
  }
  PictureBlocks& blocks = encoding_.blocks.front();
  queue_.begin({&**picture, 1}, {&blocks, 1});
  pool_->for_each(encoders_.size(), [&](size_t item) { queue_.work(encoders_[item]); });
  auto encoded = check_encoded();
  if (!encoded) return std::move(encoded.error());
  blocks.join();
  return same_picture(codec_, blocks.grid(), {blocks.lengths(), blocks.bytes()},
                      {last.lengths, last.bytes});
}

// --- converting ---------------------------------------------------------------------------------

Result<bool> FilmConverter::step() {
  std::swap(writing_, encoding_);
  std::swap(encoding_, decoding_);
  Result<void> decoded;
  Result<void> written;
  queue_.begin(encoding_.pictures, encoding_.blocks);
  pool_->for_each(2 + encoders_.size(), [&](size_t item) {
    if (item == 0) {
      decoded = decode(decoding_);
    } else if (item == 1) {
      written = write(writing_);
    } else {
      queue_.work(encoders_[item - 2]);
    }
  });
  if (written) written = check_encoded();
  if (!written) return std::move(written.error());
  if (decoded) decoded = check_interrupted();
  if (!decoded) {
    written = write(encoding_);
    if (!written) return std::move(written.error());
    return std::move(decoded.error());
  }
  return !decoding_.pictures.empty() || !encoding_.pictures.empty();
}

Result<void> FilmConverter::decode(Batch& batch) {
  while (!ended_ && batch.pictures.size() < batch.blocks.size()) {
    auto picture = clip_.next();
    left_out_ += clip_.take_left_out();
    if (!picture) return std::move(picture.error());
    ended_ = !*picture;
    if (ended_) break;
    auto right = check_color(**picture);
    if (!right) return right;
    batch.pictures.push_back(std::move(**picture));
  }
  return {};
}

Result<void> FilmConverter::check_color(const Picture& picture) const {
  if (!one_color_ || codecs::color_of(view_of(picture)) == clip_.color()) return {};
  return fail(ErrorCode::kBadData,
              fmt::format("the colour matrix or range of the pictures changes at {}",
                          format_time(picture.pts_ns)));
}

Result<void> FilmConverter::check_encoded() const {
  if (queue_.complete()) return {};
  return fail(ErrorCode::kInternal, "a picture could not be encoded");
}

Result<void> FilmConverter::write(Batch& batch) {
  for (size_t i = 0; i < batch.pictures.size(); ++i) {
    const Picture& picture = batch.pictures[i];
    PictureBlocks& blocks = batch.blocks[i];
    blocks.join();
    auto done =
        writer_.append(picture.pts_ns, picture.duration_ns, blocks.lengths(), blocks.bytes());
    if (!done) return done;
  }
  batch.pictures.clear();
  return {};
}

ConvertProgress FilmConverter::progress() const {
  ConvertProgress progress{.frames = writer_.frame_count(),
                           .kept = kept_,
                           .bytes = writer_.bytes(),
                           .left_out = left_out_};
  const FrameRate rate = clip_.rate();
  if (rate.denominator > 0) {
    const double seconds = static_cast<double>(clip_.duration_ns()) / kSecondNs;
    progress.expected =
        static_cast<uint64_t>(std::llround(seconds * rate.numerator / rate.denominator));
  }
  if (progress.expected > 0) progress.expected = std::max(progress.expected, progress.frames);
  return progress;
}

}  // namespace sail
