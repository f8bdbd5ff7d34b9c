#include "sail/media/codestream/codestream_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "codecs/picture/block_encoder.h"
#include "sail/core/text/limits.h"
#include "sail/media/codestream/codestream_sequence.h"
#include "sail/media/ffmpeg/media_source_packets.h"
#include "sail/media/source/film_time.h"
#include "sail/media/source/source_color.h"

namespace sail {
namespace {

// Reserve for the other fields of a message of the data protocol.
constexpr size_t kMessageFields = 4096;

Size one_block(Size frame_size) {
  const auto rounded = [](int side) {
    return (side + kScalableBlockStep - 1) / kScalableBlockStep * kScalableBlockStep;
  };
  return {rounded(frame_size.width), rounded(frame_size.height)};
}

}  // namespace

bool is_codestream_film(const std::string& name) {
  return is_codestream_sequence(name) || is_codestream_container(name);
}

Result<std::unique_ptr<CodestreamSource>> CodestreamSource::open(const std::string& name,
                                                                 const CodestreamOptions& options) {
  auto input = is_codestream_sequence(name)
                   ? CodestreamSequence::open(name, options.fps, options.missing)
                   : open_codestream_container(name, options.interrupted, options.log);
  if (!input) return std::move(input.error());
  std::unique_ptr<CodestreamSource> source(new CodestreamSource(name, std::move(*input)));
  auto started = source->start(options.display);
  if (!started) return std::move(started.error());
  return source;
}

CodestreamSource::CodestreamSource(std::string name, std::unique_ptr<CodestreamInput> input)
    : name_(std::move(name)), input_(std::move(input)), info_(input_->info()) {}

Result<void> CodestreamSource::start(const codecs::DisplayColor& display) {
  first_ = read();
  if (!first_) {
    if (auto stopped = input_->stopped()) return fail(ErrorCode::kBadData, *std::move(stopped));
    return fail(ErrorCode::kBadData,
                take_complaint().value_or(fmt::format("{}: no picture found", name_)));
  }
  if (!unconverted_notice(*first_, display).empty()) {
    return fail(
        ErrorCode::kBadData,
        fmt::format("{} has other colours than the wall's displays, so it must be decoded", name_));
  }
  info_.stored = first_->compressed->codec;
  info_.description =
      fmt::format("{}, {}x{}", codec_name(*info_.stored), first_->size.width, first_->size.height);
  if (info_.rate.denominator > 0) {
    info_.description += fmt::format(
        ", {:.4g} fps", static_cast<double>(info_.rate.numerator) / info_.rate.denominator);
  }
  return {};
}

Result<std::optional<Picture>> CodestreamSource::next() {
  if (first_) return std::exchange(first_, std::exchange(second_, std::nullopt));
  auto picture = read();
  if (picture) return picture;
  if (auto stopped = input_->stopped()) return fail(ErrorCode::kBadData, *std::move(stopped));
  return std::nullopt;
}

Result<void> CodestreamSource::seek(int64_t position_ns) {
  position_ns = std::max<int64_t>(position_ns, 0);
  first_.reset();
  second_.reset();
  // If the index led past the time, start again from the beginning.
  for (const int64_t from_ns : {position_ns, int64_t{0}}) {
    auto sought = input_->seek(from_ns);
    if (!sought) return sought;
    while ((second_ = read()) && second_->pts_ns <= position_ns) first_ = std::move(second_);
    if (first_ || from_ns == 0) break;
  }
  if (!first_) first_ = std::exchange(second_, std::nullopt);
  return {};
}

std::optional<std::string> CodestreamSource::take_complaint() {
  auto complaint = input_->take_complaint();
  if (complaint || noticed_ || notice_.empty()) return complaint;
  noticed_ = true;
  return fmt::format("{} {}", name_, notice_);
}

std::optional<Picture> CodestreamSource::read() {
  Loan loan = memory_.take(*input_);
  while (input_->read(*loan->memory.stored)) {
    auto picture = describe(loan->memory);
    if (!picture) continue;
    memory_.lend(std::move(loan), *picture);
    return picture;
  }
  return std::nullopt;
}

std::optional<Picture> CodestreamSource::describe(Held& held) {
  const auto bad = [&](const std::string& fault) {
    input_->refuse(*held.stored, fault);
    return std::nullopt;
  };
  const auto boxed = find_codestream(held.stored->bytes);
  if (!boxed) return bad("has no codestream");
  if (!boxed->fault.empty()) return bad(boxed->fault);
  const auto header = codecs::read_j2k_header(boxed->codestream);
  if (!header) return bad("is a codestream that " + codecs::j2k_fault(boxed->codestream));
  if (!codecs::is_j2k_whole(boxed->codestream)) return bad("is a codestream that is truncated");
  if (header->width > kMaxFrameSide || header->height > kMaxFrameSide) {
    return bad(fmt::format("is {}x{}: at most {} pixels per side can be shown", header->width,
                           header->height, kMaxFrameSide));
  }
  const codecs::CodecId codec =
      header->high_throughput ? codecs::CodecId::kHtj2k : codecs::CodecId::kJ2k;
  const size_t most = std::min(codecs::max_block_bytes(codec, header->width, header->height),
                               kMaxMessageBody - kMessageFields);
  if (boxed->codestream.size() > most) {
    return bad(fmt::format("has {} bytes: at most {} can be sent", boxed->codestream.size(), most));
  }
  if (notice_.empty()) notice_ = codestream_notice(*header, *boxed);
  held.length = static_cast<uint32_t>(boxed->codestream.size());
  Picture picture;
  picture.size = {header->width, header->height};
  picture.display_size = picture.size;
  picture.display_size.width =
      std::max(1, static_cast<int>(std::lround(picture.size.width * input_->pixel_aspect())));
  picture.compressed = {
      .codec = {.id = codec},
      .bytes = boxed->codestream,
      .lengths = {&held.length, 1},
      .block_size = one_block(picture.size),
      .color = codestream_color(*header, *boxed, input_->matrix(), input_->range()),
      .max_reduction = std::min(header->levels, codecs::kMaxReduction)};
  picture.pts_ns = held.stored->pts_ns;
  picture.duration_ns = held.stored->duration_ns;
  return picture;
}

}  // namespace sail
