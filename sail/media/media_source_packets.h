// JPEG 2000 in films' containers, through FFmpeg's demuxers: packets as they are stored. One
// thread.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "sail/base/log.h"
#include "sail/media/codestream_input.h"

namespace sail {

// Whether a regular file is a film whose pictures are JPEG 2000.
bool is_codestream_container(const std::string& name);

// kBadData: it is no such film. The interruption and the log are those of MediaOptions.
Result<std::unique_ptr<CodestreamInput>> open_codestream_container(
    const std::string& name, std::function<bool()> interrupted, const Log* log);

}  // namespace sail
