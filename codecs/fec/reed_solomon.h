// Systematic Reed–Solomon erasure code over GF(2^8) with a Cauchy matrix (ISA-L): of k source
// symbols and m repair symbols (here: parities), any k recover all k sources.
//
// The field's polynomial is x^8 + x^4 + x^3 + x^2 + 1. Parity i is the sum over all sources j of
// source j divided by ((255 - i) xor j), which does not depend on k or m.
//
// Pure; no allocation after construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace codecs {

constexpr int kMaxErasureSymbols = 255;  // sources and parities together

class ErasureEncoder {
 public:
  ErasureEncoder();
  ~ErasureEncoder();
  ErasureEncoder(const ErasureEncoder&) = delete;
  ErasureEncoder& operator=(const ErasureEncoder&) = delete;

  // All symbols have symbol_bytes bytes. sources.size() >= 1, parities.size() >= 1, together at
  // most kMaxErasureSymbols. Parity i does not depend on the number of parities.
  void encode(size_t symbol_bytes, std::span<const uint8_t* const> sources,
              std::span<uint8_t* const> parities);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

class ErasureDecoder {
 public:
  ErasureDecoder();
  ~ErasureDecoder();
  ErasureDecoder(const ErasureDecoder&) = delete;
  ErasureDecoder& operator=(const ErasureDecoder&) = delete;

  struct Parity {
    int index = 0;  // index in ErasureEncoder::encode()
    const uint8_t* bytes = nullptr;
  };
  // sources[i] is null if it is missing; missing[j] receives the j-th missing source. There are as
  // many entries in `missing` as nulls in `sources`, and at most as many as parities. Returns false
  // if there are too few parities or the arguments are inconsistent.
  bool decode(size_t symbol_bytes, std::span<const uint8_t* const> sources,
              std::span<const Parity> parities, std::span<uint8_t* const> missing);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace codecs
