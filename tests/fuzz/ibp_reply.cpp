// A depot's answer to a LOAD, and a capability: a parsed request must not contain more lines than
// intended.
#include <algorithm>

#include "sail/media/storage/ibp/ibp.h"

#include "tests/fuzz/fuzz.h"

FUZZ_TARGET(ibp_reply) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto reply = sail::parse_load_reply(text)) {
    fuzz::require(reply->status == sail::kIbpOk || reply->status < 0, "it went well or did not");
    fuzz::require(reply->status == sail::kIbpOk || reply->bytes == 0, "what failed brings nothing");
    fuzz::require(!sail::ibp_words(reply->status).empty(), "it can be told");
  }
  const auto capability = sail::parse_read_capability(text);
  if (!capability) return 0;
  const std::string line = sail::load_line(0, *capability, {1, 2}, 3);
  fuzz::require(std::ranges::count(line, ' ') == 6, "a line has its words");
  fuzz::require(std::ranges::count(line, '\n') == 1 && line.back() == '\n', "it is one line");
  return 0;
}
