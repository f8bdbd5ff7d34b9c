// etcpak, known for its speed: DXT1 without refinement.
#include "tests/bench/codec/scene.h"

#if __has_include(<ProcessDxtc.hpp>)

#include <ProcessDxtc.hpp>

namespace bench {

void add_etcpak(Scene& scene, codecs::CodecId codec, std::vector<Candidate>& candidates) {
  if (codec != codecs::CodecId::kDxt1) return;
  const Picture& picture = scene.picture();
  uint8_t* const target = scene.block_target();
  Candidate candidate;
  candidate.codec = codec;
  candidate.mode = "fast";
  candidate.kernel = "etcpak";
  candidate.content = picture.name;
  candidate.pixels = picture.pixel_count();
  candidate.work =
      by_rows(picture.size.height / codecs::kTexelBlock, [&picture, target](int first, int last) {
        const auto width = static_cast<size_t>(picture.size.width);
        const auto columns = width / codecs::kTexelBlock;
        const auto row = static_cast<size_t>(first);
        CompressBc1(reinterpret_cast<const uint32_t*>(picture.at(0, first * codecs::kTexelBlock)),
                    reinterpret_cast<uint64_t*>(target) + row * columns,
                    static_cast<uint32_t>(columns * static_cast<size_t>(last - first)), width);
      });
  candidate.psnr_db = scene.encoded_psnr_db(codec, candidate.work, picture);
  candidates.push_back(std::move(candidate));
}

}  // namespace bench

#else

namespace bench {

void add_etcpak(Scene& /*scene*/, codecs::CodecId /*codec*/, std::vector<Candidate>& /*all*/) {}

}  // namespace bench

#endif
