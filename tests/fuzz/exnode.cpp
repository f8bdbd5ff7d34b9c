// The XML of an exNode: requests to depots must match its mappings and stay within their sizes.
#include "sail/media/storage/ibp/exnode.h"

#include <algorithm>

#include "tests/fuzz/fuzz.h"

FUZZ_TARGET(exnode) {
  const auto exnode = sail::Exnode::parse({reinterpret_cast<const char*>(data), size});
  if (!exnode) {
    fuzz::require(!exnode.error().message.empty(), "it is said why");
    return 0;
  }
  fuzz::require(exnode->mappings().size() <= sail::Exnode::kMostMappings, "they are bounded");
  for (const auto& mapping : exnode->mappings()) {
    fuzz::require(mapping.bytes > 0 && mapping.end() > mapping.begin, "a mapping holds bytes");
    fuzz::require(mapping.part || !mapping.read.key.empty(), "they are named");
    fuzz::require(!mapping.depot().host.empty(), "they lie there");
    const auto holding = exnode->holding(mapping.begin);
    fuzz::require(!holding.empty(), "what it holds is found");
    const uint64_t held = mapping.end_from(mapping.begin) - mapping.begin;
    const uint64_t to = mapping.begin + std::min<uint64_t>(held, 1 << 20);
    const auto part = mapping.stored(mapping.begin, to);
    fuzz::require(part.bytes >= to - mapping.begin, "enough is asked for");
    fuzz::require(part.offset + part.bytes > part.offset, "it has a place");
  }
  for (uint64_t place = 0, i = 0; place < exnode->size() && i < 100; ++i) {
    const auto holding = exnode->holding(place);
    const uint64_t end = holding.empty() ? exnode->hole_end(place)
                                         : exnode->mappings()[holding.front()].end_from(place);
    fuzz::require(end > place, "it goes on");
    place = end;
  }
  return 0;
}
