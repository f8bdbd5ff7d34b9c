#include "codecs/cpu.h"

namespace codecs {

CpuLevel detect_cpu() {
  __builtin_cpu_init();
  const bool has_bits = __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                        __builtin_cpu_supports("lzcnt") && __builtin_cpu_supports("popcnt");
  if (has_bits && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) {
    return CpuLevel::kAvx512;
  }
  if (has_bits && __builtin_cpu_supports("avx2")) return CpuLevel::kAvx2;
  if (__builtin_cpu_supports("sse4.1")) return CpuLevel::kSse41;
  return CpuLevel::kReference;
}

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
