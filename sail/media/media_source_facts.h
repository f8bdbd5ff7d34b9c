// What a film is, without a decoder of ours: what lists of films tell.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "sail/base/geometry.h"
#include "sail/base/result.h"
#include "sail/storage/byte_source.h"

namespace sail {

struct MediaFacts {
  Size size;                // as its pictures are stored
  std::string codec;        // as FFmpeg calls it: "h264"
  int64_t duration_ns = 0;  // 0: unknown
  double fps = 0;           // nominal; 0: unknown
  bool playable = false;    // on walls, as it is stored: nothing in it has to be decoded
};

// Of whatever FFmpeg's demuxers can read and has a picture; no list of other files. interrupted:
// asked while the file is waited for; true makes it give up. open: instead of open_bytes(). Whether
// walls can show it is not looked at.
Result<MediaFacts> media_facts(
    const std::string& name, std::function<bool()> interrupted,
    std::function<Result<std::unique_ptr<const ByteSource>>()> open = {});

}  // namespace sail
