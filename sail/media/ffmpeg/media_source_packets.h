// JPEG 2000 packets from containers, through FFmpeg's demuxers. One thread at a time.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "sail/core/base/log.h"
#include "sail/media/source/codestream_input.h"

namespace sail {

// True for a regular file whose pictures are JPEG 2000.
bool is_codestream_container(const std::string& name);

// kBadData: not such a film. interrupted and log: as in MediaOptions.
Result<std::unique_ptr<CodestreamInput>> open_codestream_container(
    const std::string& name, std::function<bool()> interrupted, const Log* log);

}  // namespace sail
