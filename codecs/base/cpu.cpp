#include "codecs/base/cpu.h"

#ifdef __x86_64__
#include <cpuid.h>
#endif

namespace codecs {

#ifdef __x86_64__

namespace {

// Clang 14 does not support the name "lzcnt".
bool has_lzcnt() {
  constexpr unsigned kExtended = 0x80000001, kLzcnt = 1U << 5;
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(kExtended, &a, &b, &c, &d) != 0 && (c & kLzcnt) != 0;
}

}  // namespace

CpuLevel detect_cpu() {
  __builtin_cpu_init();
  const bool has_bits = __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                        has_lzcnt() && __builtin_cpu_supports("popcnt");
  if (has_bits && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vnni")) {
    return CpuLevel::kAvx512;
  }
  if (has_bits && __builtin_cpu_supports("avx2")) return CpuLevel::kAvx2;
  if (__builtin_cpu_supports("sse4.1")) return CpuLevel::kSse41;
  return CpuLevel::kReference;
}

#else

CpuLevel detect_cpu() {
  return CpuLevel::kReference;
}

#endif

const char* cpu_level_name(CpuLevel level) {
  switch (level) {
    case CpuLevel::kReference:
      return "reference";
    case CpuLevel::kSse41:
      return "sse4.1";
    case CpuLevel::kAvx2:
      return "avx2";
    case CpuLevel::kAvx512:
      return "avx512";
  }
  return "unknown";
}

}  // namespace codecs
