// Facts about stored films, passed as a line of text from a process that parses untrusted files.
// The receiver does not trust the line.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "sail/media/ffmpeg/media_source.h"

namespace sail {

// As media_facts(), but also determines `playable`: true for JPEG 2000. open: replaces
// open_bytes().
Result<MediaFacts> stored_facts(
    const std::string& name,
    const std::function<Result<std::unique_ptr<const ByteSource>>()>& open = {});

constexpr size_t kMaxStoredFacts = 32 << 10;  // bytes per line
// One line of JSON, with its newline. kLimit is passed on: probing needs too many resources.
std::string stored_facts_line(const Result<MediaFacts>& facts);
// Parses such a line, without its newline. kBadData: not a film. kLimit: as above. kParseError:
// malformed.
Result<MediaFacts> read_stored_facts(std::string_view line);

}  // namespace sail
