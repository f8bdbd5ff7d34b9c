// A file of a GlusterFS volume, with many reads in flight. Cancelled reads end at once, even if a
// brick is silent. The volume's replicas take over from a failed brick according to its options
// (network.ping-timeout). If no replica answers, the error names the offset.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "sail/media/storage/reading/byte_source.h"

namespace sail {

// "gluster://host[:port]/volume/path/file" (parse_file_address). kNotFound, kUnauthorized: the
// server's answer. kIo: unreachable, or no answer within patience_ms. kTimeout: give_up returned
// true. kInvalidParams: malformed URL, or built without libgfapi.
Result<std::unique_ptr<const ByteSource>> open_gluster(const std::string& uri,
                                                       const GiveUp& give_up,
                                                       int64_t patience_ms = 30'000);

}  // namespace sail
