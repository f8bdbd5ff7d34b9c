// Shared by all fuzz targets: the entry point, and the abort when a property fails.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

// FUZZ_TARGET(name) { … return 0; } tests a property of arbitrary bytes, `data` and `size`. The
// replay program contains all targets; a program of libFuzzer has one, VITRAIL_LIBFUZZER.
#define FUZZ_TARGET(name) int fuzz_##name(const uint8_t* data, size_t size)

#ifdef VITRAIL_LIBFUZZER
int VITRAIL_LIBFUZZER(const uint8_t* data, size_t size);
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  return VITRAIL_LIBFUZZER(data, size);
}
#endif

namespace fuzz {

inline void require(bool holds, const char* property) {
  if (holds) return;
  std::fprintf(stderr, "broken property: %s\n", property);
  std::abort();
}

}  // namespace fuzz
