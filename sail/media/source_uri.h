// Which source of bytes a name or URL asks for: the one place that knows the schemes. Any thread.
#pragma once

#include <memory>
#include <string>

#include "sail/base/result.h"
#include "sail/media/byte_source.h"

namespace sail {

// A file's name, also as "file:…". kIo, kUnavailable: it cannot be read at any place, or is not
// there.
Result<std::unique_ptr<const ByteSource>> open_bytes(const std::string& uri);

// What comes over a network is far: a list in it (HLS and such) names nothing on this host.
bool is_far(const std::string& uri);

}  // namespace sail
