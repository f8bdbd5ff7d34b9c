// Candidates of the codec benchmark. Each function adds its candidates for a codec; the scene must
// outlive the candidates.
#pragma once

#include <vector>

#include "tests/bench/codec/candidate.h"
#include "tests/bench/codec/scene.h"

namespace bench {

// Every mode with every kernel that runs on this machine, from R, G, B, A; with the vector kernels
// also DXT1 and YCoCg from I420, and DXT1 from NV12; the decoder with every kernel.
void add_our_codec(Scene& scene, codecs::CodecId codec, std::vector<Candidate>& candidates);

// libsquish: DXT1 and DXT5, range fit and cluster fit, and its decoder. No YCoCg.
void add_squish(Scene& scene, codecs::CodecId codec, std::vector<Candidate>& candidates);

// etcpak's DXT1, if ETCPAK_ROOT named its sources at configuration.
void add_etcpak(Scene& scene, codecs::CodecId codec, std::vector<Candidate>& candidates);

// FFmpeg's DXT. Its block functions (texturedsp, texturedspenc) are not exported, so this uses
// libavcodec's Hap encoder and decoder, thin wrappers of them: hap is DXT1, hap_alpha is DXT5, and
// hap_q is DXT5-YCoCg with a scale, in our layout. Adds nothing if libavcodec lacks Hap.
void add_hap(Scene& scene, codecs::CodecId codec, std::vector<Candidate>& candidates);

// Upper bound for any codec on this machine: loops that move a codec's bytes and compute next to
// nothing, four rows of pixels at a time, as codecs must. Encode: reads the frame's 4 bytes a
// pixel, writes the codec's blocks. Decode: reads the blocks, writes 4 bytes a pixel. YUV frames
// without alpha have no separate limit; they are compared with the limit of the R, G, B, A frame.
void add_memory_limits(Scene& scene, codecs::CodecId codec, std::vector<Candidate>& candidates);

}  // namespace bench
