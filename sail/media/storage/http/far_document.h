// A whole document of a web server, for servers without byte ranges: feeds are made when they are
// asked for. Any thread.
#pragma once

#include <cstddef>
#include <string>

#include "sail/core/base/result.h"
#include "sail/media/storage/reading/byte_source.h"

namespace sail {

// url: http: or https:. kLimit: it has more than most_bytes. kTimeout: give_up returned true. No
// retries.
Result<std::string> fetch_document(const std::string& url, size_t most_bytes,
                                   const GiveUp& give_up);

}  // namespace sail
