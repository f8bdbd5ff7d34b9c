// Replies and documents of storage: exNodes, depots, web servers.
#include <algorithm>
#include <charconv>

#include "sail/media/storage/http/far_reply.h"
#include "sail/media/storage/ibp/exnode.h"
#include "sail/media/storage/ibp/ibp.h"
#include "tests/fuzz/fuzz.h"

// The XML of an exNode: requests to depots must match its mappings and stay within their sizes.
FUZZ_TARGET(exnode) {
  const auto exnode = sail::Exnode::parse({reinterpret_cast<const char*>(data), size});
  if (!exnode) {
    fuzz::require(!exnode.error().message.empty(), "it is said why");
    return 0;
  }
  fuzz::require(exnode->mappings().size() <= sail::Exnode::kMostMappings, "they are bounded");
  for (const auto& mapping : exnode->mappings()) {
    fuzz::require(mapping.bytes > 0 && mapping.end() > mapping.begin, "a mapping holds bytes");
    fuzz::require(mapping.part || !mapping.read.key.empty(), "they are named");
    fuzz::require(!mapping.depot().host.empty(), "they lie there");
    const auto holding = exnode->holding(mapping.begin);
    fuzz::require(!holding.empty(), "what it holds is found");
    const uint64_t held = mapping.end_from(mapping.begin) - mapping.begin;
    const uint64_t to = mapping.begin + std::min<uint64_t>(held, 1 << 20);
    const auto part = mapping.stored(mapping.begin, to);
    fuzz::require(part.bytes >= to - mapping.begin, "enough is asked for");
    fuzz::require(part.offset + part.bytes > part.offset, "it has a place");
  }
  for (uint64_t place = 0, i = 0; place < exnode->size() && i < 100; ++i) {
    const auto holding = exnode->holding(place);
    const uint64_t end = holding.empty() ? exnode->hole_end(place)
                                         : exnode->mappings()[holding.front()].end_from(place);
    fuzz::require(end > place, "it goes on");
    place = end;
  }
  return 0;
}

namespace {

// Takes a line from the front.
std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

}  // namespace

// A web server's response header: accepted ranges must lie within the film, even if the server
// lies. Input, one a line: Content-Range, the status (none: 206), a digit for the trouble, the
// type, the tag.
FUZZ_TARGET(far_reply) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  sail::FarReply reply;
  reply.range = sail::parse_content_range(take_line(text));
  if (const auto& range = reply.range) {
    fuzz::require(!range->total || range->offset + range->count <= *range->total,
                  "a part lies within the whole");
    fuzz::require(range->offset + range->count >= range->offset, "its end can be told");
  }
  const std::string_view status = take_line(text), trouble = take_line(text);
  reply.status = 206;
  std::from_chars(status.data(), status.data() + status.size(), reply.status);
  constexpr auto kTroubles = static_cast<unsigned>(sail::FarTrouble::kTooMuch) + 1;
  if (!trouble.empty()) {
    reply.trouble = static_cast<sail::FarTrouble>(static_cast<uint8_t>(trouble[0]) % kTroubles);
  }
  reply.type = take_line(text);
  reply.tag = take_line(text);
  const auto film = sail::learn_film("film", reply);
  fuzz::require(!film || (reply.range && film->size == reply.range->total), "a film has a size");
  const auto outcome = sail::judge({"film", 200, "\"tag\""}, 0, reply);
  fuzz::require((outcome.kind == sail::FarOutcome::Kind::kTaken) != outcome.error.has_value(),
                "what failed has a reason");
  return 0;
}

// A depot's answer to a LOAD, and a capability: a parsed request must not contain more lines than
// intended.
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
