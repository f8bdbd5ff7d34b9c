// A file of an NFS server, which this host need not have mounted: many reads at a time over one
// connection, on a loop of the source's own. A connection that breaks or falls silent is made anew,
// and what was under way is asked for again and counted, as long as FarPatience has it; a file that
// is another one then is an error.
#pragma once

#include <memory>
#include <string>

#include "sail/storage/byte_source.h"
#include "sail/storage/far_bytes.h"

namespace sail {

// "nfs://host[:port]/export/path/file" (parse_file_address). kNotFound, kUnauthorized: the server
// says so. kIo: it does not answer. kTimeout: given up. kInvalidParams: it is no such URL, or
// libnfs was not there when this was built.
Result<std::unique_ptr<const ByteSource>> open_nfs(const std::string& uri, const GiveUp& give_up,
                                                   const FarPatience& patience = {});

}  // namespace sail
