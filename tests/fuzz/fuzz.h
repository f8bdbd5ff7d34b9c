// Shared by all fuzz targets: the entry point, and the abort when a property fails.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

// FUZZ_TARGET(name) { … return 0; } tests a property of arbitrary bytes, `data` and `size`. With
// libFuzzer, a program has one target, and this is its entry point; the replay program contains all
// targets.
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
