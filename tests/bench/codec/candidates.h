// Those that the codec benchmark compares. Each adds itself once a codec; the scene must outlive
// the candidates.
#pragma once

#include <vector>

#include "tests/bench/codec/candidate.h"
#include "tests/bench/codec/scene.h"

namespace bench {

// Every mode with every kernel that this machine can run, from R, G, B, A; DXT1 and YCoCg from
// I420, and DXT1 from NV12, with the vector kernels; the decoder with every kernel.
void add_our_codec(Scene& scene, codecs::CodecId codec, std::vector<Candidate>& candidates);

// libsquish: DXT1 and DXT5, range fit and cluster fit, and its decoder. Nothing for YCoCg.
void add_squish(Scene& scene, codecs::CodecId codec, std::vector<Candidate>& candidates);

// etcpak's DXT1, where ETCPAK_ROOT named its sources when this was configured.
void add_etcpak(Scene& scene, codecs::CodecId codec, std::vector<Candidate>& candidates);

// FFmpeg's DXT. Its block functions (texturedsp, texturedspenc) are not exported; the Hap encoder
// and decoder of libavcodec are thin wrappers of them: hap is DXT1, hap_alpha is DXT5, and hap_q is
// DXT5-YCoCg with a scale, laid out as ours. Nothing where libavcodec was built without Hap.
void add_hap(Scene& scene, codecs::CodecId codec, std::vector<Candidate>& candidates);

// How fast any codec could be on this machine: loops that move a codec's bytes and compute next to
// nothing, four rows of pixels at a time, as codecs must. Encode: reads the frame's 4 bytes a
// pixel, writes the codec's blocks. Decode: reads the blocks, writes 4 bytes a pixel. Frames
// without alpha in YUV have no limit of their own: what is encoded from them is compared with the
// limit of the R, G, B, A frame.
void add_memory_limits(Scene& scene, codecs::CodecId codec, std::vector<Candidate>& candidates);

}  // namespace bench
