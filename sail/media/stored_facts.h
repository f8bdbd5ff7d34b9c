// What a film is as it is stored, said by one process to another: who looks into files that may be
// anything is not believed more than they are.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "sail/media/media_source_facts.h"

namespace sail {

// As media_facts(), and whether walls can show it as it is stored, which what is stored as JPEG
// 2000 can. open: instead of open_bytes().
Result<MediaFacts> stored_facts(
    const std::string& name,
    const std::function<Result<std::unique_ptr<const ByteSource>>()>& open = {});

constexpr size_t kMaxStoredFacts = 4096;  // bytes of a line
// One line of JSON, with its end. kLimit: looking into it takes more than there is.
std::string stored_facts_line(const Result<MediaFacts>& facts);
// What such a line says, without its end. kBadData: it is no film. kLimit: as above. kParseError:
// nobody who looks into films says that.
Result<MediaFacts> read_stored_facts(std::string_view line);

}  // namespace sail
