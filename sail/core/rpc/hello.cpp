#include "sail/core/rpc/hello.h"

#include <fmt/core.h>

#include <memory>
#include <utility>

#include "sail/core/auth/password.h"
#include "sail/core/auth/proof.h"
#include "sail/core/base/secret.h"
#include "sail/core/text/json_fields.h"
#include "sail/core/text/limits.h"

namespace sail {
namespace {

// Possible causes: a port of another program, a wall without a key, or an impostor.
Error not_proved(const RpcPeer& peer) {
  return {ErrorCode::kUnauthorized, fmt::format("{} failed to prove the wall's key (another wall, "
                                                "or a man in the middle); nothing was sent",
                                                address_text(peer.peer_address()))};
}

void send_hello(RpcPeer& peer, const Hello& hello, int64_t timeout_ms, std::string session,
                std::function<void(Result<Welcome>)> answer) {
  peer.call(
      "hello", to_json(hello),
      [session = std::move(session), answer = std::move(answer)](const Result<Json>& reply) {
        if (reply) {
          answer(Welcome{*reply, session});
        } else {
          answer(reply.error());
        }
      },
      timeout_ms);
}

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

void start_handshake(RpcPeer& peer, const WallKey& key, Hello hello, int64_t timeout_ms,
                     std::function<void(Result<Welcome>)> answer) {
  if (is_person(key.name)) {
    return start_person_handshake(peer, key, std::move(hello), timeout_ms, std::move(answer));
  }
  hello.key = key.name;
  if (key.secret.empty()) {
    send_hello(peer, hello, timeout_ms, "", std::move(answer));
    return;
  }
  ControlProof proof{key, random_word(), "", peer.binding()};
  const Json asked = to_json(Challenge{key.name, proof.peer_nonce});
  peer.call(
      "challenge", asked,
      [&peer, proof, hello = std::move(hello), timeout_ms,
       answer = std::move(answer)](const Result<Json>& reply) mutable {
        const auto theirs = reply.and_then(
            [](const Json& json) { return message_from_json<ChallengeAnswer>(json); });
        // Other programs and older versions do not know the challenge.
        const bool refused = !reply && reply.error().code != ErrorCode::kInvalidRequest &&
                             reply.error().code != ErrorCode::kUnknownMethod &&
                             reply.error().code != ErrorCode::kInvalidParams;
        if (refused) return answer(reply.error());
        if (theirs) proof.listener_nonce = theirs->nonce;
        if (!theirs || !same_text(theirs->proof, proof.of_listener())) {
          return answer(not_proved(peer));
        }
        hello.proof = proof.of_peer(role_name(hello.role));
        send_hello(peer, hello, timeout_ms, proof.session(), std::move(answer));
      },
      timeout_ms);
}

void start_person_handshake(RpcPeer& peer, const WallKey& key, Hello hello, int64_t timeout_ms,
                            std::function<void(Result<Welcome>)> answer) {
  hello.key = key.name;
  ControlProof words{{key.name, ""}, random_word(), "", peer.binding()};
  const Json asked = to_json(Challenge{key.name, words.peer_nonce});
  peer.call(
      "challenge", asked,
      [&peer, words, password = key.secret, hello = std::move(hello), timeout_ms,
       answer = std::move(answer)](const Result<Json>& reply) mutable {
        if (!reply) return answer(reply.error());
        const auto theirs = message_from_json<ChallengeAnswer>(*reply);
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
