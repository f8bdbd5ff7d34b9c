// A file of a GlusterFS volume: many reads at a time, of which those that nobody wants any more end
// at once, though a brick be silent. What a brick cannot give its volume's copies do, as its own
// options have it (network.ping-timeout); what none gives is an error that names the place.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "sail/storage/byte_source.h"

namespace sail {

// "gluster://host[:port]/volume/path/file" (parse_file_address). kNotFound, kUnauthorized: the
// server says so. kIo: it cannot be reached, or does not answer for so long. kTimeout: given up.
// kInvalidParams: it is no such URL, or this was built without libgfapi.
Result<std::unique_ptr<const ByteSource>> open_gluster(const std::string& uri,
                                                       const GiveUp& give_up,
                                                       int64_t patience_ms = 30'000);

}  // namespace sail
