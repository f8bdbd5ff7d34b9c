// The processor's instruction set level, as a value passed to every kernel call. It is not a
// global, so that tests can run every variant that the machine supports.
#pragma once

namespace codecs {

// Each level includes the ones before it.
#ifdef __aarch64__
enum class CpuLevel {
  kReference,  // plain C++
  kNeon,       // in all 64-bit Arm processors
};
constexpr CpuLevel kCpuLevels[] = {CpuLevel::kReference, CpuLevel::kNeon};
#else
enum class CpuLevel {
  kReference,  // plain C++
  kSse41,
  kAvx2,    // with BMI, BMI2, LZCNT, POPCNT, as in all AVX2 processors
  kAvx512,  // F, BW, VL, DQ and VNNI: processors without VNNI (before 2019) gain nothing
};
constexpr CpuLevel kCpuLevels[] = {CpuLevel::kReference, CpuLevel::kSse41, CpuLevel::kAvx2,
                                   CpuLevel::kAvx512};
#endif

// The best level of this machine; also checks that the system saves the wide registers.
CpuLevel detect_cpu();

const char* cpu_level_name(CpuLevel level);

}  // namespace codecs
