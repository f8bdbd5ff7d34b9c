#include "sail/media/vmov/checksum.h"

#include <xxhash.h>

namespace sail {

uint64_t checksum(std::span<const uint8_t> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace sail
