#include "receiver/decode/block_decoder.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <span>
#include <stop_token>
#include <utility>

#include "receiver/decode/carried_stream.h"
#include "receiver/frame/canvas.h"
#include "sail/core/process/process.h"
#include "sail/core/time/clock.h"

namespace receiver {
namespace {

// A block may come from a frame that was halved before it was encoded. Its codestream is then
// smaller, and fewer halvings are left for the decoder. The decoder rejects impossible sizes.
codecs::J2kTarget target_of(const Frame& frame, int column, int row, const sail::Rect& part,
                            PlainBlock& plain) {
  const sail::Rect whole = frame.full_grid().block_rect(column, row);
  const sail::Rect shown = frame.grid().block_rect(column, row);
  const auto header = codecs::read_j2k_header(frame.block(column, row));
  const auto side = [](int of_whole, int halvings) {
    return codecs::reduced_side(of_whole, halvings);
  };
  int halved = 0;
  while (header && halved < frame.reduction() &&
         (header->width != side(whole.width, halved) ||
          header->height != side(whole.height, halved))) {
    ++halved;
  }
  const int x = part.x - shown.x, y = part.y - shown.y;
  plain.format =
      header ? codecs::j2k_format(*header, frame.color().matrix) : codecs::PixelFormat::kBgra;
  codecs::J2kTarget target{.width = side(whole.width, halved),
                           .height = side(whole.height, halved),
                           .reduction = frame.reduction() - halved,
                           .color = frame.color(),
                           .display = frame.display(),
                           .frame_x = shown.x,
                           .frame_y = shown.y,
                           .part = {x, y, x + part.width, y + part.height}};
  if (plain.format == codecs::PixelFormat::kBgra) {
    const ptrdiff_t stride = shown.width * kBytesPerPixel;
    target.pixels = {plain.data() + y * stride + x * kBytesPerPixel, stride};
  } else {
    target.planes = plain.data();
  }
  return target;
}

}  // namespace

bool decode_part(codecs::J2kDecoder& decoder, const Frame& frame, int column, int row,
                 const sail::Rect& part, PlainBlock& plain) {
  return decoder.decode(frame.block(column, row), target_of(frame, column, row, part, plain));
}

BlockDecoder::BlockDecoder(sail::WorkerPool& pool, std::string decoder_program)
    : pool_(pool),
      decoder_program_(decoder_program.empty() ? sail::find_program(kDecoderProgram)
                                               : std::move(decoder_program)),
      lanes_(static_cast<size_t>(pool.threads()) + 1) {}

BlockDecoder::Counts BlockDecoder::decode(Frame& frame) {
  const sail::BlockGrid& grid = frame.grid();
  DecodedBlocks& blocks = frame.decoded_blocks();
  blocks.begin(grid, frame.color());
  if (codecs::is_carried(frame.codec().id)) return decode_carried(frame);
  changed_.clear();
  for (int row = 0; row < grid.rows(); ++row) {
    for (int column = 0; column < grid.columns(); ++column) {
      const uint64_t version = frame.version(column, row);
      if (version == 0) continue;
      const DecodedBlocks::Block& last = blocks.last(frame.index(column, row));
      if (last.version == version) {
        frame.set_plain(column, row, last.plain);
      } else {
        changed_.push_back({column, row});
      }
    }
  }
  std::atomic<size_t> next = 0;
  pool_.for_each(std::min(lanes_.size(), changed_.size()), [&](size_t lane) {
    for (size_t i = next++; i < changed_.size(); i = next++) {
      decode(frame, changed_[i], lanes_[lane]);
    }
  });
  Counts counts;
  for (Lane& lane : lanes_) {
    Counts done = std::exchange(lane.counts, {});
    counts.decoded += done.decoded;
    counts.concealed += done.concealed;
    if (counts.why.empty()) counts.why = std::move(done.why);
  }
  return counts;
}

BlockDecoder::Counts BlockDecoder::decode_carried(Frame& frame) const {
  using Outcome = CarriedOutcome;
  DecodedBlocks& blocks = frame.decoded_blocks();
  DecodedBlocks::Block& last = blocks.last(0);
  const std::stop_token abandoned = blocks.abandoned();
  if (abandoned.stop_requested()) return {.why = {}, .undecoded = true};
  if (!frame.has(0, 0)) return {.why = "has no access units", .undecoded = true};
  PlainBlockRef plain = blocks.take(0);
  if (!plain) return {.why = "could not allocate memory", .undecoded = true};
  std::unique_ptr<DecoderState>& state = blocks.state();
  if (!state) {
    state = std::make_unique<CarriedStream>(frame.codec().id, frame.grid().frame_size(),
                                            *blocks.memory(),
                                            CarriedStream::Options{.program = decoder_program_});
  }
  auto& stream = static_cast<CarriedStream&>(*state);
  CarriedStream::Decoded decoded =
      stream.decode(frame.block(0, 0), *plain, sail::steady_now_ns(), abandoned);
  if (abandoned.stop_requested()) return {.why = {}, .undecoded = true};
  if (decoded.outcome == Outcome::kNone || (decoded.outcome == Outcome::kSame && !last.plain)) {
    return {.concealed = 1,
            .why = std::move(decoded.why),
            .undecoded = true,
            .needs_key = decoded.needs_key,
            .lost_its_decoder = decoded.lost_its_decoder};
  }
  if (decoded.outcome == Outcome::kNew) {
    const auto version = frame.version(0, 0);
    plain->version = version;
    last = {.version = version, .plain = std::move(plain)};
  }
  frame.set_plain(0, 0, last.plain);
  return {.decoded = 1, .why = {}};
}

void BlockDecoder::decode(Frame& frame, const Place& place, Lane& lane) {
  const auto [column, row] = place;
  const size_t index = frame.index(column, row);
  DecodedBlocks& blocks = frame.decoded_blocks();
  DecodedBlocks::Block& last = blocks.last(index);
  last.version = frame.version(column, row);
  const auto read = codecs::is_j2k(frame.codec().id) ? read_j2k : read_smaller;
  PlainBlockRef plain = blocks.take(index);
  if (plain && read(frame, place, lane, *plain)) {
    plain->version = last.version;
    last.plain = std::move(plain);
    ++lane.counts.decoded;
  } else {
    ++lane.counts.concealed;
    if (lane.counts.why.empty()) lane.counts.why = fault(frame, place, plain);
  }
  frame.set_plain(column, row, last.plain);
}

std::string BlockDecoder::fault(const Frame& frame, const Place& place,
                                const PlainBlockRef& plain) {
  if (!plain) return "could not allocate memory";
  if (!codecs::is_j2k(frame.codec().id)) return "does not decompress to its full length";
  const sail::Rect all = frame.grid().block_rect(place.column, place.row);
  return "is a codestream that " +
         codecs::j2k_fault(frame.block(place.column, place.row),
                           target_of(frame, place.column, place.row, all, *plain));
}

bool BlockDecoder::read_j2k(const Frame& frame, const Place& place, Lane& lane, PlainBlock& plain) {
  const codecs::CodecId codec = frame.codec().id;
  auto& decoder = lane.decoders[codec == codecs::CodecId::kHtj2k ? 1 : 0];
  if (!decoder) decoder = codecs::make_j2k_decoder(codec);
  plain.part = frame.grid().block_rect(place.column, place.row);
  if (codec == codecs::CodecId::kHtj2k) plain.part = sail::intersect(plain.part, frame.wanted());
  if (plain.part.empty()) return true;
  return decoder && decode_part(*decoder, frame, place.column, place.row, plain.part, plain);
}

// A block that the second stage could not shrink was sent uncompressed. It is copied as well,
// because a later block may be concealed with it.
bool BlockDecoder::read_smaller(const Frame& frame, const Place& place, Lane& lane,
                                PlainBlock& plain) {
  const auto [codec, compression] = frame.codec();
  const std::span<const uint8_t> block = frame.block(place.column, place.row);
  const sail::Rect rect = frame.grid().block_rect(place.column, place.row);
  const std::span<uint8_t> out(plain.data(), plain_bytes(codec, rect.width, rect.height));
  plain.part = rect;
  if (block.size() == out.size()) {
    std::memcpy(out.data(), block.data(), block.size());
    return true;
  }
  auto& stage = lane.second_stages[static_cast<size_t>(compression)];
  if (!stage) stage = codecs::make_second_stage(compression);
  return stage->decompress(block, out);
}

}  // namespace receiver
