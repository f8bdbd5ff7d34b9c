// Reed–Solomon erasure code over GF(2^8), systematic, with a Cauchy matrix (ISA-L): of k source
// symbols and m parity symbols any k give all k sources.
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

  // All symbols have that many bytes. sources.size() >= 1, parities.size() >= 1, together at most
  // kMaxErasureSymbols. Parity i is the same whatever number of parities is asked for.
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
    int index = 0;  // as encoded
    const uint8_t* bytes = nullptr;
  };
  // sources[i] is null where it is missing, and missing[j] is where the j-th missing one goes: as
  // many as there are nulls, and at most as many as parities. False: not enough parities, or
  // numbers that make no sense.
  bool decode(size_t symbol_bytes, std::span<const uint8_t* const> sources,
              std::span<const Parity> parities, std::span<uint8_t* const> missing);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace codecs
