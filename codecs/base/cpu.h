// The processor's instruction set level, as a value passed to every kernel call. It is not a
// global, so that tests can run every variant that the machine supports.
#pragma once

namespace codecs {

// Each level includes the ones before it.
enum class CpuLevel {
  kReference,  // plain C++
  kSse41,
  kAvx2,    // with BMI, BMI2, LZCNT, POPCNT, as in all AVX2 processors
  kAvx512,  // F, BW, VL, DQ and VNNI: processors without VNNI (before 2019) gain nothing
};

// The best level of this machine; also checks that the system saves the wide registers.
CpuLevel detect_cpu();

const char* cpu_level_name(CpuLevel level);

}  // namespace codecs
