// A web server's response header: accepted ranges must lie within the film, even if the server
// lies.
#include "sail/media/storage/http/far_reply.h"

#include "tests/fuzz/fuzz.h"

FUZZ_TARGET(far_reply) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto range = sail::parse_content_range(text);
  if (!range) return 0;
  fuzz::require(!range->total || range->offset + range->count <= *range->total,
                "a part lies within the whole");
  fuzz::require(range->offset + range->count >= range->offset, "its end can be told");
  sail::FarReply reply;
  reply.status = 206;
  reply.range = range;
  const auto film = sail::learn_film("film", reply);
  fuzz::require(film.has_value() == range->total.has_value(), "a film has a size");
  if (film) sail::judge(*film, range->offset, reply);
  return 0;
}
