// The "Authorization" header of unauthenticated clients, and the text of a key.
#include <string>
#include <string_view>

#include "sail/core/auth/proof.h"
#include "tests/fuzz/fuzz.h"

FUZZ_TARGET(request_proof) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto proof = sail::read_request_proof(bytes)) {
    const std::string again = "Vitrail " + std::to_string(proof->client) + " " +
                              std::to_string(proof->number) + " " + std::string(proof->proof);
    const auto same = sail::read_request_proof(again);
    fuzz::require(same && same->client == proof->client && same->number == proof->number &&
                      same->proof == proof->proof,
                  "a request's proof reads back as what it was");
    sail::RequestNumbers numbers;
    const bool taken = numbers.take(proof->number);
    fuzz::require(taken == (proof->number != 0), "each number but 0 is a new one once");
    fuzz::require(!numbers.take(proof->number), "and only once");
  }
  if (const auto key = sail::read_key(bytes)) {
    const auto same = sail::read_key(key_text(*key));
    fuzz::require(same && same->name == key->name && same->secret == key->secret,
                  "a key reads back as what it was");
    fuzz::require(sail::key_named(*key, "viewer").secret.size() == (key->secret.empty() ? 0 : 64),
                  "keys are made of keys only");
  }
  return 0;
}
