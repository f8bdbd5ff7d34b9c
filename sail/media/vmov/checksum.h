// XXH3, 64 bits, seed 0: a fast checksum against damage, not against malice. Pure.
// Specification: https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md
#pragma once

#include <cstdint>
#include <span>

namespace sail {

uint64_t checksum(std::span<const uint8_t> bytes);

}  // namespace sail
