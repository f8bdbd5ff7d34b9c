// What the processor can do, as a value handed to every kernel call: no global, so that a test can
// ask for any variant that the machine has.
#pragma once

namespace codecs {

// Each level includes the ones before it.
enum class CpuLevel {
  kReference,  // plain C++
  kSse41,
  kAvx2,    // and BMI, BMI2, LZCNT, POPCNT, as all processors with it have
  kAvx512,  // F, BW, VL, DQ and VNNI: those before 2019 are as quick with the narrower ones
};

// The best level of this machine; the system's support for the wide registers is checked too.
CpuLevel detect_cpu();

const char* cpu_level_name(CpuLevel level);

}  // namespace codecs
