// Opens the byte source for a file name or URL. The only place that knows all schemes. Any thread.
#pragma once

#include <memory>
#include <string>

#include "sail/core/base/result.h"
#include "sail/media/storage/reading/byte_source.h"

namespace sail {

// Accepts a file name, also as "file:…"; "http://…", "https://…", "sftp://…", "s3://bucket/key";
// "nfs://host/export/path/file" (open_nfs); "lors:///path/of/file.xnd",
// "ibp://host:port/key/typekey/READ" (DepotBytes::open). kUnavailable: no random access (devices,
// pipes, live streams), or an unknown scheme. Other errors tell why it cannot be read. give_up:
// polled while waiting (kTimeout).
Result<std::unique_ptr<const ByteSource>> open_bytes(const std::string& uri,
                                                     const GiveUp& give_up = {});

// True for URLs of other hosts. A playlist (HLS and others) in such a file may not name files of
// this host. lors: URLs count as remote, too; only users who may name local files may name their
// exNodes.
bool is_far(const std::string& uri);
// URLs that FFmpeg cannot read: s3:, nfs:, lors:, ibp:, and gluster:, which is refused with advice.
bool is_ours_alone(const std::string& uri);
// URLs of HTTP or HTTPS.
bool is_web(const std::string& uri);

}  // namespace sail
