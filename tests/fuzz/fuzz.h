// What the fuzz targets share: how one begins, and how a broken property ends the run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

// FUZZ_TARGET(name) { … return 0; } tests a property of any bytes: `data`, `size` of them. In a
// program of libFuzzer, which has one target, it is the entry point; replays of all are one
// program.
#ifdef VITRAIL_LIBFUZZER
#define FUZZ_TARGET(name) extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size)
#else
#define FUZZ_TARGET(name) int fuzz_##name(const uint8_t* data, size_t size)
#endif

namespace fuzz {

inline void require(bool holds, const char* property) {
  if (holds) return;
  std::fprintf(stderr, "broken property: %s\n", property);
  std::abort();
}

}  // namespace fuzz
