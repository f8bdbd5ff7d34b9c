// Which source of bytes a name or URL asks for: the one place that knows the schemes. Any thread.
#pragma once

#include <memory>
#include <string>

#include "sail/base/result.h"
#include "sail/storage/byte_source.h"

namespace sail {

// A file's name, also as "file:…"; "http://…", "https://…", "sftp://…", "s3://bucket/key";
// "nfs://host/export/path/file" (open_nfs); "gluster://host/volume/path/file" (open_gluster);
// "lors:///path/of/file.xnd",
// "ibp://host:port/key/typekey/READ" (DepotBytes::open).
// kUnavailable: it cannot be read at any place (devices, pipes, what is sent live), or the scheme
// is none of ours. Other errors say why what is there cannot be read. give_up: asked while nothing
// comes (kTimeout).
Result<std::unique_ptr<const ByteSource>> open_bytes(const std::string& uri,
                                                     const GiveUp& give_up = {});

// What comes over a network is far: a list in it (HLS and such) names nothing on this host. So is
// what an exNode of this host tells of; only those may name the exNode who may name a file.
bool is_far(const std::string& uri);
// What FFmpeg cannot read by itself: s3:, nfs: and the like.
bool is_ours_alone(const std::string& uri);
// By HTTP.
bool is_web(const std::string& uri);

}  // namespace sail
