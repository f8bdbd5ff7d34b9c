#include "sail/core/rpc/person_hello.h"

#include <fmt/core.h>

#include <utility>

#include "sail/core/auth/password.h"
#include "sail/core/base/secret.h"
#include "sail/core/text/json_fields.h"
#include "sail/core/text/limits.h"

namespace sail {
namespace {

Error knows_nobody(const RpcPeer& peer) {
  return {ErrorCode::kUnauthorized,
          fmt::format("the server at {} does not support user names and passwords",
                      address_text(peer.peer_address()))};
}

Result<Welcome> checked(const Json& answer, const PersonProof& proof, const RpcPeer& peer) {
  JsonFields fields(answer, "hello");
  const std::string theirs = fields.string_or("proof", kProofDigits, "");
  if (same_text(theirs, proof.of_listener)) return Welcome{answer, proof.session};
  return fail(
      ErrorCode::kUnauthorized,
      fmt::format(
          "{} failed to prove that it knows the password (another wall, or a man in the middle)",
          address_text(peer.peer_address())));
}

}  // namespace

void start_person_handshake(RpcPeer& peer, const WallKey& key, Hello hello, int64_t timeout_ms,
                            std::function<void(Result<Welcome>)> answer) {
  hello.key = key.name;
  ControlProof words{{key.name, ""}, random_word(), "", peer.binding()};
  const Json asked = to_json(Challenge{key.name, words.peer_nonce});
  peer.call(
      "challenge", asked,
      [&peer, words, password = key.secret, hello = std::move(hello), timeout_ms,
       answer = std::move(answer)](const Result<Json>& told) mutable {
        if (!told) return answer(told.error());
        const auto theirs = message_from_json<ChallengeAnswer>(*told);
        if (!theirs || theirs->salt.empty()) return answer(knows_nobody(peer));
        words.listener_nonce = theirs->nonce;
        const PersonProof proof =
            person_proof(words, derive_key(password, theirs->salt), role_name(hello.role));
        hello.proof = proof.of_peer;
        peer.call(
            "hello", to_json(hello),
            [&peer, proof, answer = std::move(answer)](const Result<Json>& welcome) {
              answer(
                  welcome.and_then([&](const Json& json) { return checked(json, proof, peer); }));
            },
            timeout_ms);
      },
      timeout_ms);
}

}  // namespace sail
