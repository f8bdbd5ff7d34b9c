// A file on an NFS server, which need not be mounted: many reads in flight over one connection, on
// an event loop of its own. A connection that breaks or falls silent is re-established, and the
// reads in flight are repeated and counted, within the limits of FarTimeouts. A file that changed
// meanwhile is an error.
#pragma once

#include <memory>
#include <string>

#include "sail/media/storage/http/far_bytes.h"
#include "sail/media/storage/reading/byte_source.h"

namespace sail {

// "nfs://host[:port]/export/path/file" (parse_file_address). kNotFound, kUnauthorized: the server's
// answer. kIo: no answer. kTimeout: give_up returned true. kInvalidParams: malformed URL, or built
// without libnfs.
Result<std::unique_ptr<const ByteSource>> open_nfs(const std::string& uri, const GiveUp& give_up,
                                                   const FarTimeouts& timeouts = {});

}  // namespace sail
