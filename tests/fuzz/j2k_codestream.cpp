// A JPEG 2000 pixel block in a receiver, and a picture in a film server. Input: codec, reduction,
// matrix, range (whose upper bits choose the part that is decoded alone), then the codestream. The
// target has the codestream's own size, at most 256 pixels a side.
#include <algorithm>
#include <span>
#include <vector>

#include "codecs/color/convert.h"
#include "codecs/j2k/j2k.h"
#include "tests/fuzz/fuzz.h"

namespace {

using namespace codecs;

constexpr size_t kSourceBytes = 4;
constexpr int kMostSide = 256;
constexpr uint8_t kUntouched = 0xa5;

void check_prefixes(std::span<const uint8_t> codestream) {
  const PrefixBytes prefix = j2k_prefix_bytes(codestream);
  fuzz::require(prefix[0] == codestream.size(), "no reduction takes all");
  for (size_t i = 1; i < prefix.size(); ++i) {
    fuzz::require(prefix[i] <= prefix[i - 1], "a smaller picture takes no more");
  }
}

Area part_of(const uint8_t* data, int width, int height) {
  const auto share = [](int of, int parts, int all) { return of * parts / all; };
  const int x0 = share(width, data[1] >> 2, 64), y0 = share(height, data[2] >> 3, 32);
  return {x0, y0, x0 + 1 + share(width - x0 - 1, data[3] >> 4, 15),
          y0 + 1 + share(height - y0 - 1, data[3] >> 1 & 7, 7)};
}

bool equals_cut(const std::vector<uint8_t>& pixels, const std::vector<uint8_t>& whole, int width,
                const Area& part) {
  const ptrdiff_t bytes = ptrdiff_t{4} * part.width();
  auto from = pixels.begin();
  for (int y = part.y0; y < part.y1; ++y, from += bytes) {
    const auto row = whole.begin() + 4 * (ptrdiff_t{width} * y + part.x0);
    if (!std::equal(from, from + bytes, row)) return false;
  }
  return true;
}

// The damage may lie outside the part: then the part can be decoded, but not the whole picture.
void check_part(J2kDecoder& decoder, std::span<const uint8_t> codestream, J2kTarget target,
                const Area& part, bool whole_decoded, const std::vector<uint8_t>& whole) {
  const int width = reduced_side(target.width, target.reduction);
  std::vector<uint8_t> pixels(static_cast<size_t>(part.width()) *
                              static_cast<size_t>(part.height()) * 4);
  target.part = part;
  target.pixels = {pixels.data(), ptrdiff_t{4} * part.width()};
  const bool decoded = decoder.decode(codestream, target);
  if (!whole_decoded) return;
  fuzz::require(decoded, "a part of what can be decoded can be");
  fuzz::require(equals_cut(pixels, whole, width, part), "a part is that of the whole");
}

// The same for planes, in exactly sized memory.
void check_planes(J2kDecoder& decoder, std::span<const uint8_t> codestream, J2kTarget target,
                  PixelFormat format, const std::vector<uint8_t>& whole) {
  const int width = reduced_side(target.width, target.reduction);
  const int height = reduced_side(target.height, target.reduction);
  ImageView view = packed_view(format, width, height, whole.data());
  const ptrdiff_t luma = view.planes[1] - view.planes[0], chroma = view.planes[2] - view.planes[1];
  std::vector<uint8_t> planes(static_cast<size_t>(luma + 2 * chroma));
  target.planes = planes.data();
  fuzz::require(decoder.decode(codestream, target), "what becomes pixels becomes planes");
  view = packed_view(format, width, height, planes.data());
  view.matrix = target.color.matrix;
  view.range = target.color.range;
  std::vector<uint8_t> pixels(whole.size());
  convert_to_bgra(view, 0, 0, width, height, {pixels.data(), ptrdiff_t{4} * width},
                  CpuLevel::kReference);
  fuzz::require(pixels == whole, "planes are the pixels, once they are converted");
}

}  // namespace

FUZZ_TARGET(j2k_codestream) {
  if (size < kSourceBytes) return 0;
  const std::span<const uint8_t> codestream(data + kSourceBytes, size - kSourceBytes);
  check_prefixes(codestream);
  const auto header = read_j2k_header(codestream);
  fuzz::require(header || (!is_j2k_whole(codestream) && !is_j2k_truncated(codestream)),
                "without a header, nothing is whole or cut off");
  needs_part_15(codestream);
  if (!header || header->width > kMostSide || header->height > kMostSide) return 0;

  J2kTarget target;
  target.width = header->width;
  target.height = header->height;
  target.reduction = data[1] % (kMaxReduction + 1);
  target.color = {static_cast<ColorMatrix>(data[2] % 5),
                  data[3] % 2 == 0 ? ColorRange::kLimited : ColorRange::kFull};
  target.frame_x = data[3];
  const int width = reduced_side(target.width, target.reduction);
  std::vector<uint8_t> pixels(
      static_cast<size_t>(width) *
          static_cast<size_t>(reduced_side(target.height, target.reduction)) * 4,
      kUntouched);
  target.pixels = {pixels.data(), ptrdiff_t{4} * width};
  const auto decoder = make_j2k_decoder(data[0] % 2 == 0 ? CodecId::kJ2k : CodecId::kHtj2k);
  const bool decoded = decoder->decode(codestream, target);
  fuzz::require(decoded || std::all_of(pixels.begin(), pixels.end(),
                                       [](uint8_t byte) { return byte == kUntouched; }),
                "what fails writes nothing");
  const std::vector<uint8_t> first = pixels;
  fuzz::require(decoder->decode(codestream, target) == decoded && pixels == first,
                "a decoder does the same again");
  const Area part = part_of(data, width, reduced_side(target.height, target.reduction));
  check_part(*decoder, codestream, target, part, decoded, first);
  const PixelFormat format = j2k_format(*header, target.color.matrix);
  if (decoded && format != PixelFormat::kBgra) {
    check_planes(*decoder, codestream, target, format, first);
  }
  if (!header->high_throughput) return 0;
  const auto other = make_htj2k_decoder(CpuLevel::kReference);
  fuzz::require(other->decode(codestream, target) == decoded && pixels == first,
                "and so does it without vectors");
  return 0;
}
